"""The board as a viewer sees it: all see the same, and the mover also the moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from engines.api import View, Viewer
from engines.ukulele.board import BLACK, RANKS, WHITE, Jump, forward, squares
from engines.ukulele.facts import Moved
from engines.ukulele.state import State, choice, seat_of
from engines.ukulele.words import spelled, spelled_jump

COLOURS = ("black", "white")
LANGUAGES = ("en", "ja")
NAMES = {square: tuple(spelled(square, lang) for lang in LANGUAGES) for rank in RANKS for square in rank}


def view_of(state: State, viewer: Viewer) -> View:
    """Build the view up from nothing."""
    over = state.outcome is not None
    listed = not over and viewer == seat_of(state, state.side)
    moves = starting(choice(state).moves if listed else (), state.side)
    men = colours(state.men)
    ends = {state.last.start: "from", state.last.to: "to"} if state.last else {}
    data = {
        "ranks": ranks(men, state.camps, moves, ends),
        "black": seat_of(state, BLACK),
        "white": seat_of(state, WHITE),
        "mover": None if over else COLOURS[state.side],
        "ply": state.ply,
        "duty": None if over else choice(state).duty.value,
        "moves_left": 0 if over else state.left,
        "last": state.last and last_data(state.last, men),
        "rules": {
            "array": state.laws.array,
            "can_move": state.laws.can_move,
            "fourfold": state.laws.fourfold,
            "move_cap": state.laws.move_cap,
            "handicap": state.laws.handicap,
        },
    }
    return View("ukulele/board", data)


def ranks(
    men: Mapping[int, str],
    camps: tuple[int, int],
    moves: Mapping[int, list[Mapping[str, Any]]],
    ends: Mapping[int, str],
) -> list[list[dict[str, Any]]]:
    """Describe all squares, with the moves that start there; *ends* are those of the last move."""
    seen = dict(empty(camps))
    parts: dict[str, Mapping[int, Any]] = {"man": men, "moves": moves, "last": ends}
    for part, values in parts.items():
        for square, value in values.items():
            seen[square] = seen[square] | {part: value}
    return [[seen[square] for square in rank] for rank in RANKS]


@lru_cache(maxsize=20)  # the camps are the same in a whole game
def empty(camps: tuple[int, int]) -> Mapping[int, dict[str, Any]]:
    """Describe the squares of a board without men."""
    homes = colours(camps)
    return {
        square: {
            "square": name,
            "kanji": kanji,
            "man": None,
            "camp": homes.get(square),
            "last": None,
            "moves": [],
        }
        for square, (name, kanji) in NAMES.items()
    }


@lru_cache(maxsize=20)  # both seats are shown the same men
def colours(sets: tuple[int, int]) -> Mapping[int, str]:
    """Return whose set holds a square, for each that one holds."""
    return {square: COLOURS[side] for side in (WHITE, BLACK) for square in squares(sets[side])}


def last_data(last: Moved, men: Mapping[int, str]) -> dict[str, str]:
    """Describe the last move."""
    (start, start_kanji), (to, to_kanji) = NAMES[last.start], NAMES[last.to]
    return {
        "man": men[last.to],
        "from": start,
        "from_kanji": start_kanji,
        "to": to,
        "to_kanji": to_kanji,
    }


def starting(moves: tuple[Jump, ...], side: int) -> Mapping[int, list[Mapping[str, Any]]]:
    """Describe the legal moves, by the square where they start."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for jump in moves:
        found.setdefault(jump.start, []).append(move(jump, side))
    return found


@cache
def move(jump: Jump, side: int) -> Mapping[str, Any]:
    """Describe one legal move.  Cached: there are some 650 for each side."""
    return {
        "to": spelled(jump.to, "en"),
        "to_kanji": spelled(jump.to, "ja"),
        "direction": direction(jump),
        "forward": forward(jump, side),
        "words": {lang: spelled_jump(jump, lang) for lang in LANGUAGES},
    }


def direction(jump: Jump) -> str:
    """Return where a move goes on the drawn board: rank 1 at the top, file 9 at the left."""
    vertical = "up" if jump.to % 10 < jump.start % 10 else "down"
    return f"{vertical}-{'left' if jump.to > jump.start else 'right'}"
