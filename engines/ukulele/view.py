"""The board as a viewer sees it: all see the same, and the mover also the moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.api import View, Viewer
from engines.ukulele.board import BLACK, RANKS, WHITE, Jump, forward
from engines.ukulele.state import State, choice, seat_of
from engines.ukulele.words import spelled, spelled_jump

COLOURS = ("black", "white")
LANGUAGES = ("en", "ja")


def view_of(state: State, viewer: Viewer) -> View:
    """Build the view up from nothing."""
    over = state.outcome is not None
    listed = not over and viewer == seat_of(state, state.side)
    moves = choice(state).moves if listed else ()
    ends = {state.last.start: "from", state.last.to: "to"} if state.last else {}
    data = {
        "ranks": [[cell(state, square, moves, ends) for square in rank] for rank in RANKS],
        "black": seat_of(state, BLACK),
        "white": seat_of(state, WHITE),
        "mover": None if over else COLOURS[state.side],
        "ply": state.ply,
        "duty": None if over else choice(state).duty.value,
        "moves_left": 0 if over else state.left,
        "last": state.last and {"from": str(state.last.start), "to": str(state.last.to)},
        "rules": {
            "array": state.laws.array,
            "can_move": state.laws.can_move,
            "fourfold": state.laws.fourfold,
            "move_cap": state.laws.move_cap,
            "handicap": state.laws.handicap,
        },
    }
    return View("ukulele/board", data)


def cell(state: State, square: int, moves: tuple[Jump, ...], ends: Mapping[int, str]) -> dict[str, Any]:
    """Describe one square, with the moves that start there; *ends* are those of the last move."""
    return {
        "square": spelled(square, "en"),
        "kanji": spelled(square, "ja"),
        "man": colour(state.men, square),
        "camp": colour(state.camps, square),
        "last": ends.get(square),
        "moves": [move(jump, state.side) for jump in moves if jump.start == square],
    }


def colour(sets: tuple[int, int], square: int) -> str | None:
    """Return whose set holds a square."""
    black, white = sets
    return COLOURS[BLACK] if black >> square & 1 else COLOURS[WHITE] if white >> square & 1 else None


def move(jump: Jump, side: int) -> dict[str, Any]:
    """Describe one legal move."""
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
