"""Victory points, the second game of a match, and who wins the match."""

from __future__ import annotations

from engines.api import Seat
from engines.bakenushi.facts import Finished, Laws, Won
from engines.bakenushi.judging import GOAL, End
from engines.bakenushi.state import FOX, TANUKI, State, seat_of

DECISIVE = ("plus8", "minus8", "connection")


def result(state: State, end: End) -> Won:
    """Return the end of one game with its victory points."""
    return Won(seat_of(state, end.winner), end.reason, points(state, end))


def points(state: State, end: End) -> int:
    """Return the victory points.  The published text never says how they are reckoned (ruling 18).

    ``floor8``: the winner's power less the loser's, at least 8 for an end by power or connection
    before the fourth round's count, 0 where -0 decided.  ``difference``: the same without a floor.
    ``winner_power``: the winner's power alone.
    """
    own, other = state.power[end.winner], state.power[1 - end.winner]
    if state.table.laws.points == "winner_power":
        return own
    if state.table.laws.points == "difference" or end.reason not in DECISIVE:
        return own - other
    return max(own - other, GOAL)


def handicapped(won: Won) -> bool:
    """Tell whether the winner of the first game plays the second with a handicap."""
    return won.points >= GOAL


def large_sides(laws: Laws, won: Won | None, fox: Seat) -> tuple[bool, bool]:
    """Return who plays the large side of its card: fox, tanuki.

    After a clear first game its loser gets the abilities in a game without them, or its winner
    loses them in a game with them.
    """
    if won is None or not handicapped(won):
        return laws.abilities, laws.abilities
    lost = FOX if fox != won.winner else TANUKI
    return lost == FOX, lost == TANUKI


def conclusion(won: tuple[Won, ...], laws: Laws) -> Finished | None:
    """Return the end of it all, once it is there: of the one game, or of two."""
    first, last = won[0], won[-1]
    if not laws.match:
        return Finished(last.winner, last.reason)
    if len(won) == 1:
        return None
    if first.winner == last.winner:
        return Finished(first.winner, "match-both")
    if first.points != last.points:
        return Finished((max(won, key=lambda one: one.points)).winner, "match-points")
    return Finished(first.winner, "match-handicap") if handicapped(first) else Finished(None, "match-even")
