"""What an order brings about: the facts of a round, one after another."""

from __future__ import annotations

from engines.api import Seat
from engines.bakenushi.facts import Chosen, Drawn, Fact, Finished, Played, Turned, Uncovered, Won
from engines.bakenushi.judging import ending, judge
from engines.bakenushi.match import conclusion, result
from engines.bakenushi.orders import Order, may_choose, reordered
from engines.bakenushi.state import (
    DRAW,
    FOX,
    STEPS,
    TANUKI,
    State,
    believe,
    first_side,
    land_at,
    seat_of,
)


def outcome_of(state: State, seat: Seat, order: Order) -> list[Fact]:
    """Return the facts of a legal order."""
    if order.verb == "turn":
        return [turn_up(state, seat, order.what)]
    if order.verb == "choose":
        return [Chosen(seat, reordered(order.what, state.table.laws.swap))]
    played = Played(seat, order.what, order.verb == "hide")
    if state.step + 1 < STEPS:
        return [played]
    return [played, *judgement(believe(state, played))]


def turn_up(state: State, seat: Seat, cell: int) -> Turned:
    """Turn a land up: on a valued one lies the next marker."""
    land = land_at(state, cell)
    if land.neutral:
        return Turned(seat, cell, land.number, None, choice=False)
    return Turned(seat, cell, land.number, state.order[len(state.marked)], choice=may_choose(state))


def judgement(state: State) -> list[Fact]:
    """Return what follows the sixth card."""
    facts: list[Fact] = []
    if state.down:
        facts.append(Uncovered(seat_of(state, TANUKI), state.down))
    facts.append(judge(state))
    after = believe(state, facts[-1])
    end = ending(after)
    return [*facts, *(closing(after, result(after, end)) if end else [draw(after)])]


def closing(state: State, won: Won) -> list[Fact]:
    """Return the end of a game, and of everything if that is the end."""
    end: Finished | None = conclusion((*state.won, won), state.table.laws)
    return [won] if end is None else [won, end]


def draw(state: State) -> Drawn:
    """Deal three cards to each side; those of the first player of the past round come off first."""
    first, second = state.deck[:DRAW], state.deck[DRAW : 2 * DRAW]
    return Drawn((first, second) if first_side(state.round) == FOX else (second, first))
