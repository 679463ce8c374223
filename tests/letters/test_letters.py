"""Letters as mail programs write them: what is new in each, who sent it, which letter it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.core.addresses import split_plus
from corr.core.letter import read_letter
from corr.core.quoting import MARKER, new_lines

LETTERS = sorted(Path(__file__).parent.glob("*.eml"))
PLAY = "play@corr.example.org"
MARK = "K7QX.14.3.5.h4nd2abcdefgh2345672"


def said(text: str) -> list[str]:
    return [line for line in new_lines(text).lines if line.strip()]


def test_each_client_is_there_in_both_languages() -> None:
    languages = [path.stem.rpartition("-")[2] for path in LETTERS]
    assert languages.count("en") == languages.count("ja") == 9


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_exactly_the_lines_that_the_player_typed_are_new(path: Path) -> None:
    expected = path.with_suffix(".txt").read_text("utf-8").splitlines()
    assert said(read_letter(path.read_bytes()).text) == expected


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_a_reply_brings_back_the_mark_of_the_letter_that_it_answers(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    assert (PLAY, MARK) in [split_plus(address) for address in letter.recipients]
    assert not letter.references or letter.references[0] == f"<{MARK}@corr.example.org>"


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_sender_subject_and_id_are_read(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    assert "@example." in letter.sender
    assert "[K7QX] " in letter.subject
    assert "=?" not in letter.subject + letter.sender_name
    assert letter.message_id.startswith("<")
    assert letter.message_id.encode() in path.read_bytes()
    assert letter.flaw is None


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_the_letter_of_corr_is_in_the_text_that_was_read(path: Path) -> None:
    """What the rules cut is really there: each letter quotes the marker and the legal moves."""
    text = read_letter(path.read_bytes()).text
    assert MARKER in text
    assert "59-15" in text.partition(MARKER)[2] or path.stem == "mutt-en"
