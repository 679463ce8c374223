"""A simple player: it looks at its own men only, this move and the next."""

from __future__ import annotations

from engines.api import Chance
from engines.ukulele.board import BLACK, Jump, jumps, squares, turned
from engines.ukulele.state import State, choice, stood


def chosen(state: State, chance: Chance) -> Jump:
    """Return a move that leaves the least way to go, if the opponent stood still; luck breaks ties.

    To repeat a placing of its own men comes last: so it gets out of every dead end.
    """
    scores = {jump: prospect(state, jump) for jump in choice(state).moves}
    best = min(scores.values())
    return chance.pick(f"bot-{state.ply}", [jump for jump, score in scores.items() if score == best])


def prospect(state: State, jump: Jump) -> tuple[int, int, int]:
    """Return how often the placing stood, and the way to go after the best second move and after this one."""
    side, goal = state.side, state.camps[1 - state.side]
    own, other = hopped(state.men[side], jump), state.men[1 - side]
    now = way_to_go(own, goal, side)
    ways = [way_to_go(hopped(own, then), goal, side) for then in jumps(own, own | other)]
    again = sum(was.men[side] == own for was in stood(state))
    return again, min(ways, default=now), now


def hopped(own: int, jump: Jump) -> int:
    """Return the men after a jump of one of them."""
    return own ^ 1 << jump.start ^ 1 << jump.to


def way_to_go(own: int, goal: int, side: int) -> int:
    """Return how far the men outside the goal are from the last rank; stragglers count most."""
    return sum(distance(square, side) ** 2 for square in squares(own & ~goal))


def distance(square: int, side: int) -> int:
    """Return the ranks from a square to the edge behind the goal, with its own."""
    return (square if side == BLACK else turned(square)) % 10
