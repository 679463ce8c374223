"""Orders as people write them, in English and Japanese, and why they are refused."""

from __future__ import annotations

import time
from itertools import product

import pytest

from corr.core.fold import fold
from engines.api import Phrase, Problem
from engines.bakenushi import ENGINE
from engines.bakenushi.orders import HIDE, PLAY
from tests.engines.bakenushi.drawn import FOX, TANUKI, begun, played, refused
from tests.engines.bakenushi.test_abilities import second_round

TURNS = """
I'd like to turn up b3 | let's flip b3 | turn b3 face up | uncover b3 | choose b3 | (b3) | 「b3」 | b.3
b3をオープン | b3を裏返す | b3をひっくり返します | b3を選びます | めくる b3 | めくる：b3 | 土地はb3で
b3の山をめくる | では b3 をめくらせていただきます | b3を公開
turn b3 | b3 | B3 | Ｂ３ | b-3 | flip b3 | Please turn up b3. | turn over b3, please | turn b3 up | open b3
reveal the land b3 | b3をめくる | ｂ３をめくります | b三をめくってください | 土地b3 | b3の土地を開く
b3を表にする | b3でお願いします。 | b3です
"""
PLAYS = """
I'll play 13 | I'd like to play number 13 | choose 13 | (13) | 出す 13 | 出す：13 | 手札の13を出す
13番を場に出します | 13を表向きで出す | 13を選びます | 13で勝負 | 私は13を出させていただきます
no.13 | card13
play 13 | 13 | １３ | card 13 | I play card 13. | play 13, please | play no. 13 | #13 | play 13 face up
13を出す | 13番を出します | 十三を出す | 13番のカードを出します。 | カード13
手札13を使います | 13でお願いします | 13を出してください
"""
HIDES = """
face down: 13 | 13 (face down) | put 13 face down | 13 upside down | 13を隠して出す | 伏せて出す 13
13を裏返しで出す | 13をふせて出す | 13を裏面で出す
play 13 face down | 13 face down | 13 face-down | 13 down | hide 13 | play card 13 hidden | face down 13
13を伏せて出す | 13を伏せる | 13を伏せて出します。 | 13番を裏向きで出します | 13裏 | 裏13
"""
CHOICES = """
I'd like red | select red | fight in red | change to red | pick red for it | 種目：赤 | 赤を選択します
赤に変更 | 赤に変えます | 赤で争います | 赤で勝負します | 赤のまま | レッド
choose red | red | RED | pick red | I choose red, please. | make it red | 赤を選ぶ | 赤
赤にします | 赤でお願いします | 赤の種目を選びます | 赤を選んでください
"""
CHATTER = """
a10 | 13を伏せずに出す | don't play 13 | 13 not face down | b3 face down | b3とc3 | flip 13 | 13 red
hello | good luck! | see you on 13 December | 2026-12-24 | 13 14 | a1 b2 | a1 13 | play | turn | 999
よろしくお願いします | 狸は強いですね | 赤と青 | めくる | 出す
"""


def lines(text: str) -> list[str]:
    return [line.strip() for row in text.strip().splitlines() for line in row.split(" | ")]


def read(words: str) -> list[str] | str:
    """Read a line as corr hands it over; a refusal gives its key."""
    orders = ENGINE.parse(begun(), FOX, fold(words))
    if isinstance(orders, Problem):
        return orders.key
    return [ENGINE.spell(begun(), FOX, order, "en") for order in orders]


CASES = [
    (words, order)
    for text, order in (
        (TURNS, "turn b3"),
        (PLAYS, "play 13"),
        (HIDES, "play 13 face down"),
        (CHOICES, "choose red"),
    )
    for words in lines(text)
]


@pytest.mark.parametrize(("words", "order"), CASES)
def test_an_order_is_read_however_it_is_written(words: str, order: str) -> None:
    assert read(words) == [order]


@pytest.mark.parametrize("words", ["", *lines(CHATTER)])
def test_what_is_no_order_is_not_read_as_one(words: str) -> None:
    assert read(words) == "bakenushi.unread"


@pytest.mark.parametrize("words", ["e1", "a5", "a0", "turn d9"])
def test_a_land_that_is_not_on_the_mountain_is_named(words: str) -> None:
    assert read(words) == "bakenushi.no-such-land"


