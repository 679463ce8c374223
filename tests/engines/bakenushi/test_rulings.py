"""Each ruling by its number, and the four tests of the end in their order."""

from __future__ import annotations

import pytest

from engines.bakenushi.components import Components, components
from engines.bakenushi.facts import Card, Judged
from engines.bakenushi.judging import End, booked, ending, judge
from engines.bakenushi.scoring import blue_strength, green_strength, red_strength
from engines.bakenushi.state import State
from tests.engines.bakenushi.drawn import begun, facts_of, played

F, T = 0, 1
WEST_EAST, NORTH_SOUTH = 0x00F0, 0x2222
"""The second row, and the second column."""


def card(red: int = 0, figure: bool = False, green: int = 0, kind: str = "", blue: int = 0) -> Card:
    return Card(0, red, figure, green, kind, blue)


def stood(power: tuple[int, int], *, round_: int = 1, own: tuple[int, int] = (0, 0), up: int = 0) -> State:
    return begun()._replace(power=power, round=round_, own=own, up=up | own[0] | own[1])


def box() -> Components:
    found = components({})
    assert isinstance(found, Components)
    return found


def three(*numbers: int) -> tuple[Card, ...]:
    return tuple(box().cards[number - 1] for number in numbers)


def test_1_the_figures_that_cannot_be_are_read_as_exchanged() -> None:
    cards = box().cards
    assert [sum(c.green_figure == kind for c in cards) for kind in "AB"] == [12, 12]
    assert sum(bool(c.blue & 64) for c in cards) == 15


@pytest.mark.parametrize(("mark", "points"), [(0, 3), (1, 3), (2, 2), (3, 2), (4, 1), (5, 1)])
def test_2_a_common_mark_scores_three_in_the_top_row_two_in_the_middle_one_in_the_bottom(
    mark: int, points: int
) -> None:
    assert blue_strength((card(blue=1 << mark), card(blue=1 << mark), card())) == points


def test_3_a_red_figure_counts_for_later_cards_also_where_its_card_gains_nothing() -> None:
    first, second = three(13, 31, 34), three(26, 21, 28)
    assert red_strength(first, second, gaining=False) == 2 * 2 + 1 * 3
    assert red_strength(second, first, gaining=False) == 3


def test_3_with_gaining_only_figures_on_cards_that_gain_count() -> None:
    assert red_strength(three(13, 31, 34), three(26, 21, 28), gaining=True) == 2 * 1 + 1 * 2
    options = {"red_figures": "gaining"}
    state = played(begun(options, cards=(13, 31, 34, 1, 2, 3, 26, 21, 28)), "a1", "b1", "c1")
    *_, judged, _ = facts_of(played(state, "13", "26", "31", "21", "34"), "28")
    assert isinstance(judged, Judged)
    assert judged.strengths[2] == (4, 3)


def test_4_a_card_without_a_red_figure_gains_once_also_after_figures() -> None:
    own = (card(5, figure=True), card(5, figure=True), card(5))
    assert red_strength(own, (card(), card(), card(1)), gaining=False) == 5 * 1 + 5 * 2 + 4


def test_5_a_doubled_boundary_without_a_common_mark_is_worth_nothing() -> None:
    assert blue_strength(three(10, 15)) == 0


def test_6_a_doubling_is_for_its_own_boundary_only() -> None:
    assert blue_strength((card(blue=0b1000001), card(blue=0b1000001), card(blue=0b0000001))) == 6 + 3


def test_three_green_figures_of_one_kind_bring_three() -> None:
    assert green_strength((card(green=1, kind="A"),) * 3) == 6
    assert green_strength((card(green=1, kind="A"),) * 2 + (card(green=1, kind="B"),)) == 3
    assert green_strength((card(green=4),) * 3) == 12


@pytest.mark.parametrize(
    ("power", "end"),
    [
        ((8, 0), End(F, "plus8")),
        ((0, 8), End(T, "plus8")),
        ((0, -8), End(F, "minus8")),
        ((-8, 0), End(T, "minus8")),
        ((7, -7), None),
        ((9, -9), End(F, "plus8")),
    ],
)
def test_eight_wins_and_eight_below_zero_loses(power: tuple[int, int], end: End | None) -> None:
    assert ending(stood(power)) == end


