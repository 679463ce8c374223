"""Whole games without players: every line counted, or one played at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from corr.core.turn import AnyEngine, Luck
from engines.api import Chance, Outcome, Phase, Problem, Seat


@dataclass(frozen=True, slots=True)
class Playout:
    """A game played at random."""

    orders: int
    outcome: Outcome | None  # None where the cap cut it off


def opened(engine: AnyEngine, options: Mapping[str, str], luck: Luck) -> Any:
    """Return the first state of a game with as few seats as it takes, or the Problem."""
    facts = engine.setup(engine.info.seats[0], options, luck("setup"))
    return facts if isinstance(facts, Problem) else reduce(engine.evolve, facts, None)


def perft(engine: AnyEngine, state: Any, depth: int, luck: Luck) -> int:
    """Count the sequences of *depth* legal orders from here.

    A step without a player is one ply.  A line that ends early is not counted.
    """
    return sum(divide(engine, state, depth, luck)) if depth else 1


def divide(engine: AnyEngine, state: Any, depth: int, luck: Luck) -> Iterator[int]:
    """Yield the count of each first step's sequences; *depth* is 1 or more.

    The last ply is counted without being played: the laws of the contract say that
    ``decide`` refuses no order that ``orders`` lists.
    """
    phase = engine.phase(state)
    if isinstance(phase, Outcome):
        return
    if depth == 1:
        yield len(steps(engine, state, phase))
        return
    chance = luck(phase.key)
    for seat, order in steps(engine, state, phase):
        yield perft(engine, stepped(engine, state, phase, seat, order, chance), depth - 1, luck)


def steps(engine: AnyEngine, state: Any, phase: Phase) -> tuple[tuple[Seat | None, Any], ...]:
    """Return what can happen next: an order of a seat that is waited for, or the phase closes."""
    if not phase.waiting:
        return ((None, None),)
    return tuple([(seat, order) for seat in sorted(phase.waiting) for order in engine.orders(state, seat)])


def stepped(
    engine: AnyEngine, state: Any, phase: Phase, seat: Seat | None, order: Any, chance: Chance
) -> Any:
    """Return the state after one of the *steps*."""
    facts = engine.close(state, chance) if seat is None else engine.decide(state, seat, order, chance)
    if isinstance(facts, Problem) or not facts:
        raise AssertionError(f"{engine.info.rules} breaks a law in {phase.key}: {facts}")
    return reduce(engine.evolve, facts, state)


def playout(engine: AnyEngine, state: Any, dice: Chance, cap: int) -> Playout:
    """Play random legal orders until the game ends or *cap* orders were given.

    The game and its players draw from the same *dice*.
    """
    given = 0
    while not isinstance(phase := engine.phase(state), Outcome):
        if given == cap:
            return Playout(given, None)
        seat, order = drawn(engine, state, phase, dice)
        state = stepped(engine, state, phase, seat, order, dice)
        given += seat is not None
    return Playout(given, phase)


def drawn(engine: AnyEngine, state: Any, phase: Phase, dice: Chance) -> tuple[Seat | None, Any]:
    """Draw one of the *steps*; where one seat is waited for, without pairing it with each order."""
    if len(phase.waiting) != 1:
        return dice.pick("step", steps(engine, state, phase))
    (seat,) = phase.waiting
    return seat, dice.pick("step", tuple(engine.orders(state, seat)))
