"""Phrases, moments, links and lines, one rule at a time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import corr
from corr.render.board import cell, width
from corr.render.catalogue import catalogue, option, reason, word
from corr.render.links import LONGEST, mailto
from corr.render.moment import pace, span, when
from corr.render.plain import COLUMNS, spaced, tidy, wrapped
from corr.resources import templates
from engines.api import Outcome, Phrase, Seat, name

NAMES = {Seat(1): "Aoi", Seat(2): "田中さん"}
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("locale", "seat", "alias"),
    [("en", 1, "Aoi"), ("ja", 1, "Aoiさん"), ("ja", 2, "田中さん"), ("en", 2, "田中さん")],
)
def test_a_seat_is_worded_as_its_alias_with_one_title(locale: str, seat: int, alias: str) -> None:
    assert word(name(Seat(seat)), locale, NAMES) == alias


def test_a_seat_without_a_name_is_a_number() -> None:
    assert word(name(Seat(3)), "en", NAMES) == "player 3"


def test_phrases_inside_a_phrase_are_worded_and_joined_by_the_comma_of_the_language() -> None:
    won = Phrase("outcome.won", {"winners": (name(Seat(1)), name(Seat(2)))})
    assert word(won, "en", NAMES) == "Aoi, 田中さん won."
    assert word(won, "ja", NAMES) == "Aoiさん、田中さんの勝ちです。"


def test_the_plural_goes_by_the_value_n() -> None:
    assert [word(Phrase("span.days", {"n": n}), "en", {}) for n in (1, 2)] == ["1 day", "2 days"]
    assert [word(Phrase("span.days", {"n": n}), "ja", {}) for n in (1, 2)] == ["1日", "2日"]


def test_a_key_without_words_raises_and_is_never_shown() -> None:
    with pytest.raises(KeyError, match=r"no\.such-key"):
        word(Phrase("no.such-key"), "en", {})
    with pytest.raises(KeyError, match=r"no\.such-key"):
        word(Phrase("no.such-key", {"n": 2}), "ja", {})


def test_a_value_that_is_missing_raises() -> None:
    with pytest.raises(KeyError):
        word(Phrase("lang.unknown"), "en", {})


def test_a_language_without_phrases_is_refused() -> None:
    with pytest.raises(ValueError, match="'xx'"):
        catalogue("xx")


def test_a_reason_is_worded_by_the_game_first_and_else_by_corr() -> None:
    camp = Outcome(frozenset({Seat(1)}), "camp")
    assert reason(camp, "ukulele", "en") == catalogue("en").gettext("ukulele.outcome.camp")
    resigned = Outcome(frozenset({Seat(1)}), "resignation")
    assert reason(resigned, "ukulele", "en") == "By resignation."


def test_an_option_is_worded_and_a_free_value_stands_as_it_is() -> None:
    assert catalogue("ja").gettext("ukulele.option.array.full3") in option("ukulele", "array", "full3", "ja")
    assert option("ukulele", "array", "59,48", "en").endswith(": 59,48")


@pytest.mark.parametrize(
    ("locale", "zone", "words"),
    [
        ("en", "Asia/Tokyo", "Thu 3 Dec 21:00 JST, in 2 days 4 hours"),
        ("ja", "Asia/Tokyo", "12月3日(木) 21:00 JST、あと2日4時間"),
        ("en", "Europe/Berlin", "Thu 3 Dec 13:00 CET, in 2 days 4 hours"),
        ("en", "America/Sao_Paulo", "Thu 3 Dec 09:00 UTC-03, in 2 days 4 hours"),
    ],
)
def test_a_deadline_is_given_in_the_zone_of_the_reader_and_as_a_span(
    locale: str, zone: str, words: str
) -> None:
    assert when(NOW + timedelta(days=2, hours=4), NOW, locale, zone) == words


def test_a_deadline_over_a_change_of_clocks_keeps_its_elapsed_span() -> None:
    """Clocks go back in Berlin on 25 October 2026: two days by the clock are 49 hours."""
    before = datetime(2026, 10, 24, 10, 0, tzinfo=UTC)
    words = when(before + timedelta(hours=49), before, "en", "Europe/Berlin")
    assert words == "Mon 26 Oct 12:00 CET, in 2 days 1 hour"


def test_a_deadline_that_is_past_says_so() -> None:
    assert when(NOW - timedelta(minutes=61), NOW, "en", "UTC") == "Tue 1 Dec 06:59 UTC, 1 hour 1 minute ago"
    assert when(NOW - timedelta(hours=2), NOW, "ja", "UTC").endswith("2時間前")


@pytest.mark.parametrize(
    ("time", "english", "japanese"),
    [
        (timedelta(days=3), "3 days", "3日"),
        (timedelta(days=1, minutes=5), "1 day", "1日"),
        (timedelta(hours=36), "1 day 12 hours", "1日12時間"),
        (timedelta(hours=5, minutes=1), "5 hours 1 minute", "5時間1分"),
        (timedelta(minutes=59, seconds=59), "59 minutes", "59分"),
        (timedelta(seconds=59), "less than a minute", "1分未満"),
    ],
)
def test_a_span_is_its_largest_unit_and_the_next(time: timedelta, english: str, japanese: str) -> None:
    assert (span(time, "en"), span(time, "ja")) == (english, japanese)


def test_a_pace_is_a_length_of_time_in_words() -> None:
    assert (pace("3d", "en"), pace("2d12h", "ja")) == ("3 days", "2日12時間")
    assert pace("12h at 21:00", "en") == "12h at 21:00"


@pytest.mark.parametrize("words", ["59-15", "5九-1五", "a & b = 100%?", "line one\nline two", "+#;"])
def test_a_link_gives_back_the_words_the_address_and_the_subject(words: str) -> None:
    link = mailto(words, "play+K7QX.1.2.3.abc@corr.example.org", "[K7QX] ウクレレ：Aoi & Ben")
    assert link is not None
    parts = urlsplit(link)
    values = parse_qs(parts.query.replace("+", "%2B"), strict_parsing=True)
    assert values == {"subject": ["[K7QX] ウクレレ：Aoi & Ben"], "body": [words.replace("\n", "\r\n")]}
    assert (parts.scheme, unquote(parts.path)) == ("mailto", "play+K7QX.1.2.3.abc@corr.example.org")
    assert "%0A" not in link.replace("%0D%0A", "")


def test_a_link_that_would_be_too_long_is_none() -> None:
    assert mailto("あ" * 300, "play@example.org", "") is None
    longest = mailto("a" * 1_800, "play@example.org", "x")
    assert longest is not None
    assert len(longest) <= LONGEST


@pytest.mark.parametrize("text", ["a\r\nBcc: b", "a\u2028b", "a\x00b", "a\u202eb", " a \t b "])
def test_words_of_people_stand_on_one_line_without_controls(text: str) -> None:
    assert tidy(text).isprintable()
    assert len(tidy(text).splitlines()) == 1


def test_letters_of_ambiguous_width_count_two_in_japanese() -> None:
    assert (width("●○・９", "ja"), width("●○・９", "en")) == (8, 6)
    assert [cell(sign, 2, "ja") for sign in "●・９"] == ["●", "・", "９"]
    assert cell("b", 2, "en") == "b "


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_long_lines_are_broken_and_no_letter_is_lost(locale: str) -> None:
    text = "- " + "とても長い行です。「改行」されます、きっと。" * 9 + " word" * 40 + "x" * 200
    lines = wrapped(text, locale).splitlines()
    assert all(width(line, locale) <= COLUMNS for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one() -> None:
    for shift in range(40):
        text = "a" * shift + "駒が動きます。「そうです」と言う、（はい）。" * 8
        lines = wrapped(text, "ja").splitlines()
        assert not any(line[0] in "。、」）" for line in lines)
        assert not any(line[-1] in "「（" for line in lines)


def test_a_broken_item_of_a_list_hangs_behind_its_dash() -> None:
    first, second, *_ = wrapped("- " + "word " * 40, "en").splitlines()
    assert (first[:3], second[:3]) == ("- w", "  w")


def test_paragraphs_are_parted_by_one_empty_line() -> None:
    assert spaced("\na\n \n\n\nb\nc\n\n") == "a\n\nb\nc"


MADE = ("topic.", "word.", "question.", "line.", "intake.flaw.", "outcome.")
"""How keys begin that are put together where they are used."""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_phrase_of_corr_has_a_use(language: str) -> None:
    """Words that nobody says grow stale, and are translated for nothing."""
    folders = (Path(corr.__file__).parent, templates())
    files = (
        file for folder in folders for file in folder.rglob("*.*") if file.suffix in {".py", ".txt", ".html"}
    )
    used = "".join(file.read_text(encoding="utf-8") for file in files)
    source = (templates() / "locale" / language / "corr.po").read_text(encoding="utf-8")
    keys = re.findall(r'^msgid "(.+)"$', source, re.MULTILINE)
    assert len(keys) > 100
    assert [key for key in keys if f'"{key}"' not in used and not key.startswith(MADE)] == []
