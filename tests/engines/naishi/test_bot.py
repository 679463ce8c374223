"""The bot gets a game done, and better than by lot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from corr.core.chance import SeededChance
from engines.api import Chance, Phase, Seat
from engines.naishi import ENGINE
from engines.naishi.facts import Fact
from engines.naishi.orders import Order
from engines.naishi.state import State
from tests.engines.naishi.drawn import (
    FIRST,
    believed,
    outcome,
    settled,
)

SEATS = frozenset({Seat(1), Seat(2)})


def worlds(state: State, seat: Seat) -> Iterator[State]:
    """Imagine a position again and again."""
    return (ENGINE.imagine(state, seat, SeededChance(b"world", str(number))) for number in count())


def suggested(state: State, seat: Seat, chance: Chance) -> Order:
    """Ask the bot."""
    return ENGINE.suggest(worlds(state, seat), seat, chance)


def by_lot(state: State, seat: Seat, chance: Chance) -> Order:
    """Draw a legal order."""
    return chance.pick("lot", tuple(ENGINE.orders(state, seat)))


def finished(seed: int, bots: frozenset[Seat]) -> State:
    """Play a game of bots, or of bots and lots."""
    state = believed(None, settled(ENGINE.setup(2, {}, SeededChance(bytes([seed]), "setup"))))
    steps = 0
    while isinstance(phase := ENGINE.phase(state), Phase):
        assert steps < 150, "the game does not end"
        chance, steps = SeededChance(bytes([seed]), f"{phase.key} {steps}"), steps + 1
        state = believed(state, acted(state, phase, bots, chance))
    return state


def acted(state: State, phase: Phase, bots: frozenset[Seat], chance: Chance) -> Sequence[Fact]:
    """Return what one player does, or how the draft closes."""
    if not phase.waiting:
        return ENGINE.close(state, chance)
    seat = min(phase.waiting)
    order = (suggested if seat in bots else by_lot)(state, seat, chance)
    return settled(ENGINE.decide(state, seat, order, chance))


@pytest.mark.parametrize("seed", range(5))
def test_two_bots_play_to_an_end(seed: int) -> None:
    assert outcome(finished(seed, SEATS)).reason in {"points", "colours", "draw"}


def test_a_bot_beats_the_lot_nearly_always() -> None:
    wins = sum(FIRST in outcome(finished(seed, frozenset({FIRST}))).winners for seed in range(20))
    assert wins >= 18
