"""A judgement as a small calculation that anybody can follow."""

from __future__ import annotations

from typing import Any

from engines.api import Seat
from engines.bakenushi.facts import Card
from engines.bakenushi.judging import is_plus
from engines.bakenushi.scoring import (
    BLUE,
    GREEN,
    ROWS,
    SAME_KIND,
    WORTH,
    boundaries,
    red_gains,
    same_kind,
)
from engines.bakenushi.state import FOX, TANUKI, Review, State, cards_of, first_side
from engines.bakenushi.story import signs, why
from engines.bakenushi.vocabulary import COLOURS
from engines.bakenushi.words import code

LINES = ("top", "middle", "bottom")


def reviewed(state: State) -> dict[str, Any]:
    """Describe the round that was judged last: its six cards and the three sums."""
    review = state.last
    assert review is not None, "there is something to review"
    hands = [cards_of(state, numbers) for numbers in review.played]
    return {
        "game": review.game,
        "round": review.round,
        "seats": [review.fox, Seat(3 - review.fox)],
        "first": review.fox if first_side(review.round) == FOX else Seat(3 - review.fox),
        "cards": [[card_data(card) for card in hand] for hand in hands],
        "sums": [discipline_sums(review, place, hands) for place in range(3)],
    }


def card_data(card: Card, *, down: bool = False) -> dict[str, Any]:
    """Describe a card; *down* if it lies face down."""
    red, green, blue = signs(card)
    return {"number": card.number, "red": red, "green": green, "blue": blue, "down": down}


def discipline_sums(review: Review, place: int, hands: list[tuple[Card, ...]]) -> dict[str, Any]:
    """Describe the duel for one land, from both sides."""
    discipline, land = review.order[place], review.lands[place]
    fox, tanuki = review.judged.strengths[discipline]
    bonus = int(review.great and is_plus(land))
    return {
        "discipline": COLOURS[discipline],
        "at": code(review.marked[place]),
        "label": land.label,
        "winner": review.fox if review.judged.winners[discipline] == FOX else Seat(3 - review.fox),
        "tie": why(review, fox == tanuki, is_plus(land)),
        "sides": [
            side_sum(discipline, hands[side], hands[1 - side], review.gaining)
            | {"bonus": bonus if side == TANUKI else 0, "total": review.judged.strengths[discipline][side]}
            for side in (FOX, TANUKI)
        ],
    }


def side_sum(
    discipline: int, own: tuple[Card, ...], other: tuple[Card, ...], gaining: bool
) -> dict[str, Any]:
    """Describe how strong a side is in one discipline, term by term."""
    data: dict[str, Any] = {"pairs": [], "numbers": [], "same": 0, "places": []}
    if discipline == BLUE:
        return data | {"pairs": blue_pairs(own)}
    if discipline == GREEN:
        return data | {"numbers": [card.green for card in own], "same": SAME_KIND if same_kind(own) else 0}
    return data | {"places": red_places(own, other, gaining)}


def red_places(own: tuple[Card, ...], other: tuple[Card, ...], gaining: bool) -> list[dict[str, Any]]:
    """Describe what each place gains."""
    return [
        {
            "own": signs(mine)[0],
            "other": signs(theirs)[0],
            "gain": gain,
            "times": times,
            "points": gain * times,
        }
        for mine, theirs, (gain, times) in zip(own, other, red_gains(own, other, gaining), strict=True)
    ]


def blue_pairs(own: tuple[Card, ...]) -> list[dict[str, Any]]:
    """Describe what neighbours have in common."""
    neighbours = zip(own, own[1:], boundaries(own), strict=False)
    return [
        {
            "left": left.number,
            "right": right.number,
            "marks": [
                {"line": LINES[mark // 2], "shape": "■●"[mark % 2], "points": ROWS[mark // 2]}
                for mark in range(6)
                if marks >> mark & 1
            ],
            "double": double,
            "points": WORTH[marks] * (2 if double else 1),
        }
        for left, right, (marks, double) in neighbours
    ]
