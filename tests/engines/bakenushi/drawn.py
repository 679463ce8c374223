"""Games of Bakenushi with a deal that a test has chosen."""

from __future__ import annotations

from collections.abc import Sequence

from corr.core.chance import Forced
from corr.core.fold import fold
from engines.api import Outcome, Phase, Problem, Seat
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Fact
from engines.bakenushi.orders import Order
from engines.bakenushi.state import State

FOX, TANUKI = Seat(1), Seat(2)
NO_LUCK = Forced({})
LANDS = tuple(range(1, 17))
"""a1 is +1, b1 +2, c1 +3, d1 +4; a2 and b2 0/+5, c2 -0, d2 -1; a3 -2, b3 -3, c3 and d3 0/-5; a4 the
bridge, b4 the trail, c4 and d4 grassland."""

CARDS = tuple(range(1, 36))
"""Cards 1 to 6 for the fox, 7 to 12 for the tanuki, 13 to 15 for whoever draws first."""


def deal(lands: Sequence[int] = LANDS, cards: Sequence[int] = CARDS) -> Forced:
    """Force a deal: the first numbers given, then the rest in their order."""
    whole = {"lands": (LANDS, lands), "cards": (CARDS, cards)}
    return Forced(
        {why: [(*given, *(n for n in every if n not in given))] for why, (every, given) in whole.items()}
    )


def begun(
    options: dict[str, str] | None = None, lands: Sequence[int] = LANDS, cards: Sequence[int] = CARDS
) -> State:
    """Begin a game in which seat 1 is the fox."""
    facts = ENGINE.setup(2, {"first_player": "1"} | (options or {}), deal(lands, cards))
    assert not isinstance(facts, Problem), facts
    return believed(None, facts)


def believed(state: State | None, facts: Sequence[Fact]) -> State:
    """Take facts into the state."""
    for fact in facts:
        state = ENGINE.evolve(state, fact)
    assert state is not None
    return state


def read(words: str, state: State | None = None) -> Order:
    """Read one order as corr hands a line over."""
    orders = ENGINE.parse(state or begun(), FOX, fold(words))
    assert not isinstance(orders, Problem), f"{words}: {orders}"
    (order,) = orders
    return order


def facts_of(state: State, words: str) -> Sequence[Fact]:
    """Return the facts of an order of whoever must act."""
    facts = ENGINE.decide(state, mover(state), read(words, state), NO_LUCK)
    assert not isinstance(facts, Problem), f"{words}: {facts}"
    return facts


def refused(state: State, words: str) -> Problem:
    """Return why an order of whoever must act is refused."""
    problem = ENGINE.decide(state, mover(state), read(words, state), NO_LUCK)
    assert isinstance(problem, Problem), f"{words} is taken"
    return problem


def played(state: State, *orders: str) -> State:
    """Give orders, each of whoever must act."""
    for words in orders:
        state = believed(state, facts_of(state, words))
    return state


def mover(state: State) -> Seat:
    """Return the seat that must act."""
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase), phase
    (seat,) = phase.waiting
    return seat


def outcome(state: State) -> Outcome:
    """Return how a game ended."""
    end = ENGINE.phase(state)
    assert isinstance(end, Outcome), end
    return end
