"""Each ruling by its number, in drawn positions."""

from __future__ import annotations

import pytest

from corr.core.chance import SeededChance
from engines.api import Outcome, Phase
from engines.naishi import ENGINE
from engines.naishi.cards import NAMES
from engines.naishi.facts import Final, Finished, Handed, Laws
from engines.naishi.orders import SWAPS, WASHES
from engines.naishi.scoring import Score, best, score
from engines.naishi.state import HAND
from engines.naishi.turn import finish
from tests.engines.naishi.drawn import (
    FIRST,
    SECOND,
    begun,
    cards,
    dealt,
    emptied,
    facts_of,
    mover,
    played,
    refused,
    verbs,
)

USUAL = Laws(any_column=False, banner_adds=True, must_copy=True, lists_discards=False)
M = "mountain "


def scored(line: str, hand: str = M * 5) -> dict[str, int]:
    """Score a territory; the kinds that have points."""
    points = best(cards(line) + cards(hand), USUAL).points
    return {name: worth for name, worth in zip(NAMES, points, strict=True) if worth and name != "mountain"}


def whole(line: str, hand: str, laws: Laws = USUAL) -> Score:
    """Score a territory."""
    return best(cards(line) + cards(hand), laws)


def test_1_a_card_of_the_line_is_swapped_with_the_one_behind_it() -> None:
    assert verbs(begun())["swap"] == 25
    state = played(begun(), "swap line 1 hand 1")
    assert state.territories[0] == cards("fort" + " mountain" * 5 + " banner" + " mountain" * 3)
    problem = refused(begun(), "swap line 1 hand 2")
    assert (problem.key, problem.values["column"]) == ("naishi.other-column", 1)


def test_1_with_any_column_it_is_swapped_with_any_card_of_the_hand() -> None:
    state = begun({"swap_line_hand": "any"})
    assert verbs(state)["swap"] == 45
    assert played(state, "swap line 3 hand 2").territories[0][2] == cards("banner")[0]


def test_equal_cards_may_be_swapped_and_the_emissary_is_spent() -> None:
    state = played(begun(), "swap line 1 2, develop line 3")
    assert state.territories[0][:2] == begun().territories[0][:2]
    assert (state.reserve, state.swaps) == ((1, 2), (1, 0))
    assert played(begun(), "swap river 1 2").tops == begun().tops


def test_a_card_may_be_replaced_by_an_equal_one() -> None:
    state = begun()._replace(
        territories=(cards("naishi") + begun().territories[0][1:], begun().territories[1])
    )
    assert played(state, "develop line 1").territories[0] == state.territories[0]


def test_two_territories_with_known_scores() -> None:
    """The example of the rulebook, and the best one that was ever found."""
    example = whole("fort sentinel advisor banner rice", "fort mountain naishi rice rice")
    assert (example.total, example.colours) == (62, 7)
    assert whole("torii banner naishi advisor fort", "monk horseman ronin rice sentinel").total == 96


def test_2_a_banner_counts_in_the_line_only() -> None:
    assert scored("banner" + " mountain" * 4) == {"banner": 3}
    assert scored(M * 5, "banner" + " mountain" * 4) == {}
    assert scored("banner mountain banner mountain mountain") == {"banner": 8}


def test_3_a_horseman_behind_a_banner_scores_13() -> None:
    line, hand = "banner" + " mountain" * 4, "horseman" + " mountain" * 4
    assert scored(line, hand) == {"banner": 3, "horseman": 13}
    assert scored(hand, line) == {}
    assert scored(M * 5, hand) == {"horseman": 3}


def test_3_with_the_option_it_scores_10() -> None:
    laws = USUAL._replace(banner_adds=False)
    found = whole("banner" + " mountain" * 4, "horseman" + " mountain" * 4, laws)
    assert found.points[NAMES.index("horseman")] == 10


@pytest.mark.parametrize(("toriis", "points"), [(0, 0), (1, -5), (2, 0), (3, 30), (4, 30)])
def test_4_three_toriis_or_four_score_30(toriis: int, points: int) -> None:
    found = score(cards("torii " * toriis + M * (10 - toriis)), banner_adds=True)
    assert found.points[NAMES.index("torii")] == points


