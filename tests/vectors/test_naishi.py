"""Naishi against scores and whole games that separately written programs computed."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from corr.core.chance import Forced
from engines.api import Outcome, Seat
from engines.naishi import ENGINE
from engines.naishi.cards import COPYABLE, NAMES, NINJA
from engines.naishi.facts import Cards, Final, Laws
from engines.naishi.orders import Act
from engines.naishi.scoring import Score, best, playing, rank, score
from engines.naishi.state import HAND, State
from tests.engines.naishi.drawn import NO_LUCK, begun, believed, facts_of, mover, order_of, settled
from tests.vectors.cases import documents

SCORES = [
    pytest.param(case, id=f"naishi-{case['id']}-{case['kind']}")
    for document in documents("naishi", "score")
    for case in document["cases"]
]
TRACES = [
    pytest.param(game, id=f"naishi-{game['seed']}")
    for document in documents("naishi", "trace")
    for game in document["games"]
]

CASE_FIELDS = {"id", "kind", "players", "winner_with_best_copies"}
PLAYER_FIELDS = {"line", "hand", "given", "best", "all_copies"}
SCORE_FIELDS = {"copies", "by_type", "total", "colours"}
GAME_FIELDS = {
    *("seed", "river", "dealt", "gives", "hands", "turns"),
    *("end_reason", "declared_by", "scores", "winner"),
}
TURN_FIELDS = {"player", "legal", "actions", "after"}

USUAL = Laws(any_column=False, banner_adds=True, must_copy=True, lists_discards=False)
SEATS = (Seat(1), Seat(2))


def kinds(names: list[str]) -> Cards:
    """Return cards by their names."""
    return tuple([NAMES.index(name) for name in names])


def copies(cards: Cards, scored: Score) -> list[list[Any]]:
    """Return what each ninja copies, as the vectors write it."""
    return [
        [place, None if copy == NINJA else NAMES[copy]]
        for place, (card, copy) in enumerate(zip(cards, scored.cards, strict=True))
        if card == NINJA
    ]


def described(cards: Cards, scored: Score) -> dict[str, Any]:
    """Return a score, as the vectors write it; a ninja's points stand with what it copies."""
    by_type = {name: points for name, points in zip(NAMES, scored.points, strict=True) if name != "ninja"}
    return {
        "copies": copies(cards, scored),
        "by_type": by_type,
        "total": scored.total,
        "colours": scored.colours,
    }


def every_score(cards: Cards) -> list[Score]:
    """Return the score of every way to copy."""
    found = [kind for kind in COPYABLE if kind in cards] or [NINJA]
    roles = product(found, repeat=cards.count(NINJA))
    return [score(playing(cards, role), banner_adds=True) for role in roles]


def won(one: tuple[int, int], two: tuple[int, int]) -> int | str:
    """Return who wins, as the vectors write it."""
    return "draw" if one == two else 0 if one > two else 1


@pytest.mark.parametrize("case", SCORES)
def test_a_territory_scores_as_it_lies_with_the_best_copies_and_with_all_others(case: dict[str, Any]) -> None:
    assert case.keys() == CASE_FIELDS
    for player in case["players"]:
        check_player(player)
    one, two = (rank(best(kinds(player["line"] + player["hand"]), USUAL)) for player in case["players"])
    assert won(one, two) == case["winner_with_best_copies"]


def check_player(player: dict[str, Any]) -> None:
    """Compare one territory."""
    assert player.keys() == PLAYER_FIELDS
    cards = kinds(player["line"] + player["hand"])
    every = [described(cards, scored) for scored in every_score(cards)]
    assert player["given"] in every
    chosen = described(cards, best(cards, USUAL))
    assert chosen.keys() == SCORE_FIELDS
    assert chosen == player["best"]
    rows = [{key: row[key] for key in ("copies", "total", "colours")} for row in every]
    assert sorted(rows, key=str) == sorted(player["all_copies"], key=str)


@pytest.mark.parametrize("game", TRACES)
def test_a_whole_game_is_the_same_action_by_action(game: dict[str, Any]) -> None:
    assert game.keys() == GAME_FIELDS
    state, ends = opened(game), list[Final]()
    for turn in game["turns"]:
        state, facts = turned(state, turn)
        ends += [fact for fact in facts if isinstance(fact, Final)]
    check_end(state, ends, game)


