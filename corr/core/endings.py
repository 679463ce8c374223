"""The ways in which a game ends outside its rules, as the facts that are stored."""

from __future__ import annotations

from collections.abc import Collection

from corr.core.turn import Ended
from engines.api import Outcome, Phase, Seat


def resigned(seats: Collection[Seat], by: Seat) -> Ended:
    """One of the *seats* gives up: all others win."""
    return Ended(Outcome(frozenset(seats) - {by}, "resignation"), (by,))


def agreed() -> Ended:
    """All have agreed to a draw."""
    return Ended(Outcome(frozenset(), "agreement"))


def out_of_time(seats: Collection[Seat], phase: Phase) -> Ended:
    """All for whom *phase* waits have let their time run out: the others of the *seats* win."""
    return Ended(Outcome(frozenset(seats) - phase.waiting, "time"), tuple(sorted(phase.waiting)))


def adjudicated(winner: Seat | None) -> Ended:
    """Let a master decide: one seat wins, or nobody."""
    winners = frozenset[Seat]() if winner is None else frozenset({winner})
    return Ended(Outcome(winners, "adjudication"))


def voided() -> Ended:
    """Let a master decide that the game does not count."""
    return Ended(Outcome(frozenset(), "void"))
