"""Folding and addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.addresses import is_plausible, normal, same_address, split_plus
from corr.core.fold import bare, fold


@pytest.mark.parametrize("dash", "-‐‑‒–—―−﹘﹣－ー─━")
def test_every_dash_between_numbers_is_a_hyphen(dash: str) -> None:
    assert fold(f"５九{dash}１五") == "5九-1五"


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("５９－１５", "59-15"),
        ("59\u200b-\ufeff15\ufffc", "59-15"),
        ("\u3000say\xa0 “it’s”\t…", 'say "it\'s" ...'),
        ("Nf3 b4 B4", "Nf3 b4 B4"),
        ("ゲーム パス", "ゲーム パス"),
        ("〜～", "~~"),
    ],
)
def test_what_keyboards_write_in_many_ways_is_folded_to_one(line: str, folded: str) -> None:
    assert fold(line) == folded


@given(st.text())
def test_folding_twice_is_folding_once(line: str) -> None:
    assert fold(fold(line)) == fold(line)


FACES = (
    "(^^)| (^^)|（＾＾）|(^_^)/|m(__)m| m(_ _)m|m(_ _)m。|(*^_^*)|＼(^o^)／|(T_T)",
    "(^^;|(^^;)|(>_<)|(・∀・)|(´・ω・`)| ^^|^_^;| :)| ;-)|:D| :'(| w| www|（笑）",
)


@pytest.mark.parametrize("face", "|".join(FACES).split("|"))
def test_a_face_behind_an_order_is_no_part_of_it(face: str) -> None:
    assert bare(fold(f"59-26{face}")) == "59-26"


@pytest.mark.parametrize(
    "words", ["59-26 (?)", "59-26 (if I may)", "59-26 (or 59-86)", "59-26 (not)", "59-26 why", "59-26 x 3"]
)
def test_what_says_something_is_no_face(words: str) -> None:
    assert bare(words).startswith("59-26 ")


@pytest.mark.parametrize(
    ("a", "b"),
    [("Aoi@Example.ORG", "aoi@example.org"), ('"taro..x."@docomo.example.jp', "taro..x.@docomo.example.jp")],
)
def test_one_mailbox_in_two_spellings(a: str, b: str) -> None:
    assert same_address(a, b)
    assert normal(a) == normal(b)


def test_dots_and_tags_tell_mailboxes_apart() -> None:
    assert not same_address("a.b@example.org", "ab@example.org")
    assert not same_address("a+x@example.org", "a@example.org")


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("play+K7QX.14.3.5.h4nd@x.org", ("play@x.org", "K7QX.14.3.5.h4nd")),
        ("play@x.org", ("play@x.org", "")),
        ("play+a+b@x.org", ("play@x.org", "a+b")),
    ],
)
def test_a_tag_is_what_follows_the_first_plus(address: str, parts: tuple[str, str]) -> None:
    assert split_plus(address) == parts


@pytest.mark.parametrize(
    "address", ["a@example.org", "taro..x.@docomo.example.jp", '"taro."@x.jp', "a+b@mail.例え.jp"]
)
def test_addresses_that_somebody_has_are_plausible(address: str) -> None:
    assert is_plausible(address)


@pytest.mark.parametrize(
    "address",
    ["", "a", "@x.org", "a@", "a@localhost", "a b@x.org", "a@x..org", "a@-x.org", "a,b@x.org", "a@b@x.org"],
)
def test_slips_of_the_keyboard_are_not(address: str) -> None:
    assert not is_plausible(address)


@given(st.text())
def test_any_text_can_be_asked_about(text: str) -> None:
    base, tag = split_plus(text)
    assert (tag == "" and base == text) or "+" in text
    assert normal(normal(text)) == normal(text) or '"' in text
    assert is_plausible(text) in {True, False}


@pytest.mark.parametrize("line", ["- 59-26", "* 59-26", "1. 59-26", "12) 59-26", "> - 59-26.", "*59-26*"])
def test_marks_and_numbers_of_a_list_are_dropped(line: str) -> None:
    assert bare(line) == "59-26"


@pytest.mark.parametrize("line", ["59-26♪", "59-26 😊", "59-26👍🏻", "59-26!✨", "59-26~", "59-26 ♡。"])
def test_pictures_behind_an_order_are_dropped(line: str) -> None:
    assert bare(line) == "59-26"


@pytest.mark.parametrize("line", ["-3334FU", "1.e4", "59-26", "3.14"])
def test_what_may_be_part_of_an_order_is_kept(line: str) -> None:
    assert bare(line) == line
