"""Marks: found in what mail programs send back, and believed only with the holder's key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.marks import HASH_LETTERS, Mark, Signed, find, genuine, sign
from engines.api import Seat

KEY = bytes(range(32))
CODES = st.text("ABCDEFGHJKMNPQRSTUVWXYZ23456789", min_size=4, max_size=8)
MARKS = st.builds(
    Mark, CODES, st.integers(0, 999_999), st.integers(1, 999).map(Seat), st.integers(1, 999_999)
)
KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, MARKS)
def test_a_mark_is_found_again_in_an_address_and_in_an_id(key: bytes, mark: Mark) -> None:
    signed = sign(key, mark)
    for text in (f"play+{signed}@corr.test", f"<{signed}@corr.test>", f"x=play+{signed}@corr.test.y"):
        assert list(find([text])) == [signed]
    assert genuine(key, signed)


@given(KEYS, MARKS)
def test_case_does_not_count(key: bytes, mark: Mark) -> None:
    signed = sign(key, mark)
    assert (
        list(find([f"PLAY+{signed}@CORR.TEST".upper(), f"play+{signed}@corr.test".lower()])) == [signed] * 2
    )


@given(KEYS, KEYS, MARKS)
def test_no_other_key_makes_a_mark_genuine(key: bytes, other: bytes, mark: Mark) -> None:
    assert genuine(other, sign(key, mark)) == (key == other)


@given(MARKS, MARKS)
def test_a_hash_is_good_for_its_own_mark_alone(mark: Mark, other: Mark) -> None:
    assert genuine(KEY, Signed(other, sign(KEY, mark).hash)) == (mark == other)


@given(MARKS)
def test_a_tag_fits_into_a_local_part(mark: Mark) -> None:
    """RFC 5321, 4.5.3.1.1: at most 64 octets, with the name of the mailbox."""
    assert len(f"play+{sign(KEY, mark)}") <= 64
    assert len(sign(KEY, mark).hash) == HASH_LETTERS


@given(st.text())
def test_any_text_is_searched_and_nothing_raises(text: str) -> None:
    assert all(isinstance(signed.mark.position, int) for signed in find([text]))


@pytest.mark.parametrize("letter", ["\u017f", "\u212a", "\u0131", "\u0130"])
def test_letters_that_only_fold_to_latin_ones_make_no_mark(letter: str) -> None:
    """A comparison in constant time takes ASCII alone, and would raise."""
    tag = str(sign(KEY, Mark("K7QX", 14, Seat(3), 5)))
    assert list(find([tag[:-1] + letter])) == []
    assert list(find([letter + tag[1:]])) == []


def test_marks_come_in_the_order_in_which_they_stand() -> None:
    first, second = (sign(KEY, Mark("K7QX", n, Seat(1), n)) for n in (1, 2))
    assert list(find([f"{second} {first}", str(first)])) == [second, first, first]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "K7QX",
        "K7QX.14.3.5",
        "K7QX.14.3.5.short",
        "xK7QX.1.1.1" + ".a" * 20,
        "note.12.abcdefghij0123456789",
    ],
)
def test_what_looks_a_little_like_a_mark_is_none(text: str) -> None:
    assert list(find([text])) == []
