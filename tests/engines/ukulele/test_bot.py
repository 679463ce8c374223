"""The bot gets a game done."""

from __future__ import annotations

import itertools

import pytest

from corr.core.chance import SeededChance
from engines.api import Outcome, Phase, Problem, Seat
from engines.ukulele import ENGINE
from engines.ukulele.state import State
from tests.engines.ukulele.drawn import began, folded, legal


def played(seed: int, most: int) -> State:
    """Let two bots play, for at most so many moves and passes."""
    state = began()
    while isinstance(phase := ENGINE.phase(state), Phase) and state.ply < most:
        chance = SeededChance(bytes([seed]), phase.key)
        if not phase.open:
            state = folded(state, *ENGINE.close(state, chance))
            continue
        (seat,) = phase.open
        order = ENGINE.suggest(itertools.repeat(state), seat, chance)
        facts = ENGINE.decide(state, seat, order, chance)
        assert not isinstance(facts, Problem)
        state = folded(state, *facts)
    return state


@pytest.mark.parametrize("seed", range(5))
def test_two_bots_play_to_a_win(seed: int) -> None:
    outcome = ENGINE.phase(played(seed, most=200))
    assert isinstance(outcome, Outcome)
    assert outcome.reason == "camp"
    assert len(outcome.winners) == 1


def test_luck_decides_between_equal_moves() -> None:
    """So two games of bots are not the same."""
    state, seat = began(), Seat(1)
    lucks = [SeededChance(bytes([seed]), "turn-1") for seed in range(20)]
    chosen = {ENGINE.suggest(itertools.repeat(state), seat, luck) for luck in lucks}
    assert len(chosen) > 1
    assert {ENGINE.spell(state, seat, order, "en") for order in chosen} <= set(legal(state))
