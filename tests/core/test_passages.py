"""Questions about the rules are answered with the passages that speak of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.passages import LONGEST_QUESTION, MOST_PASSAGES, nearest_passages, passages
from corr.resources import templates

RULES = {
    lang: (templates() / lang / "rules" / "ukulele.txt").read_text(encoding="utf-8") for lang in ("en", "ja")
}


@pytest.mark.parametrize(
    ("lang", "question", "heading"),
    [
        ("en", "When do I have to pass?", "Passing"),
        ("en", "what about handicaps", "Handicap"),
        ("en", "May I jump backwards into my camp", "Forbidden moves"),
        ("en", "is a repetition a draw?", "The end"),
        ("ja", "パスはできますか", "パス"),
        ("ja", "ハンデはありますか？", "ハンデ戦"),
        ("ja", "引き分けになるのはいつですか", "終わり"),
        ("ja", "対角線が埋まるとどうなりますか", "禁手"),
    ],
)
def test_the_passages_that_answer_a_question_are_found(lang: str, question: str, heading: str) -> None:
    assert heading in {passage.heading for passage in nearest_passages(RULES[lang], question)}


@pytest.mark.parametrize("question", ["", "?", "how is the weather", "お天気は", "of an is"])
def test_a_question_of_which_the_text_says_nothing_finds_nothing(question: str) -> None:
    assert nearest_passages(RULES["en"], question) == ()


def test_a_passage_is_one_line_under_its_heading_and_no_drawing() -> None:
    found = list(passages("Top\n---\nOne\nline.\n\n    9 8 7\n\n- an item\n  goes on\n- another\n"))
    assert [tuple(passage) for passage in found] == [
        ("Top", "One line."),
        ("Top", "an item goes on"),
        ("Top", "another"),
    ]


def test_japanese_lines_are_joined_without_a_gap() -> None:
    (passage,) = passages("- 駒は跳ぶことで\n  動きます(オプション repetition\nと\nmove_cap)。")
    assert passage.text == "駒は跳ぶことで動きます(オプション repetitionとmove_cap)。"


@given(st.text(max_size=3 * LONGEST_QUESTION))
def test_no_question_raises_or_finds_more_than_a_few(question: str) -> None:
    assert len(nearest_passages(RULES["ja"], question)) <= MOST_PASSAGES
