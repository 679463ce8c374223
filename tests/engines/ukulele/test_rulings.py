"""The rulings where the published rules are silent, by their numbers."""

from __future__ import annotations

import pytest

from engines.api import Outcome, Phase, Problem
from engines.ukulele import ENGINE
from engines.ukulele.facts import Finished, Moved, Passed
from engines.ukulele.state import choice
from engines.ukulele.turn import Duty
from tests.engines.ukulele.drawn import (
    BLACK,
    NO_LUCK,
    WHITE,
    began,
    drawn,
    folded,
    judged,
    legal,
    moved,
    passed,
)

FORWARD_FORBIDDEN = """
. . . . . . . . b
. . . . . . . w .
. . . . . . b . .
. . . . . b . . .
. . . . b . . . .
. . . . . . . . .
. . w . b . . . .
. w . . . b . . .
w . . . . . . . .
"""
"""Black's only forward jump, 48-66, would fill the diagonal 99-11."""

ALL_FORBIDDEN = FORWARD_FORBIDDEN.replace("b", "w", 5).replace("w . . . .\n. w", "b . . . .\n. w")
"""Now only 48 and 57 are black, and 57-39 would go backward into the camp."""

MUTUALLY_STUCK = """
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

SHUFFLE = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . b . . w . .
. . . . b . . w .
. . . . . . . . .
. . . . . . . . .
w . . . . . . . b
"""
"""One man of each side hops to and fro; 19 never leaves its camp."""


def test_1_forbidden_moves_do_not_count_as_being_able_to_move_forward() -> None:
    assert choice(drawn(FORWARD_FORBIDDEN)).lifted


def test_1_with_the_option_geometric_they_do() -> None:
    state = drawn(FORWARD_FORBIDDEN, can_move="geometric")
    assert not choice(state).lifted
    assert legal(state) == []


def test_2_when_all_forward_moves_are_forbidden_backward_ones_are_allowed() -> None:
    assert legal(drawn(FORWARD_FORBIDDEN)) == ["11-66", "33-66", "44-66"]


def test_2_when_those_are_forbidden_too_the_turn_passes() -> None:
    state = passed(drawn(ALL_FORBIDDEN))
    assert state.lifted == (True, False)
    assert state.side == 1


def test_3_an_obliged_man_may_make_any_legal_move() -> None:
    """Without 39 in the camp, 57-39 is no way back into it."""
    board = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . w . . .
    . . . . b . . . .
    . . . . . b . . .
    . . . . . . . . .
    """
    state = drawn(board, lifted="b", array="17,19,28,37,48,57,59,68,77,79,88,97,99")
    assert choice(state).duty is Duty.CAMP
    assert "57-35" in legal(state)
    assert "57-39" in legal(state)


def test_4_the_restriction_is_judged_on_a_turn_that_ends_in_a_pass() -> None:
    assert ENGINE.close(drawn(MUTUALLY_STUCK), NO_LUCK) == [Passed(BLACK, lifts=True, forfeits=0)]


def test_5_a_restriction_that_has_fallen_never_comes_back() -> None:
    """19 stands in the camp and others can move forward, yet backward moves stay allowed."""
    state = drawn(SHUFFLE, lifted="bw")
    assert "55-77" not in legal(state)
    assert choice(state).lifted
    assert moved(state, "56-74").lifted == (True, True)


def test_6_two_passes_in_succession_are_a_draw() -> None:
    once = passed(drawn(MUTUALLY_STUCK))
    assert ENGINE.close(once, NO_LUCK) == [Passed(WHITE, True, 0), Finished(None, "both-passed")]
    assert ENGINE.phase(passed(once)) == Outcome(frozenset(), "both-passed")


ROUND = ("56-74", "26-44", "74-56", "44-26")


def test_7_a_position_that_comes_the_fourth_time_is_a_draw() -> None:
    """It stood at the start; the fourth time is after three rounds."""
    state = moved(drawn(SHUFFLE, lifted="bw"), *(ROUND * 3)[:-1])
    facts = judged(state, ROUND[-1])
    assert not isinstance(facts, Problem)
    assert facts[-1] == Finished(None, "fourfold")
    assert ENGINE.phase(folded(state, *facts)) == Outcome(frozenset(), "fourfold")


def test_7_the_draw_by_repetition_can_be_switched_off() -> None:
    state = moved(drawn(SHUFFLE, lifted="bw", repetition="off"), *ROUND * 4)
    assert isinstance(ENGINE.phase(state), Phase)


def test_7_positions_with_other_restrictions_are_not_the_same() -> None:
    """White's restriction falls in the first round, so the start does not count."""
    state = moved(drawn(SHUFFLE.replace("w . . . . . . . b", ". . . . . . . . b"), lifted="b"), *ROUND * 3)
    assert isinstance(ENGINE.phase(state), Phase)
    assert ENGINE.phase(moved(state, *ROUND)) == Outcome(frozenset(), "fourfold")


