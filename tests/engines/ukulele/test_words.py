"""Moves as people write them, in English and Japanese."""

from __future__ import annotations

import time

import pytest

from corr.core.fold import fold
from engines.api import Problem
from engines.ukulele import ENGINE
from engines.ukulele.board import Jump
from engines.ukulele.words import square_phrase
from tests.engines.ukulele.drawn import BLACK, began, drawn


def read(words: str) -> list[str] | str:
    """Read a line as corr hands it over; a refusal gives its key."""
    state = began()
    orders = ENGINE.parse(state, BLACK, fold(words))
    if isinstance(orders, Problem):
        return orders.key
    return [ENGINE.spell(state, BLACK, order, "en") for order in orders]


MOVES = """
59-15 | 59 15 | 5915 | 59->15 | 59=>15 | 59 → 15 | 59,15 | 59 , 15 | 59~15 | 59 - 15
59–15 | 59—15 | 59‐15 | 59−15 | ５９－１５ | 59ー15
59 to 15 | From 59 to 15. | move 59 to 15 | I move 59 to 15, please! | please play 59-15
the man on 59 to 15 | MOVE 59 TO 15
5九-1五 | 5九1五 | ５九ー１五 | 5九→1五 | ☗5九→1五 | ▲5九-1五 | 5九、1五 | 5九一1五 | 黒5九―1五 | 5 九 ー 1 五
五九から一五 | 五九一五 | 59を15へ | 5九の駒を1五へ | 5九より1五へ | 先手 5九-1五
5九の駒を1五へ動かします | 5九の駒を1五に動かします。 | 5九の駒を1五へ動かしてください
5九から1五へ移動します | 5九を1五に進めます | 5九から1五まで跳びます | 私は5九から1五へ飛びます
5九-1五です | 5九-1五でお願いします。 | 5九-1五 よろしくお願いします
"""

CHATTER = """
hello | see you on 25 December | 5 | 10-4 | 59-10 | 59-15-37 | 59/15 | pass | 2026-12-24 | 0312345678
thanks for 59-15 | 59-15 was a good move | call me at 59 15 37
よろしくお願いします | 5九-1五は良い手でしたね | 十九-一五 | パス
"""


def lines(text: str) -> list[str]:
    return [line.strip() for row in text.strip().splitlines() for line in row.split("|")]


@pytest.mark.parametrize("words", lines(MOVES))
def test_a_move_is_read_however_it_is_written(words: str) -> None:
    assert read(words) == ["59-15"]


@pytest.mark.parametrize("words", ["", *lines(CHATTER)])
def test_what_is_no_move_is_not_read_as_one(words: str) -> None:
    assert read(words) == "ukulele.unread"


@pytest.mark.parametrize(
    "words", ["59", "5九", "５九", "☗5九", "5九の駒", "5九から", "from 59", "the man on 59.", "5九です"]
)
def test_one_square_alone_means_every_legal_move_from_there(words: str) -> None:
    assert read(words) == ["59-26", "59-86"]


def test_one_square_with_one_move_is_that_move() -> None:
    assert read("79") == ["79-46"]


@pytest.mark.parametrize(
    ("words", "key", "square"),
    [("55", "ukulele.empty", 55), ("5一", "ukulele.not-yours", 51), ("59", "ukulele.stuck", 59)],
)
def test_one_square_without_a_move_says_why(words: str, key: str, square: int) -> None:
    blocked = drawn(BLOCKED)
    assert ENGINE.parse(blocked, BLACK, words) == Problem(key, {"from": square_phrase(square)})


BLOCKED = """
. . . . w . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . b . . . .
"""


def test_moves_are_written_with_kanji_ranks_in_japanese() -> None:
    assert ENGINE.spell(began(), BLACK, Jump(59, 15), "ja") == "5九-1五"
    assert ENGINE.spell(began(), BLACK, Jump(59, 15), "en") == "59-15"


@pytest.mark.parametrize("endless", ["一", "-", "59", "5九 ", "move ", "する", "を", "59-15する", "の", " "])
def test_an_endless_line_is_refused_without_delay(endless: str) -> None:
    """No line makes the reading slow: letters come from anybody."""
    start = time.perf_counter()
    ENGINE.parse(began(), BLACK, endless * 5_000)
    assert time.perf_counter() - start < 0.5
