"""Tic-tac-toe.  Orders are squares 1-9, as on a telephone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from engines.api import Chance, Info, Outcome, Phase, Phrase, Problem, Seat, View, Viewer, name
from engines.kit.facts import Codec

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
BOTH = (Seat(1), Seat(2))
ALONE = {seat: frozenset({seat}) for seat in BOTH}


class Board(NamedTuple):
    """The nine cells: "1", "2" or "."."""

    cells: str


class Marked(NamedTuple):
    """A seat has taken a cell."""

    seat: Seat
    at: int


Fact: TypeAlias = Board | Marked


class TicTacToe(Codec[Fact]):
    """The rules of tic-tac-toe: an engine in full."""

    info = Info("tictactoe/1", range(2, 3), {"move": "2d"}, {"position": ()})

    def __init__(self) -> None:
        super().__init__(Board, Marked)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Sequence[Fact] | Problem:
        cells = options.get("position", "." * 9)
        if len(cells) == 9 and set(cells) <= set(".12"):
            return [Board(cells)]
        return Problem("tictactoe.no-board")

    def evolve(self, state: Board | None, fact: Fact, /) -> Board:
        if isinstance(fact, Board):
            return fact
        assert state is not None
        return Board(state.cells[: fact.at] + str(fact.seat) + state.cells[fact.at + 1 :])

    def phase(self, state: Board, /) -> Phase | Outcome:
        cells, left = state.cells, state.cells.count(".")
        for i, j, k in LINES:
            if cells[i] == cells[j] == cells[k] != ".":
                return Outcome(ALONE[Seat(int(cells[i]))], "three-in-a-row")
        mover = ALONE[BOTH[(9 - left) % 2]]
        return Phase(f"ply-{10 - left}", mover, mover, "move") if left else Outcome(frozenset(), "full")

    def orders(self, state: Board, seat: Seat, /) -> Iterator[int]:
        return (at for at, mark in enumerate(state.cells) if mark == ".")

    def parse(self, state: Board, seat: Seat, words: str, /) -> Sequence[int] | Problem:
        return [int(words) - 1] if words in tuple("123456789") else Problem("tictactoe.unread")

    def spell(self, state: Board, seat: Seat, order: int, lang: str, /) -> str:
        return str(order + 1)

    def decide(self, state: Board, seat: Seat, order: int, chance: Chance, /) -> Sequence[Fact] | Problem:
        free = state.cells[order] == "."
        return [Marked(seat, order)] if free else Problem("tictactoe.taken", {"at": order + 1})

    def close(self, state: Board, chance: Chance, /) -> Sequence[Fact]:
        return ()

    def imagine(self, state: Board, viewer: Viewer, chance: Chance, /) -> Board:
        return state

    def view(self, state: Board, viewer: Viewer, /) -> View:
        return View("tictactoe/board", {"cells": state.cells})

    def tell(self, state: Board, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        if isinstance(fact, Board):
            return ()
        return [Phrase("tictactoe.marked", {"by": name(fact.seat), "at": fact.at + 1})]


ENGINE = TicTacToe()
