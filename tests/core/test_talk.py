"""What of a letter is said, in which form, and who hears it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.commands import SETTINGS, Word
from corr.core.marks import Mark, sign
from corr.core.talk import OPENERS, REPLY, addressed, clean, heard, parts, without
from engines.api import Problem, Seat

ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)
NAMES = {"Ben": TWO, "Ben Smith": THREE, "田中さん": ONE}


def said(text: str, *, talk: bool = False) -> list[str | Word]:
    return list(parts(text.split("\n"), talk=talk))


@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        ("say Hello Ben", "say", "Hello Ben"),
        ("SAY: Hello", "say", "Hello"),
        ("/say Hello", "say", "Hello"),
        ("ｓａｙ　やあ", "say", "やあ"),
        ("発言 こんにちは", "say", "こんにちは"),
        ("発言：こんにちは", "say", "こんにちは"),
        ("／発言、こんにちは", "say", "こんにちは"),
        ("say to Ben psst", "say to", "Ben psst"),
        ("伝言　田中さん　ねえ", "say to", "田中さん　ねえ"),
        ("tell gm help me", "tell gm", "help me"),
        ("司会へ 困りました", "tell gm", "困りました"),
        ("report", "report", ""),
        ("通報 ひどいです", "report", "ひどいです"),
    ],
)
def test_talk_is_opened_in_both_languages(line: str, name: str, words: str) -> None:
    assert said(line) == [Word(name, words)]


@pytest.mark.parametrize("line", ["Say, what a game", "saying hello", "I say hello", "発言者", "reporting"])
def test_a_sentence_that_only_looks_like_talk_opens_none(line: str) -> None:
    assert said(line) == [line]


def test_talk_keeps_its_lines_and_capitals_and_runs_to_the_end() -> None:
    assert said("59-15\nsay Dear Ben,\n\n  How ARE you?\n59-37") == [
        "59-15",
        Word("say", "Dear Ben,\n\n  How ARE you?\n59-37"),
    ]


def test_a_slash_ends_talk_before_a_word_an_order_and_other_talk() -> None:
    text = "say one\ntwo\n/board\nsay three\n/59-15\nsay four\n/say to Ben five\n/\n59-37"
    assert said(text) == [
        Word("say", "one\ntwo"),
        "/board",
        Word("say", "three"),
        "59-15",
        Word("say", "four"),
        Word("say to", "Ben five"),
        "59-37",
    ]


def test_a_reply_to_talk_is_said_whole_but_for_lines_that_begin_with_a_slash() -> None:
    text = "Hello!\n59-15\n/board\nyes\n／say to Ben psst\nso\n/\nbye"
    assert said(text, talk=True) == [
        "/board",
        Word("say to", "Ben psst\nso"),
        Word(REPLY, "Hello!\n59-15\nyes\nbye"),
    ]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("say to Ben psst", Word("say to", "Ben psst")),
        ("tell gm he cheats", Word("tell gm", "he cheats")),
        ("report", Word("report", "")),
        ("mute Ben", "mute Ben"),
        ("消音 田中さん", "消音 田中さん"),
        ("stop", "stop"),
    ],
)
def test_what_is_meant_for_one_is_not_told_to_all_where_it_begins_a_reply(
    line: str, read: str | Word
) -> None:
    assert said(line, talk=True) == [read]


def test_several_of_them_may_begin_a_reply_to_talk_and_none_counts_behind_what_is_said() -> None:
    text = "mute Ben\n\nstop\nreport"
    assert said(text, talk=True) == ["mute Ben", "stop", Word("report", "")]
    assert said("Well, then I must\nreport\nmute Ben", talk=True) == [
        Word(REPLY, "Well, then I must\nreport\nmute Ben")
    ]


@pytest.mark.parametrize("line", ["say hello", "yes", "59-15", "resign", "help", "no draw"])
def test_other_words_in_a_reply_to_talk_are_said(line: str) -> None:
    assert said(line, talk=True) == [Word(REPLY, line)]


@given(st.lists(st.text(max_size=20).map(lambda line: " ".join(line.splitlines())), max_size=6))
def test_no_line_without_a_slash_is_lost_or_read_in_a_reply_to_talk(lines: list[str]) -> None:
    """The first line may be meant for one; it is not looked at here."""
    whole = ["-", *(line.replace("/", "").replace("／", "") for line in lines)]
    assert list(parts(whole, talk=True)) == [Word(REPLY, clean("\n".join(whole)))]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("a\u202eb\u2066c\u200fd", "abcd"),
        ("a\tb\xa0c\u3000d", "a b c\u3000d"),
        ("a\u2028b", "a\nb"),
        ("a\r\nb", "a\nb"),
        ("か\u3099", "が"),
        ("a\n\n \n\nb\n\n", "a\n\nb"),
    ],
)
def test_what_is_said_has_no_controls_and_turns_no_letters(written: str, kept: str) -> None:
    assert clean(written) == kept


@given(st.text())
def test_cleaning_what_is_clean_changes_nothing(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert not {unicodedata.category(char) for char in once if char != "\n"} & {"Cc", "Cf", "Cs", "Co"}


def test_a_mark_that_comes_with_a_quote_is_blotted_out() -> None:
    mark = sign(b"key", Mark("K7QX", 14, TWO, 5))
    assert clean(f"corr <play+{mark}@corr.test>:") == "corr <play+…@corr.test>:"


def test_addresses_of_the_writer_are_blotted_out_in_any_case() -> None:
    text = "From: Aoi <AOI@players.test>, not aoi@players.test.uk"
    assert without(text, ["aoi@players.test", "aoi@players.test.uk"]) == "From: Aoi <…>, not …"
    assert without(text, []) == text


@pytest.mark.parametrize(
    ("argument", "found"),
    [
        ("Ben hello", (TWO, "hello")),
        ("Ben Smith: hello\nand so on", (THREE, "hello\nand so on")),
        ("田中さん、こんにちは", (ONE, "こんにちは")),
        ("Ben\nhello", (TWO, "hello")),
        ("Ben", (TWO, "")),
        ("Carol hello", None),
        ("", None),
    ],
)
def test_the_longest_beginning_that_is_a_name_is_the_one_spoken_to(
    argument: str, found: tuple[Seat, str] | None
) -> None:
    assert addressed(argument, NAMES.get) == found


def test_everybody_else_hears_what_is_said_to_all_and_one_what_is_said_to_one() -> None:
    for press in ("open", "anonymous", "delayed"):
        assert heard(press, ONE, (ONE, TWO, THREE), None) == frozenset({TWO, THREE})
        assert heard(press, ONE, (ONE, TWO, THREE), THREE) == frozenset({THREE})


def test_where_all_is_public_or_nothing_is_said_the_rest_is_refused() -> None:
    assert heard("public", ONE, (ONE, TWO), None) == frozenset({TWO})
    assert heard("public", ONE, (ONE, TWO), TWO) == Problem("talk.public-only")
    assert heard("none", ONE, (ONE, TWO), None) == Problem("talk.none")
    assert heard("none", ONE, (ONE, TWO), TWO) == Problem("talk.none")


def test_nobody_talks_to_himself() -> None:
    assert heard("open", ONE, (ONE, TWO), ONE) == Problem("talk.to-yourself")


def test_what_opens_talk_begins_no_other_opener_that_stands_behind_it() -> None:
    spellings = [spelling for opener in OPENERS for spelling in SETTINGS[opener]]
    for at, spelling in enumerate(spellings):
        assert not any(later.startswith(f"{spelling} ") for later in spellings[at + 1 :])