@pytest.mark.parametrize(("rice", "points"), [(0, 0), (1, 0), (2, 10), (3, 20), (4, 30), (5, 30)])
def test_5_four_rice_fields_that_hang_together_score_30_and_so_do_five(rice: int, points: int) -> None:
    found = score(cards("rice " * rice + M * (10 - rice)), banner_adds=True)
    assert found.points[NAMES.index("rice")] == points


def test_6_groups_of_rice_fields_add_up() -> None:
    assert scored("rice rice mountain rice rice") == {"rice": 20}
    assert scored("rice rice mountain mountain rice", "rice mountain mountain mountain rice") == {"rice": 30}
    assert scored("rice mountain mountain mountain rice", "mountain rice mountain rice mountain") == {}


TEN = "naishi advisor sentinel monk horseman", "ronin fort torii rice banner"


@pytest.mark.parametrize(("gone", "points"), [(0, 45), (1, 15), (2, 8), (3, 0)])
def test_7_a_ninja_is_never_a_kind_for_the_ronin(gone: int, points: int) -> None:
    kept = TEN[0].split()[gone:]
    line = " ".join(["ninja"] * gone + kept)
    roles = [card if card != "ninja" else "monk" for card in line.split()]
    found = score(cards(" ".join(roles) + " " + TEN[1]), banner_adds=True)
    assert found.points[NAMES.index("ronin")] == points


def test_8_for_its_neighbours_a_ninja_is_what_it_copies() -> None:
    found = whole("advisor ninja mountain mountain naishi", M * 5)
    assert found.cards[1] == NAMES.index("naishi")
    assert found.points[NAMES.index("advisor")] == 2 + 4


def test_9_a_ninja_must_copy_a_character_where_there_is_one() -> None:
    """Here the only one is a sentinel beside it, which loses its 3."""
    line = "sentinel ninja mountain mountain mountain"
    assert scored(line) == {}
    free = whole(line, M * 5, USUAL._replace(must_copy=False))
    assert free.points[NAMES.index("sentinel")] == 3
    assert free.cards[1] == NAMES.index("ninja")
    assert whole("ninja" + " mountain" * 4, M * 5).points == whole(M * 5, M * 5).points


def luck(seed: int) -> SeededChance:
    return SeededChance(bytes([seed]), "draft")


def final_position(one: str, two: str, **options: str) -> Finished:
    """Score two territories of a game."""
    return finish(begun(options)._replace(territories=(cards(one), cards(two))))


def test_10_for_a_tie_mountains_are_a_colour_and_a_ninja_has_the_colour_that_it_copies() -> None:
    assert whole(M * 5, M * 5).colours == 1
    assert whole("ninja monk" + " mountain" * 3, M * 5).colours == 2
    assert whole("ninja" + " mountain" * 4, M * 5).colours == 1
    found = final_position("ronin " + M * 9, M * 10)
    assert (found.winner, found.reason, found.colours) == (FIRST, "colours", (2, 1))


def test_11_when_the_colours_are_equal_too_it_is_a_draw() -> None:
    found = final_position("ronin " + M * 9, M * 9 + "ronin")
    assert (found.winner, found.reason) == (None, "draw")


def test_the_higher_total_wins_whatever_the_colours() -> None:
    found = final_position(M * 10, "fort torii rice " + M * 7)
    assert (found.winner, found.reason) == (SECOND, "points")


def test_12_a_river_discard_takes_two_cards_from_two_piles() -> None:
    state = emptied(begun(), 1, 2, 3, 4)._replace(final=0)
    assert verbs(state)["discard"] == 0
    assert refused(state, "discard 4 5").values == {"column": 4, "columns": "5"}


def test_13_a_river_discard_before_the_develop_leaves_a_card_to_develop() -> None:
    state = emptied(emptied(begun(), 1, 2, 3), 4, 5, left=1)._replace(final=0)
    assert verbs(state)["discard"] == 0
    assert refused(state, "discard 4 5").key == "naishi.leaves-nothing"
    three = emptied(state, 5, left=2)
    assert verbs(played(three, "discard 4 5"))["develop"] == 2


def test_14_from_an_empty_pile_nothing_is_developed() -> None:
    state = emptied(begun(), 2)
    assert verbs(state)["develop"] == 8
    assert refused(state, "develop hand 2").values == {"column": 2, "columns": "1, 3, 4, 5"}


