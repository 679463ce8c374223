"""What is stored of a game."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engines.api import Seat


class Laws(NamedTuple):
    """The options of a game, settled."""

    array: str  # its name, or the list of squares as it was written
    camp: tuple[int, ...]  # Black's; White's is the same turned by 180 degrees
    can_move: str  # "legal" or "geometric": which moves count where the rules say "can move"
    fourfold: bool  # a position that comes the fourth time is a draw
    move_cap: int | None  # a draw after so many moves and passes
    handicap: int  # moves in Black's first turn


class Position(NamedTuple):
    """Where the men stand and who moves."""

    rows: tuple[str, ...]  # nine, rank 1 first, each from file 9 to file 1, of "b", "w" and "."
    side: int
    lifted: tuple[bool, bool]  # of Black and White, before the mover is judged
    turn: int  # counted from 1


class Began(NamedTuple):
    """The men are placed; Black and the options are settled."""

    black: Seat
    laws: Laws
    position: Position


class Moved(NamedTuple):
    """A man has jumped."""

    by: Seat
    start: int
    to: int
    lifts: bool  # the mover's restriction fell, for good, before the move


class Passed(NamedTuple):
    """The mover had no move."""

    by: Seat
    lifts: bool
    forfeits: int  # moves of a handicap turn that are lost with this; 0 elsewhere


class Finished(NamedTuple):
    """The game is over."""

    winner: Seat | None
    reason: str


Fact: TypeAlias = Began | Moved | Passed | Finished
