"""Squares, men and jumps.

A square is the number that players write: 59 is file 5, counted from the right,
and rank 9, counted from the top.  A set of squares is an integer with the bit
``1 << square`` for each.  Black moves toward rank 1, White toward rank 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

BLACK, WHITE = 0, 1
"""The sides, as indices of pairs."""

RANKS = tuple(tuple(range(90 + rank, 10, -10)) for rank in range(1, 10))
"""The squares as the board is drawn: rank 1 at the top, file 9 at the left."""

SQUARES = frozenset(square for rank in RANKS for square in rank)


class Jump(NamedTuple):
    """A man goes from one square to another; the only order there is."""

    start: int
    to: int


class Diagonal(NamedTuple):
    """A line of squares along which men jump."""

    squares: tuple[int, ...]
    bits: int


def bits(members: Iterable[int]) -> int:
    """Return the set of these squares."""
    return sum(1 << square for square in set(members))


def squares(men: int) -> Iterator[int]:
    """Yield the squares of a set, in ascending order."""
    return (square for square in range(11, 100) if men >> square & 1)


def turned(square: int) -> int:
    """Return the square that comes to lie here when the board is turned by 180 degrees."""
    return 110 - square


def ray(start: int, step: int) -> tuple[int, ...]:
    """Return *start* and the squares behind it in one direction, up to the edge."""
    line: list[int] = []
    while start in SQUARES:
        line.append(start)
        start += step
    return tuple(line)


def diagonals() -> Iterator[Diagonal]:
    """Yield every diagonal on which a man, a man to jump over and a landing have room."""
    for step in (9, 11):
        for start in sorted(SQUARES):
            line = ray(start, step)
            if start - step not in SQUARES and len(line) >= 3:
                yield Diagonal(line, bits(line))


DIAGONALS = tuple(diagonals())
MAIN = tuple(line.bits for line in DIAGONALS if len(line.squares) == 9)
"""91-19 and 99-11: to fill one of them is forbidden."""


@cache
def jumps_along(line: Sequence[int], men: int) -> tuple[Jump, ...]:
    """Return the jumps of all men on one line, both ways.  Cached: there are some 3,000 such pairs."""
    ways = (line, line[::-1])
    return tuple(jump for way in ways for at in range(len(way)) for jump in jump_from(way[at:], men))


def jump_from(way: Sequence[int], men: int) -> Iterator[Jump]:
    """Yield the jump of the man on the first square of *way*, if there is one.

    He jumps over the whole unbroken run of men before him, and lands on the first square behind it.
    """
    free = next((at for at, square in enumerate(way) if not men >> square & 1), 0)
    if free >= 2:
        yield Jump(way[0], way[free])


def jumps(own: int, men: int) -> list[Jump]:
    """Return the jumps that the board allows the men *own*, in ascending order."""
    return sorted(
        jump for line, mask in DIAGONALS for jump in jumps_along(line, men & mask) if own >> jump[0] & 1
    )


def forward(jump: Jump, side: int) -> bool:
    """Tell whether a jump goes toward the opponent's camp.  None goes sideways."""
    return (jump.to % 10 < jump.start % 10) == (side == BLACK)
