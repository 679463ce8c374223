"""Orders as people write them, in English and Japanese, and how each is spelled."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.commands import word
from corr.core.fold import fold
from engines.api import Problem
from engines.naishi.cards import NAMES
from engines.naishi.orders import Act
from engines.naishi.words import CARDS_JA, LONGEST, parse, spell

ACTS = (
    *(Act("keep", card) for card in range(12)),
    *(Act(verb, place) for verb in ("develop", "decree") for place in range(10)),
    *(Act(verb, *pair) for verb in ("river", "discard") for pair in combinations(range(5), 2)),
    *(Act("swap", *pair) for pair in combinations(range(10), 2)),
    *(Act(verb) for verb in ("recall", "declare", "stop")),
)

DEVELOP = """
replace line 2 | I want to develop line 2 | develop line two | develop line 2 from river 2
川2のカードでライン2を発展 | 川2でライン2を発展 | 私はライン2を発展させていただきます | ライン2を発展願います
develop line 2 | Develop line 2. | dev l2 | DEVELOP LINE 2 | ｄｅｖｅｌｏｐ　ｌｉｎｅ　２
please develop my line 2
I'd like to develop line 2, please | line 2 develop | develop: line 2 | develop the card at line 2
発展 ライン 2 | 発展 ﾗｲﾝ 2 | ライン2を発展 | ライン２を発展させます。 | ライン二の発展
ライン2で発展をお願いします
ラインの2番を発展してください | らいん2をはってん | 2列目のラインを発展します
"""
RIVER = """
swap rivers one and five | trade river 1 and 5 | 使者を宮廷に送って川1と5を入れ替えます | 川1と5をスワップ
川1と5を取り替える | 川の1と5の位置を入れ替えます
swap river 1 5 | swap river 5 1 | swap river 1 and 5 | swap the river cards 1 and 5 | swap r1 r5
exchange river 1 with 5
swap river 1-5 | swap river 1⇄5 | swap river 1 <-> 5 | swap river 1, 5 | swap river column 1 and 5
入替 川 1 5 | 交換 川 1 5 | 入れ替え 川 5 1 | 川1と5を入れ替えます | 川の1番と5番を交換してください
川の列1と列5を入れ替える | 川1、5を交換
"""
COLUMN = """
swap column 3 | swap line 3 hand 3 | swap hand 3 line 3 | swap line and hand in column 3 | swap l3 h3
swap col 3 | swap line 3 with hand 3
swap line hand 3 | swap 3
入替 列 3 | 列3を入れ替え | 入替 ライン 3 手札 3 | ライン3と手札3を入れ替えます
3列目のラインと手札を入れ替える | 交換 列 三
"""
DISCARD = """
throw away river 1 and 3 | flush 1 3 | 第一列と第三列を流します
discard 1 3 | discard 3 1 | discard 1 and 3 | discard 1, 3 | discard river 1 3 | river discard 1 3
wash 1 3 | please discard columns 1 & 3
流す 1 3 | 1と3を流します | 川の1と3を流す | 川流し 1 3 | 川1、3を流して | 1・3を流してください
列1と列3を流します
"""
IMPOSE = """
impose an exchange at hand 4 | impose a swap on hand 4 | force hand 4 | 強制交換 手札4
手札4を強制交換します | 手札4の交換を強制 | 手札の4番を強制的に交換 | 手札4を相手と強制交換 | 後列4を強制
impose hand 4 | decree hand 4 | impose h4 | I impose hand 4. | hand 4: impose
強制 手札 4 | 手札4を強制します | 手札４で強制 | 四番の手札を強制してください
"""
RECALL = """
recall both emissaries | call back my emissaries | take back all emissaries | 使者を全員回収
使者を戻します | 使者を呼び戻す | 回収したいです
recall | Recall! | recall my emissaries | please recall all emissaries | 回収 | 回収します | 使者を回収
かいしゅう
"""
DECLARE = """
対局終了を宣言 | 終局を宣言いたします
declare | I declare the end of the game. | declare end | 宣言 | 宣言します | 終了を宣言します | 終了宣言
ゲームの終了を宣言
"""
STOP = """
finish turn | end of turn | no emissary | skip | 手番終わり | 使者なし
end turn | end my turn | done | pass | 手番終了 | 手番を終了します | 手番を終わります | 終了
ターンエンド | パス
"""
KEEP = """
take the fort | keep fort in hand | 砦を選択します | 砦を手元に残す | 砦を手札に残します | 砦を持ちます
keep fort | keep the fort, please | Fort | fo | I keep fort. | choose fort
砦を残す | 砦 | とりで | トリデを残します | 砦を選びます | 砦をキープ | 砦でお願いします
"""
BOTH = """
first discard 1 3, then develop line 2 | discard 1 3 followed by develop line 2
まず川1と3を流し、次にライン2を発展 | 先に1と3を流します。そのあとライン2を発展します。
1と3を流した後、ライン2を発展 | 1と3を流したあとライン2を発展
discard 1 3, develop line 2 | discard 1, 3, develop line 2 | discard 1 and 3 and develop line 2
discard 1 3; develop line 2
Discard 1 3. Then develop line 2. | discard 1 3 then develop line 2 | discard 1 3 develop line 2
流す 1 3、発展 ライン 2 | 1と3を流して、ライン2を発展します | 1と3を流してからライン2を発展
川1、3を流し、ライン2を発展 | 流す 1 3 発展 ライン 2
1 3 流す、develop line 2 | 流す 1 3、ライン2を発展
"""
AFTER = """
手札4を発展させたあと、川1と5を入れ替え | develop hand 4, after that swap river 1 5
develop hand 4 then swap river 1 5 | develop hand 4, swap river 1 5 | dev h4; swap r1 r5
発展 手札 4、交換 川 1 5 | 手札4を発展、次に川1と5を入れ替えます | 手札4を発展して川1と5を入れ替え
"""
CHATTER = """
develop hand 4, first swap river 1 5 | 手札4を発展、その前に川1と5を入替 | あとで川1と5を入れ替えます
川1と5を入替、手札4を発展したあとで | 以上です
hello | good luck! | see you on line 2 | 59-15 | 0 | 999 999 | vote 4 | 1 3 | please | the river is deep
I will develop it tomorrow
よろしくお願いします | 川が深いですね | 山がきれいです | 楽しみです | はい
"""


def lines(text: str) -> list[str]:
    return [line.strip() for row in text.strip().splitlines() for line in row.split(" | ")]


def read(words: str) -> list[str] | str:
    """Read a line as corr hands it over; a refusal gives its key."""
    orders = parse(fold(words))
    return orders.key if isinstance(orders, Problem) else [spell(order, "en") for order in orders]


CASES = [
    (words, order)
    for text, order in (
        (DEVELOP, "develop line 2"),
        (RIVER, "swap river 1 5"),
        (COLUMN, "swap column 3"),
        (DISCARD, "discard 1 3"),
        (IMPOSE, "impose hand 4"),
        (RECALL, "recall"),
        (DECLARE, "declare"),
        (STOP, "end turn"),
        (KEEP, "keep fort"),
        (BOTH, "discard 1 3, develop line 2"),
        (AFTER, "develop hand 4, swap river 1 5"),
    )
    for words in lines(text)
]


@pytest.mark.parametrize(("words", "order"), CASES)
def test_an_order_is_read_however_it_is_written(words: str, order: str) -> None:
    assert read(words) == [order]


@pytest.mark.parametrize("words", ["", *lines(CHATTER)])
def test_what_is_no_order_is_not_read_as_one(words: str) -> None:
    assert read(words) == "naishi.unread"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_action_is_read_back_as_it_is_spelled(lang: str) -> None:
    for act in ACTS:
        words = fold(spell((act,), lang))
        assert parse(words) == [(act,)]
        assert word(words) is None, "corr would take the line for a word of its own"


@given(st.lists(st.sampled_from(ACTS), min_size=2, max_size=3), st.sampled_from(["en", "ja"]))
def test_several_actions_of_a_line_are_read_back_in_their_order(acts: list[Act], lang: str) -> None:
    assert parse(fold(spell(tuple(acts), lang))) == [tuple(acts)]


@pytest.mark.parametrize(
    ("words", "orders"),
    [
        ("develop 3", ["develop line 3", "develop hand 3"]),
        ("3を発展", ["develop line 3", "develop hand 3"]),
        ("swap 1 3", ["swap river 1 3", "swap line 1 3", "swap hand 1 3"]),
        ("line 2", ["develop line 2", "impose line 2"]),
        ("川 1 5", ["swap river 1 5", "discard 1 5"]),
        ("discard 1 3, develop 2", ["discard 1 3, develop line 2", "discard 1 3, develop hand 2"]),
    ],
)
def test_a_line_that_leaves_something_open_is_read_in_each_way(words: str, orders: list[str]) -> None:
    assert read(words) == orders


@pytest.mark.parametrize(
    "words", ["develop line 6", "develop hand 0", "流す 1 7", "swap river 0 5", "強制 ライン 六"]
)
def test_a_column_that_is_not_there_is_named(words: str) -> None:
    assert read(words) == "naishi.wrong-column"


def test_the_refusal_of_a_column_says_which() -> None:
    assert parse("discard 1 17") == Problem("naishi.wrong-column", {"column": 17})
    assert parse("swap line 3 3") == Problem("naishi.same-column", {"column": 3})


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("develop", "how.develop"),
        ("develop line", "how.develop"),
        ("develop line 2 3", "how.develop"),
        ("develop river 2", "how.develop"),
        ("川3をライン2へ発展", "how.develop"),
        ("develop fort", "how.develop"),
        ("impose line hand 2", "how.decree"),
        ("swap line 3", "how.swap"),
        ("swap river 1 2 3", "how.swap"),
        ("swap line hand 1 2 3", "how.swap"),
        ("discard 2", "how.discard"),
        ("keep", "how.keep"),
        ("keep 2", "how.keep"),
        ("keep fort and rice", "how.keep"),
        ("keep fort in line", "how.keep"),
        ("砦を手札2に残す", "how.keep"),
        ("recall 2", "how.recall"),
        ("declare 1", "how.declare"),
        ("end turn 7", "wrong-column"),
        ("end turn 3", "how.stop"),
        ("discard 2 2", "same-column"),
        ("swap hand 1 1", "same-column"),
        ("swap river 1 line 1", "river-apart"),
        ("川1とライン2を入れ替える", "river-apart"),
        ("discard hand 1 2", "river-apart"),
        ("recall, declare, recall, declare", "too-many"),
    ],
)
def test_an_action_that_is_not_written_out_is_refused_with_how_to_write_it(words: str, key: str) -> None:
    assert read(words) == f"naishi.{key}"


@pytest.mark.parametrize("card", range(12))
def test_a_card_goes_by_its_name_in_both_languages_and_by_the_first_letters(card: int) -> None:
    codes = dict(zip(["mountain", "torii"], ["mt", "tr"], strict=True))
    for words in (NAMES[card], CARDS_JA[card], codes.get(NAMES[card], NAMES[card][:2])):
        assert read(words) == read(f"keep {NAMES[card]}") == [f"keep {NAMES[card]}"]


@pytest.mark.parametrize(
    ("words", "card"),
    [
        ("knight", "horseman"),
        ("騎馬", "horseman"),
        ("monks", "monk"),
        ("advisers", "advisor"),
        ("アドバイザ", "advisor"),
        ("rice paddy", "rice"),
        ("水田", "rice"),
        ("torii gate", "torii"),
    ],
)
def test_other_names_of_cards_are_read(words: str, card: str) -> None:
    assert read(words) == [f"keep {card}"]


@pytest.mark.parametrize(
    "endless", ["develop ", "1", "line 1 ", "を", "の", "です", "山", " ", "し", ",", "h1"]
)
def test_an_endless_line_is_refused(endless: str) -> None:
    """Letters come from anybody.  A short line is read once from left to right, a long one not at all."""
    for length in (20, LONGEST - 1, 5_000):
        assert isinstance(parse((endless * length)[:length] + "%"), Problem)
    assert parse(endless * (LONGEST + 1)) == Problem("naishi.unread")


@given(st.text(max_size=LONGEST), st.lists(st.sampled_from(f"{BOTH} {AFTER} {COLUMN}".split())))
def test_whatever_is_written_is_read_or_refused(text: str, words: list[str]) -> None:
    for line in (text, " ".join(words)):
        assert parse(fold(line)), line
