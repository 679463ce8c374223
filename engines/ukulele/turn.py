"""What the mover may do: the six checks of a turn, in their order.

The rules are those of Takahashi Makoto's Ukulele (LogicalPower, 2016).  A move is
forbidden (kinjite), restricted (seigente: only forward as yet) or obliged
(kyoseite: men in the own camp first).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from engines.ukulele.board import MAIN, Jump, bits, forward, jumps


class Duty(Enum):
    """What binds the mover's choice."""

    FORWARD = "forward"  # restricted: only forward moves
    CAMP = "camp"  # obliged: a man in the camp that can move forward
    FREE = "free"


class Turn(NamedTuple):
    """A mover's choice, judged."""

    moves: tuple[Jump, ...]  # legal; none means a compulsory pass
    lifted: bool  # the mover's flag after the judgement
    duty: Duty
    obliged: int  # the men that the obligation names


@lru_cache(maxsize=4096)
def judge(own: int, other: int, side: int, lifted: bool, camp: int, geometric: bool) -> Turn:
    """Judge the mover's choice.

    *own* and *other* are the men of the mover and of the opponent, *camp* is the mover's own.
    With *geometric*, forbidden moves count too where the rules ask what can move forward.
    """
    possible = jumps(own, own | other)
    allowed = [jump for jump in possible if not fills_diagonal(jump, own | other)]
    allowed = [jump for jump in allowed if not returns_home(jump, side, camp)]
    ahead = [jump for jump in (possible if geometric else allowed) if forward(jump, side)]
    lifted = lifted or not own & camp or not ahead
    if not lifted:
        moves = tuple(jump for jump in allowed if forward(jump, side))
        return Turn(moves, lifted, Duty.FORWARD, 0)
    obliged = starts(ahead) & camp
    if obliged:
        moves = tuple(jump for jump in allowed if obliged >> jump.start & 1)
        return Turn(moves, lifted, Duty.CAMP, obliged)
    return Turn(tuple(allowed), lifted, Duty.FREE, 0)


def fills_diagonal(jump: Jump, men: int) -> bool:
    """Tell whether a jump lands on 91-19 or 11-99 and leaves all nine squares occupied."""
    after = men ^ 1 << jump.start | 1 << jump.to
    return any(line >> jump.to & 1 and after & line == line for line in MAIN)


def returns_home(jump: Jump, side: int, camp: int) -> bool:
    """Tell whether a jump goes backward into the mover's own camp."""
    return bool(camp >> jump.to & 1) and not forward(jump, side)


def starts(moves: Iterable[Jump]) -> int:
    """Return the set of the squares from which moves start."""
    return bits(jump.start for jump in moves)
