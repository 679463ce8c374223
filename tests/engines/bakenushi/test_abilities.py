"""The large sides: 大狐主 and 大狸主."""

from __future__ import annotations

import pytest

from engines.api import Seat, Watcher
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Uncovered
from engines.bakenushi.judging import End, bonuses, ending, judge
from engines.bakenushi.state import State
from tests.engines.bakenushi.drawn import FOX, TANUKI, begun, facts_of, mover, played, refused

ON = {"abilities": "on"}
SIX = ("1", "7", "2", "8", "3", "9")
ROUND_ONE = ("d2", "blue", "a3", "b3", *SIX)
"""The lands -1, -2 and -3, so that nobody wins yet."""


def second_round(options: dict[str, str] = ON) -> State:
    """Play the first round, and turn up three lands in the second."""
    first = ROUND_ONE if options == ON else tuple(word for word in ROUND_ONE if word != "blue")
    state = played(begun(options), *first, "a1", "c2", "b1")
    assert mover(state) == TANUKI
    return state


@pytest.mark.parametrize(
    ("words", "swap", "order"),
    [
        ("blue", "swap", (0, 1, 2)),
        ("green", "swap", (1, 0, 2)),
        ("red", "swap", (2, 1, 0)),
        ("blue", "front", (0, 1, 2)),
        ("green", "front", (1, 0, 2)),
        ("red", "front", (2, 0, 1)),
    ],
)
def test_the_great_fox_chooses_a_discipline_for_the_first_land(
    words: str, swap: str, order: tuple[int, int, int]
) -> None:
    """The marker swaps places with blue, or with the option moves to the front."""
    state = played(begun(ON | {"marker_swap": swap}), "a1")
    assert mover(state) == FOX
    assert [ENGINE.spell(state, FOX, one, "en") for one in ENGINE.orders(state, FOX)] == [
        "choose blue",
        "choose green",
        "choose red",
    ]
    state = played(state, words)
    assert (state.order, mover(state)) == (order, TANUKI)


def test_14_the_great_fox_chooses_after_the_land_is_seen_and_after_neutral_ones() -> None:
    state = played(begun(ON), "a4", "b4")
    assert not state.choice
    assert refused(state, "red").key == "bakenushi.no-choice"
    assert played(state, "a1").choice


def test_the_markers_go_back_at_the_end_of_the_round() -> None:
    state = played(begun(ON), "d2", "red", "a3", "b3", *SIX)
    assert (state.round, state.order) == (2, (0, 1, 2))


def test_in_round_two_nobody_chooses_a_discipline() -> None:
    assert not played(begun(ON), *ROUND_ONE, "a1").choice
    assert not played(begun(), "a1").choice


def test_for_the_great_fox_bridges_and_trails_are_grassland() -> None:
    """a4 is a bridge and b4 a trail: the column of a and the row of 4 touch all edges with them."""
    own = sum(1 << cell for cell in (0, 4, 8))
    for options, end in ((ON, End(0, "connection")), ({}, None)):
        state = begun(options)._replace(own=(own, 0), up=own | 0xF000)
        assert ending(state) == end
        assert ending(state._replace(own=(0, own))) is None


def test_the_great_tanuki_adds_one_where_the_land_is_a_plus_land() -> None:
    """0/+5 is a plus land; -0, 0/-5 and minus lands are not."""
    for cells, bonus in (((0, 4, 6), (1, 1, 0)), ((7, 10, 3), (0, 0, 1))):
        state = begun(ON)._replace(marked=cells)
        assert bonuses(state) == bonus
        assert bonuses(begun()._replace(marked=cells)) == (0, 0, 0)


def test_15_a_tie_after_the_one_goes_to_the_great_tanuki_also_as_second_player() -> None:
    """Green 4 and 3 against 4 and 2, and so on: with the 1 both are as strong."""
    fox, tanuki = (10, 9, 8), (5, 8, 13)  # green 4 + 3 + 2 against 4 + 2 + 2
    state = begun(ON)._replace(marked=(7, 0, 8), played=(fox, tanuki))
    judged = judge(state)
    assert judged.strengths[1] == (9, 9)
    assert judged.winners[1] == 1
    plain = judge(begun()._replace(marked=(7, 0, 8), played=(fox, tanuki)))
    assert (plain.strengths[1], plain.winners[1]) == ((9, 8), 0)


def test_15_elsewhere_a_tie_goes_to_the_first_player() -> None:
    state = begun(ON)._replace(marked=(7, 8, 9), played=((4, 5, 10), (4, 5, 10)))
    assert judge(state).winners == (0, 0, 0)


def test_the_great_tanuki_may_play_one_card_face_down_as_first_player() -> None:
    state = played(second_round(), "10 face down", "4")
    assert refused(state, "11 face down").key == "bakenushi.hidden-already"
    state = played(state, "11", "5", "12")
    uncovered = next(fact for fact in facts_of(state, "6") if isinstance(fact, Uncovered))
    assert uncovered == Uncovered(TANUKI, 10)


def test_13_it_need_not() -> None:
    state = second_round()
    words = [ENGINE.spell(state, TANUKI, order, "en") for order in ENGINE.orders(state, TANUKI)]
    assert {"play 10", "play 10 face down"} <= set(words)
    assert played(state, "10").down == 0


def test_nobody_else_may_hide_a_card_and_not_in_another_round() -> None:
    first = played(begun(ON), "a1", "blue", "b1", "c1")
    assert refused(first, "1 face down").key == "bakenushi.no-hiding"
    assert refused(played(first, "1"), "7 face down").key == "bakenushi.hide-first"
    assert refused(second_round({}), "10 face down").key == "bakenushi.no-hiding"


@pytest.mark.parametrize(("viewer", "sees"), [(TANUKI, 10), (FOX, None), (Watcher.PUBLIC, None)])
def test_only_its_owner_sees_a_card_that_lies_face_down(viewer: Seat | Watcher, sees: int | None) -> None:
    state = played(second_round(), "10 face down")
    (card,) = ENGINE.view(state, viewer).data["sides"][1]["played"]
    assert (card["number"], card["down"]) == (sees, True)
