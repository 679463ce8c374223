"""Options: arrays, who has Black, written positions, and what is refused."""

from __future__ import annotations

import pytest

from corr.core.chance import Forced
from engines.api import Phase, Problem, Seat
from engines.ukulele import ENGINE
from engines.ukulele.board import squares
from engines.ukulele.options import ARRAYS
from engines.ukulele.state import choice
from tests.engines.ukulele.drawn import NO_LUCK, began, folded

EMPTY = "/".join(["." * 9] * 7)
FEW = f"....w..../{EMPTY}/....b...."


def refused(**options: str) -> str:
    problem = ENGINE.setup(2, {"first_player": "1"} | options, NO_LUCK)
    assert isinstance(problem, Problem), problem
    return problem.key


@pytest.mark.parametrize(
    ("array", "men"),
    [("checker2", 9), ("full2", 18), ("checker3", 14), ("full3", 27), ("checker4", 18), ("full4", 36)],
)
def test_the_named_arrays_have_their_men_and_a_first_move(array: str, men: int) -> None:
    state = began(array=array)
    assert [side.bit_count() for side in state.men] == [men, men]
    assert choice(state).moves


def test_there_are_no_other_names() -> None:
    assert set(ARRAYS) == {"checker2", "full2", "checker3", "full3", "checker4", "full4"}


def test_the_default_array_is_checker3() -> None:
    assert began().camps == began(array="checker3").camps
    assert began().laws.array == "checker3"


@pytest.mark.parametrize("array", ["59,48,39,68,79", "59 48 39 68 79", " 59, 48, 39, 68, 79 "])
def test_an_array_can_be_a_list_of_the_black_squares(array: str) -> None:
    """White stands as the board turned by 180 degrees."""
    black, white = began(array=array).camps
    assert list(squares(black)) == [39, 48, 59, 68, 79]
    assert list(squares(white)) == [31, 42, 51, 62, 71]


@pytest.mark.parametrize(
    ("array", "key"),
    [
        ("checker5", "ukulele.bad-array"),
        ("59,50", "ukulele.bad-array"),
        ("59,59,48", "ukulele.bad-array"),
        ("", "ukulele.bad-array"),
        ("59,48,55", "ukulele.array-overlaps"),
        ("59,51,48", "ukulele.array-overlaps"),
        ("59,39", "ukulele.array-one-rank"),
        ("59,48,58", "ukulele.array-one-rank"),
        ("59,17", "ukulele.array-stuck"),
    ],
)
def test_unplayable_arrays_are_refused(array: str, key: str) -> None:
    assert refused(array=array) == key


def test_who_has_black_is_drawn() -> None:
    for seat in (1, 2):
        facts = ENGINE.setup(2, {}, Forced({"first_player": [Seat(seat)]}))
        assert not isinstance(facts, Problem)
        assert folded(None, *facts).black == seat


@pytest.mark.parametrize("seat", [1, 2])
def test_who_has_black_can_be_named(seat: int) -> None:
    phase = ENGINE.phase(began(first_player=str(seat)))
    assert isinstance(phase, Phase)
    assert phase.waiting == {seat}


def test_with_a_handicap_the_weaker_player_must_be_named() -> None:
    assert refused(first_player="random", handicap="2") == "ukulele.handicap-needs-black"


@pytest.mark.parametrize(
    ("option", "value", "key"),
    [
        ("first_player", "3", "ukulele.bad-option"),
        ("handicap", "0", "ukulele.bad-option"),
        ("handicap", "10", "ukulele.bad-option"),
        ("can_move", "both", "ukulele.bad-option"),
        ("repetition", "threefold", "ukulele.bad-option"),
        ("move_cap", "0", "ukulele.bad-cap"),
        ("move_cap", "-5", "ukulele.bad-cap"),
        ("move_cap", "many", "ukulele.bad-cap"),
        ("position", "nonsense", "ukulele.bad-position"),
        ("position", f"{FEW} x -", "ukulele.bad-position"),
        ("position", f"{FEW} b wb", "ukulele.bad-position"),
        ("position", f"{FEW} b - 0", "ukulele.bad-position"),
        ("position", f"........./{EMPTY}/....b.... b -", "ukulele.bad-count"),
        ("position", f"wwwwwwwww/wwwwwwwww/{EMPTY[:-10]}/....b.... b -", "ukulele.bad-count"),
        ("position", f"....b..../{EMPTY}/w........ w -", "ukulele.position-won"),
    ],
)
def test_values_that_an_option_does_not_take_are_refused(option: str, value: str, key: str) -> None:
    assert refused(**{option: value}) == key


def test_no_cap_can_be_said() -> None:
    assert began(move_cap="none").laws.move_cap is None


def test_a_written_position_sets_men_mover_restrictions_and_turn() -> None:
    state = began(position=f"{FEW} w bw 31")
    assert [list(squares(men)) for men in state.men] == [[59], [51]]
    assert (state.side, state.lifted, state.turn) == (1, (True, True), 31)


def test_a_written_position_keeps_the_handicap_only_for_blacks_first_turn() -> None:
    assert began(position=f"{FEW} b - 1", handicap="3").left == 3
    assert began(position=f"{FEW} b - 3", handicap="3").left == 1
    assert began(position=f"{FEW} w - 2", handicap="3").left == 1