def test_15_in_the_last_turn_nobody_declares() -> None:
    state = played(emptied(begun(), 1), "declare")
    assert state.final == 1
    assert verbs(state)["declare"] == 0
    assert refused(state, "declare").key == "naishi.final-turn"


def test_a_declaration_gives_the_other_exactly_one_more_turn() -> None:
    state = emptied(begun(), 1)
    assert facts_of(state, "declare")[-1] == Final(SECOND, "declare")
    assert isinstance(ENGINE.phase(played(state, "declare", "impose line 1")), Outcome)


def test_in_the_last_turn_a_decree_is_legal() -> None:
    state = played(emptied(begun(), 1), "declare")
    assert verbs(state)["decree"] == 10


def test_16_after_the_second_player_has_declared_the_first_players_turn_is_the_last() -> None:
    """Also when it empties a second pile."""
    state = emptied(emptied(played(begun(), "impose line 1"), 1), 2, left=1)
    state = played(state, "declare", "develop line 2", "end turn")
    assert isinstance(ENGINE.phase(state), Outcome)
    assert state.turn - 1 == 3


def test_two_piles_that_the_first_player_empties_leave_the_second_one_turn() -> None:
    state = emptied(emptied(begun(), 1), 2, left=1)
    facts = facts_of(played(state, "develop line 2"), "end turn")
    assert facts[-1] == Final(SECOND, "piles")
    assert isinstance(
        ENGINE.phase(played(state, "develop line 2", "end turn", "develop line 3", "end turn")), Outcome
    )


def test_two_piles_that_the_second_player_empties_end_the_game_at_once() -> None:
    state = emptied(emptied(played(begun(), "impose line 1"), 1), 2, left=1)
    assert isinstance(facts_of(played(state, "develop line 2"), "end turn")[-1], Finished)


def test_the_end_is_judged_only_when_the_turn_ends() -> None:
    state = emptied(emptied(begun(), 1), 2, left=1)
    assert played(state, "develop line 2").final is None


def test_17_all_emissaries_are_recalled_at_once_but_the_one_on_the_decree() -> None:
    state = played(begun(), "develop line 1, swap line 1 2", "impose line 1")
    assert (state.reserve, state.decreed) == ((1, 1), 1)
    both = begun()._replace(reserve=(0, 0), swaps=(1, 1), washes=(1, 0), decreed=1)
    state = played(both, "recall")
    assert (state.reserve, state.swaps, state.washes) == ((2, 0), (0, 1), (0, 0))
    state = played(state, "recall")
    assert (state.reserve, state.decreed) == ((2, 1), 1)


def test_18_nobody_recalls_when_none_is_out() -> None:
    assert verbs(begun())["recall"] == 0
    assert refused(begun(), "recall").key == "naishi.nothing-out"


def test_19_every_discard_is_kept_in_its_order() -> None:
    state = played(begun(), "develop hand 1, discard 1 2")
    assert state.gone == cards("fort advisor naishi")


def test_20_the_decree_exchanges_facing_cards() -> None:
    state = played(begun(), "impose hand 1")
    assert [hand[HAND] for hand in state.territories] == list(cards("rice fort"))
    assert (state.reserve, state.decreed, mover(state)) == ((1, 2), 0, SECOND)
    assert verbs(state)["decree"] == 0
    assert verbs(begun())["decree"] == 10


def test_21_the_tops_of_the_river_are_seen_in_the_draft() -> None:
    state = dealt()
    assert state.tops == cards("naishi naishi advisor advisor rice")
    for seat in (FIRST, SECOND):
        world = ENGINE.imagine(state, seat, luck(1))
        assert world.tops == state.tops


def test_22_hands_are_shuffled_after_the_draft() -> None:
    state = played(played(dealt(), "keep fort", seat=FIRST), "keep rice", seat=SECOND)
    hands = {fact for seed in range(20) for fact in ENGINE.close(state, luck(seed))}
    assert len(hands) > 10
    for handed in hands:
        assert isinstance(handed, Handed)
        assert sorted(handed.hands[0]) == sorted(cards("fort banner mountain mountain mountain"))
        assert sorted(handed.hands[1]) == sorted(cards("rice torii mountain mountain mountain"))


