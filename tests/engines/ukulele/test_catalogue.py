"""Every phrase of the game has its words in both languages."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from wcwidth import wcswidth

from corr.render.catalogue import reason, word
from corr.resources import templates
from engines.api import Outcome, Phrase, Problem
from engines.ukulele import ENGINE
from engines.ukulele.options import ARRAYS, OPTIONS
from tests.engines.ukulele.drawn import BLACK, NO_LUCK, WHITE

LANGUAGES = ("en", "ja")
NAMES = {BLACK: "Aoi", WHITE: "Ben"}


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    with (templates() / "locale" / lang / "ukulele.po").open("rb") as source:
        return {str(entry.id): str(entry.string) for entry in read_po(source, locale=lang) if entry.id}


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def test_both_languages_have_the_same_keys() -> None:
    assert catalogue("en").keys() == catalogue("ja").keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_is_without_words(lang: str) -> None:
    assert [key for key, text in catalogue(lang).items() if not text] == []


def test_both_languages_use_the_same_values() -> None:
    square = {"ukulele.square"}  # the one phrase in which Japanese writes another numeral
    for key in catalogue("en").keys() - square:
        assert placeholders(catalogue("en")[key]) == placeholders(catalogue("ja")[key]), key


def test_every_key_of_the_catalogue_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in sources())
    for key in catalogue("en"):
        if not key.startswith(("ukulele.option.", "ukulele.outcome.")) and key != "ukulele.title":
            assert f'"{key}"' in code, f"nothing says {key}"


def sources() -> Iterator[Path]:
    folder = Path(ENGINE.setup.__code__.co_filename).parent
    return folder.glob("*.py")


def test_every_option_and_every_value_has_a_name() -> None:
    for option, values in OPTIONS.items():
        assert f"ukulele.option.{option}" in catalogue("en")
        for value in values:
            assert value.isdigit() or f"ukulele.option.{option}.{value}" in catalogue("en")
    for array in ARRAYS:
        assert f"ukulele.option.array.{array}" in catalogue("en")


REFUSED = [
    {"handicap": "12"},
    {"move_cap": "x"},
    {"array": "x"},
    {"array": "59,48,55"},
    {"array": "59,39"},
    {"array": "59,17"},
    {"position": "x"},
    {"position": "/".join(["." * 9] * 9) + " b -"},
    {"handicap": "2", "first_player": "random"},
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("options", REFUSED)
def test_refused_options_are_explained(lang: str, options: dict[str, str]) -> None:
    problem = ENGINE.setup(2, {"first_player": "1"} | options, NO_LUCK)
    assert isinstance(problem, Problem)
    assert word(problem, lang, NAMES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_end_has_its_reason(lang: str) -> None:
    for end in ("camp", "both-passed", "fourfold", "move-cap"):
        assert reason(Outcome(frozenset(), end), "ukulele", lang) == catalogue(lang)[f"ukulele.outcome.{end}"]


def test_a_move_reads_naturally_in_both_languages() -> None:
    square = Phrase("ukulele.square", {"file": 5, "rank": 9, "kanji": "九"})
    moved = Phrase("ukulele.moved", {"by": Phrase("seat", {"number": 1}), "from": square, "to": square})
    assert word(moved, "en", NAMES) == "Aoi moved 59-59."
    assert word(moved, "ja", NAMES) == "Aoiさんが5九から5九へ動かしました。"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_fit_a_letter(lang: str) -> None:
    """A line is at most 72 columns wide, where a Japanese letter counts two."""
    text = (templates() / lang / "rules" / "ukulele.txt").read_text(encoding="utf-8")
    assert max(wcswidth(line) for line in text.splitlines()) <= 72


@pytest.mark.parametrize(("lang", "said"), [("en", "reconstruction"), ("ja", "復元")])
def test_the_rules_say_that_the_array_is_not_the_published_one(lang: str, said: str) -> None:
    assert said in (templates() / lang / "rules" / "ukulele.txt").read_text(encoding="utf-8")