@pytest.mark.parametrize("cap", [1, 3])
def test_7_the_move_cap_ends_the_game(cap: int) -> None:
    state = moved(drawn(SHUFFLE, lifted="bw", move_cap=str(cap)), *ROUND[: cap - 1])
    assert isinstance(ENGINE.phase(state), Phase)
    assert ENGINE.phase(moved(state, ROUND[cap - 1])) == Outcome(frozenset(), "move-cap")


def test_8_a_man_that_is_stuck_in_its_camp_ends_nothing_by_itself() -> None:
    state = moved(drawn(SHUFFLE, lifted="bw"), *ROUND)
    assert state.men[0] >> 19 & 1
    assert isinstance(ENGINE.phase(state), Phase)


def test_9_a_handicap_turn_is_one_phase_of_several_moves() -> None:
    state = began(handicap="3")
    key = ENGINE.phase(state)
    for left in (3, 2, 1):
        assert state.left == left
        assert ENGINE.phase(state) == key
        state = moved(state, legal(state)[0])
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    assert phase.key == "turn-2"
    assert phase.open == {WHITE}


def test_9_each_move_of_a_handicap_turn_is_judged_like_a_turn() -> None:
    """The first move empties the camp, so before the second the restriction falls."""
    board = """
    . . . . . . . . .
    . . . . . . . . w
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . b . . . .
    . . . . . b . . .
    . . . . . . w . .
    . . . . . . . . .
    """
    state = drawn(board, turn=1, handicap="2", array="full3")
    assert legal(state) == ["47-65"]
    assert choice(state).duty is Duty.FORWARD
    assert choice(moved(state, "47-65")).duty is Duty.FREE


def test_9_a_win_counts_at_once_within_a_handicap_turn() -> None:
    board = """
    b . b . b . b . b
    . b . b . b . b .
    b . b . . . b . b
    . . . . . w . . .
    . . . . . . b . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    state = drawn(board, turn=1, handicap="4")
    assert ENGINE.phase(moved(state, "35-53")) == Outcome(frozenset({BLACK}), "camp")


def test_9_what_is_left_of_a_handicap_turn_is_lost_when_no_move_is_possible() -> None:
    board = """
    . . . . w . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . w w . . . . .
    . b . . . . . . .
    """
    state = moved(drawn(board, turn=1, handicap="3", array="full3"), "89-67")
    assert legal(state) == []
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    assert (phase.key, phase.open) == ("turn-1", frozenset())
    assert ENGINE.close(state, NO_LUCK) == [Passed(BLACK, True, forfeits=2)]
    assert (passed(state).side, passed(state).left) == (1, 1)


def test_10_a_forward_move_may_land_in_the_own_camp() -> None:
    board = """
    . . . . . . . . .
    . . . . . . . . w
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . b . . . . . . .
    b . . . . . . . .
    """
    assert legal(drawn(board)) == ["99-77"]


def test_11_within_a_main_diagonal_a_man_may_always_move() -> None:
    """11-66 leaves 11 empty, so the diagonal is not full after it."""
    assert judged(drawn(FORWARD_FORBIDDEN), "11-66") == [Moved(BLACK, 11, 66, lifts=True)]


def test_12_to_resign_is_no_order_of_the_game() -> None:
    """It is a word of corr's."""
    assert ENGINE.parse(began(), BLACK, "resign") == Problem("ukulele.unread")


def test_what_a_lapse_means_the_rules_do_not_say() -> None:
    assert ENGINE.close(began(), NO_LUCK) == ()