def test_23_the_next_card_of_a_pile_is_turned_up_at_once() -> None:
    state = played(begun(), "develop line 1")
    assert state.tops[0] == cards("advisor")[0]
    assert played(state, "swap river 1 3").tops[:3] == cards("advisor naishi advisor")


def test_a_river_discard_turns_up_only_after_both_left() -> None:
    state = played(begun(), "discard 3 4")
    assert state.gone == cards("advisor advisor")
    assert state.tops == cards("naishi naishi sentinel sentinel rice")


@pytest.mark.parametrize("words", ["impose line 1", "recall", "declare"])
def test_24_after_a_recall_a_decree_or_a_declaration_no_emissary_acts(words: str) -> None:
    state = emptied(begun(), 1)._replace(reserve=(1, 2), swaps=(1, 0))
    assert mover(played(state, words)) == SECOND
    assert refused(state, f"{words}, swap line 1 2").values == {"count": 1}


def test_25_a_mountain_is_no_kind_for_the_ronin() -> None:
    nine = "naishi advisor sentinel monk horseman", "ronin fort torii rice mountain"
    found = score(cards(" ".join(nine)), banner_adds=True)
    assert found.points[NAMES.index("ronin")] == 15


def test_26_in_the_draft_each_player_may_choose_again_until_both_have_chosen() -> None:
    state = played(dealt(), "keep fort", "keep torii", seat=FIRST)
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    assert phase == Phase("draft", frozenset({SECOND}), frozenset({FIRST, SECOND}), "move")
    assert state.kept == (cards("torii")[0], None)
    assert ENGINE.close(state, luck(1)) == ()
    state = played(state, "keep rice", seat=SECOND)
    assert played(state, "keep fort", seat=FIRST).kept == cards("fort rice")


def test_27_a_line_of_several_actions_is_taken_whole_or_not_at_all() -> None:
    state = played(begun(), "discard 1 3, develop line 2")
    assert (state.turn, state.washes) == (2, (1, 0))
    problem = refused(begun(), "develop line 2, develop line 3")
    assert (problem.key, problem.values["number"]) == ("naishi.part", 2)
    assert problem.values["why"] == refused(played(begun(), "develop line 2"), "develop line 3")


def test_27_what_the_turn_still_needs_stays_open() -> None:
    state = played(begun(), "swap hand 1 5")
    assert set(verbs(state)) == {"develop"}
    assert mover(state) == FIRST


def test_28_a_turn_in_which_an_emissary_may_act_waits_for_it() -> None:
    state = played(begun(), "develop line 1")
    assert verbs(state) == {"river": 10, "swap": 25, "discard": 10, "stop": 1}
    assert mover(played(state, "end turn")) == SECOND


@pytest.mark.parametrize(
    ("reserve", "swaps", "washes"),
    [((0, 2), (1, 0), (0, 0)), ((1, 0), (1, 2), (0, 2)), ((2, 0), (0, 2), (0, 0))],
)
def test_28_else_it_ends_by_itself(
    reserve: tuple[int, int], swaps: tuple[int, int], washes: tuple[int, int]
) -> None:
    state = begun()._replace(reserve=reserve, swaps=swaps, washes=washes)
    possible = reserve[0] > 0 and (sum(swaps) < SWAPS or sum(washes) < WASHES)
    assert mover(played(state, "develop line 1")) == (FIRST if possible else SECOND)


def test_28_it_ends_by_itself_when_one_pile_is_left_for_a_discard() -> None:
    state = emptied(emptied(begun(), 1, 2, 3), 4, left=1)._replace(swaps=(1, 2), reserve=(1, 0), final=0)
    assert isinstance(ENGINE.phase(played(state, "develop line 4")), Outcome)


@pytest.mark.parametrize("words", ["impose line 1", "develop line 1, swap line 1 2"])
def test_28_a_line_may_end_with_a_stop_where_the_turn_has_ended_by_itself(words: str) -> None:
    assert facts_of(begun(), f"{words}, end turn") == facts_of(begun(), words)


def test_29_of_equally_good_ways_to_copy_the_ninjas_take_the_first() -> None:
    """A ronin and a horseman in the line are worth nothing here, and neither is the ninja."""
    found = whole("ninja mountain ronin mountain horseman", M * 5)
    assert found.cards[0] == NAMES.index("horseman")
