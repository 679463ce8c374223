"""The view: one board for all, and the moves for the mover alone."""

from __future__ import annotations

from typing import Any

import pytest

from engines.api import Viewer, Watcher
from engines.ukulele import ENGINE
from engines.ukulele.state import State
from tests.engines.ukulele.drawn import BLACK, WHITE, began, drawn, legal, moved
from tests.engines.ukulele.test_rulings import SHUFFLE


def seen(state: State, viewer: Viewer) -> dict[str, Any]:
    view = ENGINE.view(state, viewer)
    assert view.template == "ukulele/board"
    return dict(view.data)


def cells(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {cell["square"]: cell for rank in data["ranks"] for cell in rank}


def test_the_board_is_drawn_from_91_to_19() -> None:
    ranks = seen(began(), BLACK)["ranks"]
    assert [cell["square"] for cell in ranks[0]] == ["91", "81", "71", "61", "51", "41", "31", "21", "11"]
    assert [rank[0]["kanji"] for rank in ranks] == [f"9{kanji}" for kanji in "一二三四五六七八九"]


def test_men_and_camps_have_their_colours() -> None:
    at = cells(seen(moved(began(), "59-26"), BLACK))
    assert (at["59"]["man"], at["59"]["camp"], at["59"]["last"]) == (None, "black", "from")
    assert (at["26"]["man"], at["26"]["camp"], at["26"]["last"]) == ("black", None, "to")
    assert (at["51"]["man"], at["51"]["camp"], at["51"]["last"]) == ("white", "white", None)


def test_the_mover_sees_the_legal_moves_in_both_languages() -> None:
    at = cells(seen(began(), BLACK))
    listed = [move["words"]["en"] for cell in at.values() for move in cell["moves"]]
    assert sorted(listed) == legal(began())
    assert at["59"]["moves"][0] == {
        "to": "26",
        "to_kanji": "2六",
        "direction": "up-right",
        "forward": True,
        "words": {"en": "59-26", "ja": "5九-2六"},
    }


@pytest.mark.parametrize("viewer", [WHITE, *Watcher])
def test_all_others_see_the_same_board_without_moves(viewer: Viewer) -> None:
    theirs, blacks = seen(began(), viewer), seen(began(), BLACK)
    assert not any(cell["moves"] for cell in cells(theirs).values())
    bare: dict[str, Any] = {key: {**cell, "moves": []} for key, cell in cells(blacks).items()}
    assert cells(theirs) == bare
    assert theirs | {"ranks": []} == blacks | {"ranks": []}


def test_directions_are_those_of_the_drawn_board() -> None:
    state = drawn(SHUFFLE, lifted="bw", repetition="off")
    moves = {
        move["words"]["en"]: move for cell in cells(seen(state, BLACK)).values() for move in cell["moves"]
    }
    assert {words: move["direction"] for words, move in moves.items()} == {
        "56-74": "up-left",
        "65-47": "down-right",
    }
    assert {words: move["forward"] for words, move in moves.items()} == {"56-74": True, "65-47": False}


def test_what_is_said_beside_the_board() -> None:
    data = seen(moved(began(handicap="2", move_cap="99"), "59-26"), WHITE)
    del data["ranks"]
    assert data == {
        "black": 1,
        "white": 2,
        "mover": "black",
        "ply": 1,
        "duty": "forward",
        "moves_left": 1,
        "last": {"man": "black", "from": "59", "from_kanji": "5九", "to": "26", "to_kanji": "2六"},
        "rules": {
            "array": "checker3",
            "can_move": "legal",
            "fourfold": True,
            "move_cap": 99,
            "handicap": 2,
        },
    }


def test_after_the_end_nobody_is_to_move() -> None:
    data = seen(moved(began(move_cap="1"), "59-26"), BLACK)
    assert (data["mover"], data["duty"], data["moves_left"]) == (None, None, 0)
