"""What is told of a game, and to whom."""

from __future__ import annotations

import pytest

from corr.core.chance import Forced
from corr.render.catalogue import word
from engines.api import Seat, Viewer, Watcher
from engines.naishi import ENGINE
from engines.naishi.state import State
from tests.engines.naishi.drawn import FIRST, SECOND, begun, dealt, facts_of, played
from tests.laws.play import play

NAMES = {FIRST: "Aoi", SECOND: "Ben"}
EVERYBODY: tuple[Viewer, ...] = (FIRST, SECOND, *Watcher)


def told(
    state: State, words: str, viewer: Viewer, lang: str = "en", *, seat: Seat | None = None
) -> list[str]:
    """Return what a viewer reads of an order."""
    said = list[str]()
    for fact in facts_of(state, words, seat):
        state = ENGINE.evolve(state, fact)
        said += [word(phrase, lang, NAMES) for phrase in ENGINE.tell(state, fact, viewer)]
    return said


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_develop_tells_everybody_which_card_goes_and_which_comes_and_which_is_next(
    viewer: Viewer,
) -> None:
    assert told(begun(), "develop hand 1", viewer) == [
        "Aoi developed hand 1: naishi came from the river, fort is discarded. River 1 now shows advisor."
    ]
    (said,) = told(begun(), "発展 手札 1", viewer, "ja")
    assert said == (
        "Aoiさんが手札1を発展させました。川から内侍が入り、砦は捨て札になりました。"
        "川の列1はアドバイザーになりました。"
    )


def test_a_pile_that_runs_empty_is_told() -> None:
    state = played(begun(), *["develop line 1", "end turn"] * 5)
    (said,) = told(state, "develop line 1", FIRST)
    assert said.endswith("River 1 is now empty.")


def test_a_swap_in_a_hand_names_to_each_the_cards_that_they_have_seen() -> None:
    state = played(begun(), "develop hand 3", "end turn", "develop line 1", "end turn")
    own = "Aoi's emissary swapped hand 1 and hand 3. Now at hand 1: advisor; at hand 3: fort."
    others = "Aoi's emissary swapped hand 1 and hand 3. Now at hand 1: advisor; at hand 3: an unseen card."
    for viewer, said in zip(EVERYBODY, (own, others, others, own), strict=True):
        assert told(state, "swap hand 1 3", viewer) == [said]
    assert told(state, "swap hand 1 2", SECOND) == [
        "Aoi's emissary swapped two unseen cards, hand 1 and hand 2."
    ]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_card_that_comes_from_the_hand_to_the_line_is_seen_by_all(viewer: Viewer) -> None:
    said = "Aoi's emissary swapped line 1 and hand 1. Now at line 1: fort; at hand 1: mountain."
    assert told(begun(), "swap column 1", viewer) == [said]


def test_an_exchange_between_hands_is_known_to_the_two_players_alone() -> None:
    known = "Aoi imposed an exchange at hand 1: fort went to Ben, rice came to Aoi."
    hidden = "Aoi imposed an exchange with Ben at hand 1. Only the two of them have seen these cards."
    for viewer, said in zip(EVERYBODY, (known, known, hidden, known), strict=True):
        assert told(begun(), "impose hand 1", viewer) == [said]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_an_exchange_between_lines_is_public(viewer: Viewer) -> None:
    said = "Aoi imposed an exchange at line 2: mountain went to Ben, mountain came to Aoi."
    assert told(begun(), "impose line 2", viewer) == [said]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_what_leaves_the_river_and_what_comes_up_is_told_to_all(viewer: Viewer) -> None:
    (said,) = told(begun(), "discard 1 5", viewer)
    assert said == (
        "Aoi's emissary discarded naishi from river 1 and rice from river 5. "
        "River 1 now shows advisor. River 5 now shows rice."
    )
    assert told(begun(), "swap river 1 5", viewer) == [
        "Aoi's emissary swapped river 1 and 5: 1 now shows rice, 5 shows naishi."
    ]


def test_a_choice_of_the_draft_is_told_to_its_player_alone() -> None:
    said = "Aoi keeps torii, and gives the other card to Ben."
    for viewer, expected in zip(EVERYBODY, ([said], [], [], [said]), strict=True):
        assert told(dealt(), "keep torii", viewer, seat=FIRST) == expected


def test_each_player_learns_the_own_cards_of_the_draft_and_the_own_hand() -> None:
    state = played(played(dealt(), "keep fort", seat=FIRST), "keep rice", seat=SECOND)
    luck = Forced({"hand-1": [begun().territories[0][5:]], "hand-2": [begun().territories[1][5:]]})
    (fact,) = ENGINE.close(state, luck)
    after = ENGINE.evolve(state, fact)
    said = {
        viewer: [word(phrase, "en", NAMES) for phrase in ENGINE.tell(after, fact, viewer)]
        for viewer in EVERYBODY
    }
    assert said[FIRST][1:] == [
        "Aoi kept fort, gave torii to Ben and received banner.",
        "Aoi's hand, from column 1 to 5: fort, banner, mountain, mountain, mountain.",
    ]
    assert len(said[Watcher.PUBLIC]) == 1
    assert said[Watcher.MASTER] == [*said[FIRST], *said[SECOND][1:]]
    assert not any("rice" in line for line in said[FIRST])


def test_recall_declaration_and_the_last_turn_are_told() -> None:
    state = played(begun(), "swap line 1 2, develop line 1", "develop line 1", "end turn")
    assert told(state, "recall", SECOND) == ["Aoi recalled the emissaries and has 2 ready."]
    state = played(begun(), *["develop line 1", "end turn"] * 6)
    assert told(state, "declare", SECOND) == [
        "Aoi declared the end of the game.",
        "Ben has one last turn.",
    ]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_end_is_told_with_the_points_that_decide_it(lang: str) -> None:
    for seed in range(5):
        game = play(ENGINE, seed)
        state = game.moments[-1].state
        *_, last = ENGINE.tell(state, game.facts[-1], Watcher.PUBLIC)
        said = word(last, lang, NAMES)
        assert all(str(sum(points)) in said for points in state.finished.points)
