"""Why a letter was read as it was, with the evidence of each step."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.explain import explain
from corr.core.letter import read_letter
from corr.core.quoting import MARKER, new_lines, traced

FOLDER = Path(__file__).parents[1] / "letters"
LETTERS = sorted(FOLDER.rglob("*.eml"))


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_the_lines_that_no_rule_took_are_those_that_are_new(path: Path) -> None:
    text = read_letter(path.read_bytes()).text
    kept = [line.strip() for line, rule in traced(text) if rule is None and line.strip()]
    new = [line.strip() for line in new_lines(text).lines if line.strip()]
    assert kept == new


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_each_rule_took_as_many_lines_as_it_says(path: Path) -> None:
    text = read_letter(path.read_bytes()).text
    counts = dict(new_lines(text).rules)
    assert {
        rule: sum(1 for line, by in traced(text) if by == rule and line.strip()) for rule in counts
    } == counts


def test_a_reply_is_explained_rule_by_rule() -> None:
    path = FOLDER / "gmail-web-en.eml"
    raw = path.read_bytes()
    explained = explain(raw, read_letter(raw))
    assert explained.bytes == len(raw)
    assert explained.flaw is None
    assert explained.marks[0] == ("K7QX.14.3.5.h4nd…", "recipients")
    assert MARKER not in [text for text, rule in explained.lines if rule is None]
    assert {name for name, _ in explained.headers} >= {"from", "to", "subject", "message-id", "content-type"}
    assert ("59-15", "line") in explained.read


def test_a_letter_with_a_flaw_says_which() -> None:
    raw = (FOLDER / "oddities" / "encrypted-by-pgp.eml").read_bytes()
    explained = explain(raw, read_letter(raw))
    assert (explained.flaw, explained.read) == ("encrypted", ())


@given(st.lists(st.sampled_from(["5", "> 5", "-- ", "", "On x wrote:", "> > a", MARKER, f"> {MARKER}"])))
def test_whatever_comes_every_line_has_a_fate(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert len(traced(text)) == len(lines or [""])
    kept = sum(rule is None and bool(line.strip()) for line, rule in traced(text))
    assert kept == sum(1 for line in new_lines(text).lines if line.strip())