def opened(game: dict[str, Any]) -> State:
    """Deal, draft and hand out as the trace has it; seat 1 plays first."""
    river, dealt, hands = ([kinds(cards) for cards in game[key]] for key in ("river", "dealt", "hands"))
    deck = tuple(card for cards in (*river, *dealt) for card in cards)
    luck = Forced({"cards": [deck], "hand-1": [hands[0]], "hand-2": [hands[1]]})
    state = believed(None, settled(ENGINE.setup(2, {"first_player": "1"}, luck)))
    for seat, two, give in zip(SEATS, dealt, game["gives"], strict=True):
        kept = ENGINE.decide(state, seat, (Act("keep", two[1 - give]),), NO_LUCK)
        state = believed(state, settled(kept))
    state = believed(state, ENGINE.close(state, luck))
    assert tuple(cards[HAND:] for cards in state.territories) == tuple(hands)
    return state


def turned(state: State, turn: dict[str, Any]) -> tuple[State, list[Any]]:
    """Play one turn; what a develop leaves open is declined."""
    assert turn.keys() == TURN_FIELDS
    assert turn["player"] == state.side
    assert legal(state) == turn["legal"]
    number, facts = state.turn, list[Any]()
    for action in turn["actions"]:
        news = settled(ENGINE.decide(state, mover(state), order_of(action), NO_LUCK))
        state, facts = believed(state, news), [*facts, *news]
    if state.turn == number:
        facts += (news := facts_of(state, "end turn"))
        state = believed(state, news)
    assert after(state) == turn["after"]
    return state, facts


def legal(state: State) -> dict[str, int]:
    """Count what may be done, in the words of the vectors."""
    words = {"develop": "dev", "river": "swapR", "discard": "disc"}
    return Counter(
        swap_word(act) if act.verb == "swap" else words.get(act.verb, act.verb)
        for (act,) in ENGINE.orders(state, mover(state))
    )


def swap_word(act: Act) -> str:
    """Return which swap of a territory this is."""
    return "swapL" if act.second < HAND else "swapH" if act.first >= HAND else "swapV"


def after(state: State) -> dict[str, Any]:
    """Describe the state after a turn, in the words of the vectors."""
    rows = [
        [[NAMES[card] for card in cards[at : at + HAND]] for cards in state.territories] for at in (0, HAND)
    ]
    return {
        "river_left": list(state.left),
        "reserve": list(state.reserve),
        "swap": list(state.swaps),
        "discard": list(state.washes),
        "decree": state.decreed,
        "lines": rows[0],
        "hands": rows[1],
    }


def check_end(state: State, ends: list[Final], game: dict[str, Any]) -> None:
    """Compare how the game ended."""
    end, found = ENGINE.phase(state), state.finished
    assert isinstance(end, Outcome)
    assert found is not None
    assert [[sum(points), colours] for points, colours in zip(found.points, found.colours, strict=True)] == (
        game["scores"]
    )
    assert [*end.winners] == ([] if game["winner"] == "draw" else [SEATS[game["winner"]]])
    declared = [SEATS.index(Seat(3 - final.by)) for final in ends if final.reason == "declare"]
    assert declared == ([] if game["declared_by"] is None else [game["declared_by"]])
    assert game["end_reason"] == ("declare" if declared else "piles")


def test_the_first_turn_begins_with_65_actions() -> None:
    assert len(list(ENGINE.orders(begun(), Seat(1)))) == 65


def test_the_first_turn_can_be_played_in_920_ways() -> None:
    """10 plain, 450 with the emissary before, 450 with it after, and 10 decrees."""
    assert whole_turns(begun(), 1) == 920


def whole_turns(state: State, number: int) -> int:
    """Count the ways in which a turn can be played."""
    if state.turn != number:
        return 1
    seat = mover(state)
    answers = (ENGINE.decide(state, seat, order, NO_LUCK) for order in ENGINE.orders(state, seat))
    return sum(whole_turns(believed(state, settled(answer)), number) for answer in answers)
