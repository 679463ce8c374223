"""What nobody could read is answered with the nearest words, and never acted on."""

from __future__ import annotations

import pytest

from corr.core.nearest import LONGEST, nearest

KNOWN = ("59-15", "57-13", "help", "rules", "resign", "投了", "引き分け", "ルール")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("resing", ("resign",)),
        ("resgin", ("resign",)),
        ("Rules?", ("rules",)),
        ("hlep", ("help",)),
        ("ヒキワケ", ()),
        ("ひき分け", ("引き分け",)),
        ("るーる", ("ルール",)),
        ("59-51", ("59-15",)),
    ],
)
def test_a_slip_of_the_pen_is_understood(words: str, meant: tuple[str, ...]) -> None:
    assert nearest(words, KNOWN) == meant


@pytest.mark.parametrize(
    "words", ["hello", "Thanks for the nice game!", "good luck", "はじめまして", "no", ""]
)
def test_chatter_is_no_slip(words: str) -> None:
    assert nearest(words, KNOWN) == ()


def test_at_most_three_are_offered_the_nearest_first() -> None:
    known = [f"11-{number}" for number in range(12, 20)]
    assert len(nearest("11-11", known)) == 3
    assert nearest("11-22", ["11-12", "11-23", "33-22"])[0] in {"11-12", "11-23"}


def test_words_that_are_nearly_right_are_offered_alone() -> None:
    assert nearest("develop hand 44", ["develop hand 4", "develop hand 3"]) == ("develop hand 4",)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("59-15, sorry for being so late, my phone was broken", ("59-15",)),
        ("次の手は59-15にします。", ("59-15",)),
        ("57-13 or 59-15?", ("57-13", "59-15")),
        ("my number is 0159-155, call me when you have moved", ()),
        ("I will not resign", ()),
    ],
)
def test_an_order_with_figures_in_a_sentence_is_offered(words: str, meant: tuple[str, ...]) -> None:
    assert nearest(words, KNOWN) == meant


def test_a_sentence_is_not_compared() -> None:
    assert nearest("resign" + " " * LONGEST, ["resign"]) == ()