@pytest.mark.parametrize(
    ("power", "end"),
    [
        ((9, 8), End(F, "plus8")),
        ((8, 10), End(T, "plus8")),
        ((8, 8), None),
        ((-8, -9), End(F, "minus8")),
        ((-10, -8), End(T, "minus8")),
        ((-8, -8), None),
    ],
)
def test_7_when_both_pass_a_limit_the_better_power_wins_and_equal_power_plays_on(
    power: tuple[int, int], end: End | None
) -> None:
    assert ending(stood(power)) == end


def test_7_equal_powers_beyond_a_limit_in_round_four_go_to_the_last_test() -> None:
    assert ending(stood((8, 8), round_=4, own=(1 << 6, 0))) == End(T, "minus-zero")


def test_8_plus_eight_comes_before_a_connection() -> None:
    assert ending(stood((0, 8), own=(WEST_EAST | NORTH_SOUTH, 0))) == End(T, "plus8")


def test_whoever_connects_all_four_edges_wins() -> None:
    assert ending(stood((0, 5), own=(WEST_EAST | NORTH_SOUTH, 0))) == End(F, "connection")
    assert ending(stood((0, 5), own=(WEST_EAST, 0))) is None


def both_connected(round_: int, power: tuple[int, int] = (1, 2)) -> State:
    """Both use the same two grasslands in the middle of the mountain."""
    lands = (1, 2, 3, 4, 5, 15, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    fox, tanuki = (sum(1 << cell for cell in cells) for cells in ((1, 4, 7, 10, 14), (2, 3, 8, 9, 13)))
    state = begun(lands=lands)
    up = fox | tanuki | 1 << 5 | 1 << 6
    return state._replace(round=round_, own=(fox, tanuki), up=up, power=power)


def test_9_when_both_are_connected_the_test_is_void() -> None:
    state = both_connected(2)
    assert ending(state._replace(own=(state.own[0], 0))) == End(F, "connection")
    assert ending(state._replace(own=(0, state.own[1]))) == End(T, "connection")
    assert ending(state) is None


def test_9_when_both_are_connected_in_round_four_power_decides() -> None:
    assert ending(both_connected(4)) == End(T, "power")
    assert ending(both_connected(4, (3, 2))) == End(F, "power")


def test_10_a_neutral_land_is_closed_until_it_is_turned_up() -> None:
    state = both_connected(2)
    own = (state.own[0], 0)
    assert ending(state._replace(own=own, up=state.up & ~(1 << 5))) is None


def test_11_two_lands_of_a_pair_with_two_owners_bring_nothing_and_with_one_five() -> None:
    """a2 (cell 4) and b2 (cell 5) are 0/+5."""
    state = begun()._replace(marked=(0, 4, 7), own=(1 << 5, 0))
    assert booked(state, (F, T, T)) == (1, -1)
    assert booked(state, (T, F, T)) == (5, 1 - 1)


def test_11_two_lands_that_fall_five_count_once() -> None:
    """c3 (cell 10) and d3 (cell 11) are 0/-5."""
    state = begun()._replace(marked=(10, 11, 6))
    assert booked(state, (F, F, F)) == (-5, 0)
    assert booked(state, (F, T, F)) == (0, 0)


def test_12_both_lands_of_a_pair_in_one_round_bring_five_once() -> None:
    state = begun()._replace(marked=(4, 5, 0))
    assert booked(state, (T, T, F)) == (1, 5)


def test_16_power_has_no_limit() -> None:
    state = begun()._replace(marked=(3, 2, 1), power=(6, -30))
    assert booked(state, (F, F, T)) == (6 + 4 + 3, -30 + 2)


@pytest.mark.parametrize(("power", "winner"), [((3, 2), F), ((-3, -2), T)])
def test_after_four_rounds_more_power_wins(power: tuple[int, int], winner: int) -> None:
    assert ending(stood(power, round_=4)) == End(winner, "power")


@pytest.mark.parametrize(("own", "winner"), [((1 << 6, 0), T), ((0, 1 << 6), F)])
def test_with_equal_power_after_four_rounds_the_owner_of_minus_zero_loses(
    own: tuple[int, int], winner: int
) -> None:
    """c2 (cell 6) is -0."""
    assert ending(stood((2, 2), round_=4, own=own)) == End(winner, "minus-zero")


def test_a_tie_goes_to_the_first_player() -> None:
    """Cards 12 and 13 share no green difference: 1 + 2 + 3 against itself."""
    for round_, first in ((1, F), (2, T)):
        state = begun()._replace(round=round_, marked=(0, 1, 2), played=((4, 5, 10), (4, 5, 10)))
        assert judge(state).winners == (first, first, first)
