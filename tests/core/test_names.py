"""Names are found as people type them."""

from __future__ import annotations

import pytest

from corr.core.names import Unclear, find_seat
from engines.api import Seat

NAMES = {Seat(1): "あおい", Seat(2): "Ben", Seat(3): "Benjamin", Seat(4): "ユウコさん", Seat(5): "Zoë 2"}


@pytest.mark.parametrize(
    ("words", "seat"),
    [
        ("あおい", 1),
        ("アオイ", 1),
        ("ｱｵｲさん", 1),
        ("ben", 2),
        ("ゆーうこ", 4),
        ("ＢＥＮ", 2),
        ("benj", 3),
        ("ゆうこ", 4),
        ("ユウコ様", 4),
        ("zoë2", 5),
        ("3", 3),
        ("３", 3),
    ],
)
def test_width_case_kana_and_courtesy_do_not_count(words: str, seat: int) -> None:
    assert find_seat(NAMES, words) == seat


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("be", Unclear.SEVERAL),
        ("carol", Unclear.NOBODY),
        ("", Unclear.NOBODY),
        ("9", Unclear.NOBODY),
        ("さん", Unclear.NOBODY),
    ],
)
def test_a_name_that_fits_nobody_or_several_finds_no_seat(words: str, why: Unclear) -> None:
    assert find_seat(NAMES, words) is why


def test_a_whole_name_wins_over_the_beginning_of_another() -> None:
    assert find_seat({Seat(1): "Ann", Seat(2): "Anna"}, "ann") == 1


@pytest.mark.parametrize("words", ["2", "２", "2さん"])
def test_a_name_that_is_the_number_of_another_seat_is_unclear(words: str) -> None:
    assert find_seat({Seat(1): "2", Seat(2): "Ben"}, words) is Unclear.SEVERAL


@pytest.mark.parametrize(("name", "seat"), [("1", 1), ("7", 1), ("３", 1)])
def test_a_name_that_is_a_number_is_found_where_no_other_seat_has_it(name: str, seat: int) -> None:
    assert find_seat({Seat(1): name, Seat(2): "Ben"}, name) == seat


def test_a_number_means_its_seat_before_the_beginning_of_a_name() -> None:
    assert find_seat({Seat(1): "2nd try", Seat(2): "Ben"}, "2") == 2
