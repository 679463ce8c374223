"""The position in play, and how facts change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from engines.api import Outcome, Seat
from engines.ukulele.board import BLACK, RANKS, bits, turned
from engines.ukulele.facts import Began, Fact, Finished, Laws, Moved, Passed, Position
from engines.ukulele.turn import Turn, judge

Pair: TypeAlias = tuple[int, int]
"""Of Black and of White."""


class Stand(NamedTuple):
    """What makes two positions the same."""

    men: Pair
    side: int
    lifted: tuple[bool, bool]


class Past(NamedTuple):
    """A position that was, and those before it."""

    stand: Stand
    before: Past | None


class State(NamedTuple):
    """A game of Ukulele."""

    laws: Laws
    black: Seat
    camps: Pair
    men: Pair
    side: int  # the mover's
    lifted: tuple[bool, bool]
    left: int  # moves of this turn, more than 1 only in a handicap turn
    turn: int
    ply: int  # moves and passes so far
    passed: bool  # the last turn was a pass
    last: Moved | None
    past: Past | None  # positions that can come again, the present one first
    outcome: Outcome | None


def seat_of(state: State, side: int) -> Seat:
    """Return the seat that plays a side."""
    return state.black if side == BLACK else Seat(3 - state.black)


def stand(state: State) -> Stand:
    """Return what the repetition of positions compares."""
    return Stand(state.men, state.side, state.lifted)


def choice(state: State) -> Turn:
    """Return what the mover may do now."""
    own, other = state.men if state.side == BLACK else state.men[::-1]
    lifted, camp = state.lifted[state.side], state.camps[state.side]
    return judge(own, other, state.side, lifted, camp, state.laws.can_move == "geometric")


def believe(state: State | None, fact: Fact) -> State:
    """Take a fact into the state."""
    if isinstance(fact, Began):
        return begun(fact)
    assert state is not None
    if isinstance(fact, Moved):
        return moved(state, fact)
    if isinstance(fact, Passed):
        return passed(state, fact)
    return finished(state, fact)


def begun(fact: Began) -> State:
    """Place the men."""
    laws, position = fact.laws, fact.position
    first = position.turn == 1 and position.side == BLACK
    state = State(
        laws=laws,
        black=fact.black,
        camps=(bits(laws.camp), bits(map(turned, laws.camp))),
        men=men_in(position),
        side=position.side,
        lifted=position.lifted,
        left=laws.handicap if first else 1,
        turn=position.turn,
        ply=0,
        passed=False,
        last=None,
        past=None,
        outcome=None,
    )
    return remembered(state, None)


def men_in(position: Position) -> Pair:
    """Return the men of both sides."""
    placed = [
        (square, man)
        for rank, row in zip(RANKS, position.rows, strict=True)
        for square, man in zip(rank, row, strict=True)
    ]
    black, white = (bits(square for square, man in placed if man == colour) for colour in "bw")
    return black, white


def moved(state: State, fact: Moved) -> State:
    """Move a man, and give the turn away unless a handicap turn goes on."""
    hop = 1 << fact.start | 1 << fact.to
    black, white = state.men
    men = (black ^ hop, white) if state.side == BLACK else (black, white ^ hop)
    lifted = judged(state, fact.lifts)
    # A restricted side only goes forward, so nothing before its move can come again.
    before = state.past if lifted[state.side] else None
    after = state._replace(men=men, lifted=lifted, passed=False, last=fact)
    return remembered(handed_on(after, state.left - 1), before)


def passed(state: State, fact: Passed) -> State:
    """Give the turn away, with all that was left of it."""
    after = state._replace(lifted=judged(state, fact.lifts), passed=True, last=None)
    return remembered(handed_on(after, 0), state.past)


def finished(state: State, fact: Finished) -> State:
    """End the game."""
    winners = frozenset[Seat]() if fact.winner is None else frozenset({fact.winner})
    return state._replace(outcome=Outcome(winners, fact.reason))


def judged(state: State, lifts: bool) -> tuple[bool, bool]:
    """Return both flags after the mover's was judged."""
    black, white = state.lifted
    return (black or lifts, white) if state.side == BLACK else (black, white or lifts)


def handed_on(state: State, left: int) -> State:
    """Count a ply, and begin the next turn if nothing is left of this one."""
    if left:
        return state._replace(ply=state.ply + 1, left=left)
    return state._replace(ply=state.ply + 1, left=1, side=1 - state.side, turn=state.turn + 1)


def remembered(state: State, before: Past | None) -> State:
    """Put the present position before those that can come again."""
    return state._replace(past=Past(stand(state), before))


def stood(state: State) -> Iterator[Stand]:
    """Yield the positions that can come again, from the present one back."""
    past = state.past
    while past is not None:
        yield past.stand
        past = past.before


def arrived(state: State, side: int) -> bool:
    """Tell whether all men of a side are in the opponent's camp."""
    return not state.men[side] & ~state.camps[1 - side]


def ending(before: State, after: State) -> Finished | None:
    """Return how a move or a pass ended the game, if it did.  A win comes before every draw."""
    if arrived(after, before.side):
        return Finished(seat_of(before, before.side), "camp")
    if before.passed and after.passed:
        return Finished(None, "both-passed")
    if after.laws.fourfold and list(stood(after)).count(stand(after)) >= 4:
        return Finished(None, "fourfold")
    if after.laws.move_cap is not None and after.ply >= after.laws.move_cap:
        return Finished(None, "move-cap")
    return None
