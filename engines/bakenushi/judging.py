"""The end of a round: who is stronger in each discipline, what the lands bring, and who has won.

Source: the published rules of Bakenushi (tablexgames, 2026), "judgement" and "end of the game".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engines.bakenushi.facts import Judged, Land, Pair, Three
from engines.bakenushi.mountain import CELLS, touches_all
from engines.bakenushi.scoring import BLUE, GREEN, RED, blue_strength, green_strength, red_strength
from engines.bakenushi.state import (
    FOX,
    ROUNDS,
    TANUKI,
    State,
    cards_of,
    first_side,
    land_at,
    neutral_lands,
)

GOAL = 8
"""A power that wins, and, below zero, that loses."""


NOTHING: Three = (0, 0, 0)


class End(NamedTuple):
    """How a single game ended."""

    winner: int  # a side
    reason: str


def is_plus(land: Land) -> bool:
    """Tell whether a land is a plus land: 0/+5 is one, -0 is not."""
    return land.value > 0 or land.pair > 0


def bonuses(state: State) -> Three:
    """Return what the great tanuki adds in each discipline: 1 where its land is a plus land."""
    if not state.table.large[TANUKI]:
        return NOTHING
    bonus = dict(zip(state.order, [int(is_plus(land_at(state, cell))) for cell in state.marked], strict=True))
    return bonus[BLUE], bonus[GREEN], bonus[RED]


def strengths(state: State) -> tuple[Pair, Pair, Pair]:
    """Return the strength of both sides in blue, green and red, with what the great tanuki adds."""
    fox, tanuki = cards_of(state, state.played[FOX]), cards_of(state, state.played[TANUKI])
    gaining = state.table.laws.gaining
    blue, green, red = bonuses(state)
    return (
        (blue_strength(fox), blue_strength(tanuki) + blue),
        (green_strength(fox), green_strength(tanuki) + green),
        (red_strength(fox, tanuki, gaining), red_strength(tanuki, fox, gaining) + red),
    )


def judge(state: State) -> Judged:
    """Judge the three duels and book the lands.

    A tie goes to the first player, but on a plus land to the great tanuki.
    """
    totals, first = strengths(state), first_side(state.round)
    ties = [TANUKI if more else first for more in bonuses(state)]
    winners = (
        winner(totals[BLUE], ties[BLUE]),
        winner(totals[GREEN], ties[GREEN]),
        winner(totals[RED], ties[RED]),
    )
    return Judged(totals, winners, booked(state, winners))


def winner(strength: Pair, tie: int) -> int:
    """Return the side that takes the land; *tie* takes it when both are as strong."""
    fox, tanuki = strength
    return tie if fox == tanuki else FOX if fox > tanuki else TANUKI


def booked(state: State, winners: Three) -> Pair:
    """Return both powers once the three lands belong to the winners.

    The first of two lands 0/+5 or 0/-5 brings its owner nothing, and the second all.
    """
    own, power = list(state.own), list(state.power)
    for discipline, cell in zip(state.order, state.marked, strict=True):
        side, land = winners[discipline], land_at(state, cell)
        power[side] += land.value
        if land.pair and any(other.pair == land.pair for other in lands(state, own[side])):
            power[side] += land.pair
        own[side] |= 1 << cell
    return power[FOX], power[TANUKI]


def lands(state: State, own: int) -> Iterator[Land]:
    """Yield the lands of a set of cells."""
    return (land_at(state, cell) for cell in CELLS if own >> cell & 1)


def ending(state: State) -> End | None:
    """Say whether the game is over after a judgement, by the four tests in their order.

    Where both powers have passed the same limit and are equal, the game goes on (ruling 7): in
    round 4 the last test decides.
    """
    fox, tanuki = state.power
    last = state.round == ROUNDS
    for passed, reason in (
        ((fox >= GOAL, tanuki >= GOAL), "plus8"),
        ((tanuki <= -GOAL, fox <= -GOAL), "minus8"),
    ):
        if any(passed):
            if all(passed) and fox == tanuki:
                return fourth_round(state) if last else None
            return End(better(state.power) if all(passed) else passed.index(True), reason)
    neutral = neutral_lands(state)
    linked = tuple([touches_all(state.own[side], neutral, bridges(state, side)) for side in (FOX, TANUKI)])
    if linked[FOX] != linked[TANUKI]:
        return End(linked.index(True), "connection")
    return fourth_round(state) if last else None


def better(power_: Pair) -> int:
    """Return the side with the higher power."""
    return FOX if power_[FOX] > power_[TANUKI] else TANUKI


def bridges(state: State, side: int) -> bool:
    """Tell whether every neutral land is a 草原 for a side: for the great fox."""
    return side == FOX and state.table.large[FOX]


def fourth_round(state: State) -> End:
    """Decide by power; when it is equal, the owner of -0 loses.  Four rounds use every valued land."""
    if state.power[FOX] != state.power[TANUKI]:
        return End(better(state.power), "power")
    zero = any(land.label == "-0" for land in lands(state, state.own[FOX]))
    return End(TANUKI if zero else FOX, "minus-zero")
