"""What an action brings about, and the end of the game (sections 3.1 to 3.8 of the rules)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engines.api import Seat
from engines.naishi.facts import (
    Declared,
    Decreed,
    Developed,
    Exchanged,
    Fact,
    Final,
    Finished,
    Recalled,
    Stopped,
    Swapped,
    Washed,
)
from engines.naishi.orders import SWAPS, WASHES, Act, Verb
from engines.naishi.scoring import best, rank
from engines.naishi.state import HAND, State, believe, seat_of

Done: TypeAlias = Developed | Exchanged | Swapped | Washed | Decreed | Recalled | Declared | Stopped

OPEN = (Developed, Exchanged, Swapped, Washed)
"""Facts that may leave a turn open."""


def outcome_of(state: State, seat: Seat, act: Act) -> list[Fact]:
    """Return the facts of a legal action of a turn: what it does, and what the end of the turn brings."""
    done = DOINGS[act.verb](state, seat, act)
    return [done] if isinstance(done, OPEN) and not done.ends else ended(state, done)


def develop(state: State, seat: Seat, act: Act) -> Developed:
    """Replace a card of the territory by the one of its column."""
    at, column = act.first, act.first % HAND
    ends = state.helped or not may_help(state, column)
    return Developed(seat, at, state.territories[state.side][at], state.tops[column], ends)


def may_help(state: State, column: int) -> bool:
    """Tell whether an emissary can act once a card has left a column."""
    if not state.reserve[state.side]:
        return False
    if sum(state.swaps) < SWAPS:
        return True
    filled = 5 - state.left.count(0) - (state.left[column] == 1)
    return sum(state.washes) < WASHES and filled > 1


def river(state: State, seat: Seat, act: Act) -> Exchanged:
    """Swap two top cards of the river."""
    one, two = act.first, act.second
    return Exchanged(seat, (one, two), (state.tops[two], state.tops[one]), state.developed)


def swap(state: State, seat: Seat, act: Act) -> Swapped:
    """Swap two cards of the own territory."""
    one, two, own = act.first, act.second, state.territories[state.side]
    return Swapped(seat, (one, two), (own[two], own[one]), state.developed)


def discard(state: State, seat: Seat, act: Act) -> Washed:
    """Send two top cards of the river away."""
    one, two = act.first, act.second
    return Washed(seat, (one, two), (state.tops[one], state.tops[two]), state.developed)


def decree(state: State, seat: Seat, act: Act) -> Decreed:
    """Exchange a card with the one that it faces."""
    own, other = state.territories[state.side], state.territories[1 - state.side]
    return Decreed(seat, act.first, own[act.first], other[act.first])


def recall(state: State, seat: Seat, act: Act) -> Recalled:
    """Call the emissaries back."""
    return Recalled(seat)


def declare(state: State, seat: Seat, act: Act) -> Declared:
    """Declare the end."""
    return Declared(seat)


def stop(state: State, seat: Seat, act: Act) -> Stopped:
    """End the turn after a develop."""
    return Stopped(seat)


DOINGS: dict[Verb, Callable[[State, Seat, Act], Done]] = {
    "develop": develop,
    "river": river,
    "swap": swap,
    "discard": discard,
    "decree": decree,
    "recall": recall,
    "declare": declare,
    "stop": stop,
}


def ended(state: State, done: Done) -> list[Fact]:
    """Return what ends a turn, and what the end brings: a last turn, or the end of the game (section 3.6)."""
    if isinstance(done, Declared):
        return [done, Final(seat_of(state, 1 - state.side), "declare")]
    if state.final is not None:  # and so it was this one
        return [done, finish(believe(state, done))]
    if state.left.count(0) + state.left.count(1) < 2:  # at most one pile can be empty now
        return [done]
    after = believe(state, done)
    if after.left.count(0) < 2:
        return [done]
    return [done, finish(after) if state.side == 1 else Final(seat_of(state, 1), "piles")]


def finish(state: State) -> Finished:
    """Score both territories: more points win, then more colours; else it is a draw."""
    one, two = (best(cards, state.laws) for cards in state.territories)
    return Finished(
        winner=seat_of(state, 0 if rank(one) > rank(two) else 1) if rank(one) != rank(two) else None,
        reason="points" if one.total != two.total else "colours" if one.colours != two.colours else "draw",
        territories=(one.cards, two.cards),
        points=(one.points, two.points),
        colours=(one.colours, two.colours),
    )
