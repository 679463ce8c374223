"""A match of two games: victory points, the swap, the handicap, who wins."""

from __future__ import annotations

import pytest

from engines.api import Outcome, Phase, Seat
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Finished, Laws, Won
from engines.bakenushi.judging import End
from engines.bakenushi.match import conclusion, large_sides, points
from tests.engines.bakenushi.drawn import FOX, TANUKI, begun, believed, deal

LAWS = Laws(abilities=False, match=True, points="floor8", gaining=False, swap=True, own=False)


@pytest.mark.parametrize(
    ("vp", "reason", "power", "marked"),
    [
        ("floor8", "plus8", (9, 3), 8),
        ("floor8", "plus8", (9, -3), 12),
        ("floor8", "minus8", (1, -8), 9),
        ("floor8", "connection", (-2, 3), 8),
        ("floor8", "power", (5, 2), 3),
        ("floor8", "minus-zero", (4, 4), 0),
        ("difference", "plus8", (9, 3), 6),
        ("difference", "connection", (-2, 3), -5),
        ("winner_power", "plus8", (9, 3), 9),
        ("winner_power", "minus-zero", (4, 4), 4),
    ],
)
def test_18_victory_points(vp: str, reason: str, power: tuple[int, int], marked: int) -> None:
    state = begun({"match": "on", "vp": vp})._replace(power=power)
    assert points(state, End(0, reason)) == marked


def test_22_the_sides_are_swapped_for_the_second_game_and_all_is_dealt_anew() -> None:
    state = believed(begun({"match": "on"}), [Won(TANUKI, "power", 3)])
    phase = ENGINE.phase(state)
    assert phase == Phase("deal-2", frozenset(), frozenset(), "move")
    (dealt,) = ENGINE.close(state, deal(cards=range(35, 0, -1)))
    state = believed(state, [dealt])
    assert (state.table.game, state.table.fox, state.power, state.up) == (2, TANUKI, (0, 0), 0)
    assert state.hands[0] == (30, 31, 32, 33, 34, 35)
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    assert (phase.key, phase.waiting) == ("game-2-round-1-land-1", frozenset({TANUKI}))


def test_a_single_game_ends_with_its_game() -> None:
    assert conclusion((Won(FOX, "plus8", 8),), LAWS._replace(match=False)) == Finished(FOX, "plus8")
    assert conclusion((Won(FOX, "plus8", 8),), LAWS) is None


@pytest.mark.parametrize(
    ("first", "second", "winner", "reason"),
    [
        ((FOX, 3), (FOX, 1), FOX, "match-both"),
        ((FOX, 3), (TANUKI, 4), TANUKI, "match-points"),
        ((FOX, 9), (TANUKI, 8), FOX, "match-points"),
        ((FOX, 3), (TANUKI, 3), None, "match-even"),
        ((FOX, 8), (TANUKI, 8), FOX, "match-handicap"),
    ],
)
def test_two_wins_then_points_then_the_handicap_decide(
    first: tuple[Seat, int], second: tuple[Seat, int], winner: Seat | None, reason: str
) -> None:
    won = tuple(Won(seat, "power", vp) for seat, vp in (first, second))
    assert conclusion(won, LAWS) == Finished(winner, reason)


@pytest.mark.parametrize("abilities", [False, True])
def test_after_eight_points_only_the_loser_has_the_abilities(abilities: bool) -> None:
    """Without abilities the loser gets them, with abilities the winner gives them up."""
    laws = LAWS._replace(abilities=abilities)
    assert large_sides(laws, Won(FOX, "plus8", 8), fox=TANUKI) == (True, False)
    assert large_sides(laws, Won(TANUKI, "plus8", 8), fox=TANUKI) == (False, True)
    assert large_sides(laws, Won(FOX, "power", 7), fox=TANUKI) == (abilities, abilities)
    assert large_sides(laws, None, fox=FOX) == (abilities, abilities)


def test_a_match_that_nobody_wins_is_a_draw() -> None:
    state = believed(begun({"match": "on"}), [Won(FOX, "power", 3), Finished(None, "match-even")])
    assert ENGINE.phase(state) == Outcome(frozenset(), "match-even")
