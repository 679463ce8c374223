"""A round: three lands, six cards, a judgement; each rule in a sentence."""

from __future__ import annotations

from engines.api import Outcome, Phase, Seat
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Drawn, Judged, Played, Turned
from engines.bakenushi.state import ROUNDS, State
from tests.engines.bakenushi.drawn import FOX, TANUKI, begun, facts_of, mover, played

LANDS = ("a1", "b1", "c1")
SIX = ("1", "7", "2", "8", "3", "9")


def key(state: State) -> str:
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    return phase.key


def test_the_fox_and_then_the_tanuki_take_six_cards_from_the_top() -> None:
    state = begun()
    assert state.hands == ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12))
    assert state.deck == tuple(range(13, 36))
    assert (state.power, state.up, state.round) == ((0, 0), 0, 1)


def test_lands_are_turned_up_first_second_first_for_blue_green_red() -> None:
    state, movers, markers = begun(), list[Seat](), list[int | None]()
    for at in LANDS:
        movers.append(mover(state))
        (fact,) = facts_of(state, at)
        assert isinstance(fact, Turned)
        markers.append(fact.marker)
        state = played(state, at)
    assert movers == [FOX, TANUKI, FOX]
    assert markers == [0, 1, 2]


def test_after_a_neutral_land_the_same_player_turns_up_another_as_often_as_needed() -> None:
    """The phase stays the same: it is one stretch of play."""
    state = begun()
    for at in ("a4", "b4", "c4", "d4"):
        before = key(state)
        state = played(state, at)
        assert (mover(state), key(state), state.marked) == (FOX, before, ())
    assert mover(played(state, "a1")) == TANUKI


def test_cards_are_played_in_turn_three_each_the_first_player_first() -> None:
    state, movers = played(begun(), *LANDS), list[Seat]()
    for card in SIX[:5]:
        movers.append(mover(state))
        state = played(state, card)
    assert movers == [FOX, TANUKI, FOX, TANUKI, FOX]
    assert state.played == ((1, 2, 3), (7, 8))


def test_after_the_sixth_card_the_lands_are_booked_and_both_draw_three() -> None:
    """The first player's new cards come off the deck first (ruling 19), and the other side goes first."""
    state = played(begun(), *LANDS, *SIX[:5])
    last, judged, drawn = facts_of(state, SIX[5])
    assert isinstance(last, Played)
    assert isinstance(judged, Judged)
    assert drawn == Drawn(((13, 14, 15), (16, 17, 18)))
    after = played(state, SIX[5])
    assert after.hands == ((4, 5, 6, 13, 14, 15), (10, 11, 12, 16, 17, 18))
    assert (after.round, mover(after), after.gone) == (2, TANUKI, (1, 2, 3, 7, 8, 9))
    assert sum(after.power) == 1 + 2 + 3


def test_in_round_two_the_tanuki_draws_first() -> None:
    state = played(begun(), *LANDS, *SIX, "d2", "a3", "b3", "10", "4", "11", "5", "12")
    *_, drawn = facts_of(state, "6")
    assert drawn == Drawn(((22, 23, 24), (19, 20, 21)))


def test_the_same_key_never_comes_twice_and_four_rounds_end_the_game() -> None:
    state, keys = begun(), list[str]()
    while not isinstance(phase := ENGINE.phase(state), Outcome):
        keys.append(phase.key)
        orders = list(ENGINE.orders(state, mover(state)))
        state = played(state, ENGINE.spell(state, FOX, orders[0], "en"))
    assert len({*keys}) == len([k for n, k in enumerate(keys) if k != keys[n - 1]])
    assert state.round <= ROUNDS
