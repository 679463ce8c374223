"""No letter costs more than in proportion to its size: twice as much of anything is about twice the work.

Work is counted, not timed: lines of Python that run, in corr and in the library.  What goes on
inside one call of a regular expression or a codec cannot be counted; ``make bench`` times it, at
the sizes that limits leave.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any

import pytest

from corr.core.letter import read_letter
from corr.core.names import LONGEST_NAME
from corr.core.reading import by_game, read
from corr.core.talk import addressed
from tests.letters.hostile import SHAPES

GROWTH = 2.5
"""Twice the size may cost so many times as much."""

SLACK = 200
"""Lines that run now and then, such as those that fill a cache."""


@contextmanager
def counted() -> Generator[Callable[[], int]]:
    """Count the lines of Python that run inside."""
    lines = 0

    def trace(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lambda: lines
    finally:
        sys.settrace(before)


NUMBERS = count()


def work(raw: bytes) -> int:
    """Return how many lines of Python run while a letter, which nobody has seen, is read in every way."""
    raw = b"X-Number: %d\r\n" % next(NUMBERS) + raw
    with counted() as lines:
        letter = read_letter(raw)
        read(letter)
        for _, part in by_game(letter):
            read(part, talk=True)
    return lines()


@pytest.mark.parametrize("name", SHAPES)
def test_twice_the_size_is_twice_the_work(name: str) -> None:
    shape = SHAPES[name]
    work(
        shape.made(shape.small + 1)
    )  # fills caches; not with these letters, which are read for the first time
    once, twice = work(shape.made(shape.small)), work(shape.made(2 * shape.small))
    assert twice <= GROWTH * once + SLACK


@pytest.mark.parametrize("name", SHAPES)
def test_a_letter_of_any_size_is_read_or_refused(name: str) -> None:
    """Beyond the limits no more is read: the largest costs no more than some thousand lines of text."""
    shape = SHAPES[name]
    letter = read_letter(shape.made(shape.large))
    assert letter.flaw or len(letter.text) <= 64 << 10
    assert read(letter).left >= 0


def test_a_name_is_looked_for_at_the_beginning_of_a_whisper_alone() -> None:
    asked: list[str] = []
    assert addressed("a " * 4_000, asked.append) is None
    assert 0 < len(asked) <= 2 * LONGEST_NAME


def test_what_is_quoted_very_often_has_few_marks() -> None:
    """Marks before each line of quotes in quotes grew with the square of the depth."""
    text = read_letter(SHAPES["quotes in quotes"].made(4_000)).text
    assert max(line.count(">") for line in text.splitlines()) == 20


def test_what_is_quadratic_is_caught() -> None:
    def quadratic(n: int) -> int:
        with counted() as lines:
            sum(1 for a in range(n) for b in range(n) if a < b)
        return lines()

    assert quadratic(200) > GROWTH * quadratic(100) + SLACK