@pytest.mark.parametrize("words", ["0", "36", "play 40", "三十六を出す"])
def test_a_card_that_is_not_in_the_box_is_named(words: str) -> None:
    assert read(words) == "bakenushi.no-such-card"


@pytest.mark.parametrize(
    ("number", "kanji"), [(1, "一"), (10, "十"), (11, "十一"), (20, "二十"), (35, "三十五"), (35, "三五")]
)
def test_card_numbers_are_read_in_kanji(number: int, kanji: str) -> None:
    assert read(f"{kanji}を出す") == [f"play {number}"]


@pytest.mark.parametrize("words", ["put down 10", "lay 10 down"])
def test_a_card_that_is_put_down_may_be_meant_hidden_where_cards_may_be_hidden(words: str) -> None:
    state = second_round({"abilities": "on"})
    assert ENGINE.parse(state, TANUKI, words) == [PLAY[10], HIDE[10]]
    assert ENGINE.parse(second_round({}), TANUKI, words) == [PLAY[10]]


@pytest.mark.parametrize(
    "endless",
    [
        "play ",
        "1",
        "a1 ",
        "を",
        "の",
        "です",
        "青",
        " ",
        "face",
        "十",
        "で ",
        "でお願いします",
        "表で",
        "よろしく",
    ],
)
@pytest.mark.parametrize("before", ["", "a1", "13", "赤"])
def test_an_endless_line_is_refused_without_delay(before: str, endless: str) -> None:
    """No line makes the reading slow: letters come from anybody."""
    start = time.perf_counter()
    for length, end in product((20, 57, 5_000), "!%"):
        ENGINE.parse(begun(), FOX, before + (endless * length)[: length - len(before)] + end)
    assert time.perf_counter() - start < 0.5


LANDS = ("a1", "b1", "c1")
REFUSED = [
    ((), "play 1", "now-land"),
    ((), "1 face down", "now-land"),
    ((), "red", "no-choice"),
    (("a1",), "a1", "already-up"),
    (("a4",), "a4", "already-up"),
    (LANDS, "d4", "now-card"),
    (LANDS, "a1", "now-card"),
    (LANDS, "red", "no-choice"),
    (LANDS, "play 7", "not-in-hand"),
    (LANDS, "play 35", "not-in-hand"),
    (LANDS, "play 1 face down", "no-hiding"),
    ((*LANDS, "1"), "play 1", "gone"),
    ((*LANDS, "1", "7"), "play 1", "gone"),
    ((*LANDS, "1", "7"), "play 7", "gone"),
]


@pytest.mark.parametrize(("before", "words", "key"), REFUSED)
def test_an_order_that_the_rules_forbid_is_refused_with_its_reason(
    before: tuple[str, ...], words: str, key: str
) -> None:
    state = played(begun(), *before)
    assert refused(state, words).key == f"bakenushi.{key}"


def test_while_the_great_fox_chooses_nothing_else_goes_and_a_choice_stands_once_made() -> None:
    state = played(begun({"abilities": "on"}), "a1")
    for words in ("b1", "play 1"):
        assert refused(state, words) == Problem("bakenushi.now-choose", {"land": "a1"})
    assert refused(played(state, "red"), "blue").key == "bakenushi.no-choice"


def test_a_refusal_names_what_is_there_and_the_own_hand() -> None:
    state = played(begun(), "a4")
    assert refused(state, "a4") == Problem(
        "bakenushi.already-up", {"at": "a4", "land": Phrase("bakenushi.neutral.tsuribashi")}
    )
    state = played(state, *LANDS)
    assert refused(state, "9") == Problem("bakenushi.not-in-hand", {"card": 9, "hand": "1, 2, 3, 4, 5, 6"})


def test_a_hidden_card_is_not_given_away_by_a_refusal() -> None:
    """The fox tries the tanuki's hidden card: it reads the same as of a card in the deck."""
    six = ("1", "7", "2", "8", "3", "9")
    state = played(begun({"abilities": "on"}), "d2", "blue", "a3", "b3", *six, "a1", "c2", "b1")
    state = played(state, "10 face down")
    assert [refused(state, words).key for words in ("10", "11", "35")] == ["bakenushi.not-in-hand"] * 3
    assert refused(played(state, "4"), "10").key == "bakenushi.gone"
