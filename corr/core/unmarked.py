"""The letter that a reply answers, where the program quoted it without any mark and its marker is gone.

Nothing in such a reply tells what is old; but corr knows what it wrote.  Lines are compared by
their letters and figures alone, as parts of the whole letter: so it does not matter how a program
broke them, and what it put before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corr.core.fold import fold

FEWEST = 2
"""Long lines of the old letter's prose that prove that it stands in a reply."""

LONG = 16
"""Letters and figures of a line that is not found in a letter by accident."""


def may_stand(texts: Iterable[str]) -> bool:
    """Tell quickly of most replies that no old letter stands in what was read of them."""
    return sum(len(line) >= LONG for text in texts for line in text.split("\n")) >= FEWEST


class _Place(NamedTuple):
    """Where a long line of a reply stands in the old letter, of which only letters are counted."""

    line: int
    begin: int
    end: int


def beside(lines: Sequence[str], own: str) -> list[str]:
    """Return the lines that stand above and below the letter *own*; all, if it does not stand there.

    Corr indents what a player may copy, orders and words: only the rest of a letter proves
    that it stands there.  Of what stands between its lines nothing tells whose it is; nor
    of a short line that it has too, at an end where some of it is missing.
    """
    letter = _letters(own)
    prose = _letters("\n".join(line for line in own.split("\n") if not line.startswith(" ")))
    places = list(_places(lines, letter))
    if sum(letter[place.begin : place.end] in prose for place in places) < FEWEST:
        return list(lines)
    first, last = places[0], places[-1]
    above = _typed(lines[: first.line], letter[: first.begin])
    return above + _typed(lines[last.line + 1 :], letter[last.end :])


def _places(lines: Sequence[str], letter: str) -> Iterator[_Place]:
    """Find the long lines of a reply in the old letter, in the order of both."""
    end = 0
    for number, line in enumerate(lines):
        wanted = _letters(line)
        begin = letter.find(wanted, end) if len(wanted) >= LONG else -1
        if begin >= 0:
            end = begin + len(wanted)
            yield _Place(number, begin, end)


def _typed(lines: Sequence[str], missing: str) -> list[str]:
    return [line for line in lines if not line.strip() or _letters(line) not in missing]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text).casefold()))
