"""Games of Naishi with a deal that a test has chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corr.core.chance import Forced
from corr.core.fold import fold
from engines.api import Outcome, Phase, Problem, Seat
from engines.naishi import ENGINE
from engines.naishi.cards import DECK, MOUNTAIN, NAMES
from engines.naishi.facts import Cards, Fact
from engines.naishi.orders import Act, Order
from engines.naishi.state import HAND, State

FIRST, SECOND = Seat(1), Seat(2)
NO_LUCK = Forced({})

RIVER = (
    "naishi advisor sentinel monk horseman ronin",
    "naishi advisor sentinel monk horseman ronin",
    "advisor sentinel monk ninja fort torii",
    "advisor sentinel ninja fort torii rice",
    "rice rice banner fort torii rice",
)
"""The five piles from their tops."""

DRAFT = ("fort torii", "rice banner")
"""The cards that each player may keep."""


def cards(words: str) -> Cards:
    """Read names of cards."""
    return tuple([NAMES.index(word) for word in words.split()])


def dealt(options: Mapping[str, str] | None = None, river: Sequence[str] = RIVER) -> State:
    """Deal a chosen river, as much of it as is given; seat 1 plays first."""
    piles, draft = [cards(pile) for pile in river], [cards(two) for two in DRAFT]
    chosen = [card for pile in (*piles, *draft) for card in pile]
    assert Counter(chosen) == Counter(DECK), "these are not the cards of the game"
    luck = Forced({"cards": [chosen]})
    return believed(None, settled(ENGINE.setup(2, {"first_player": "1", **(options or {})}, luck)))


def begun(options: Mapping[str, str] | None = None, river: Sequence[str] = RIVER) -> State:
    """Begin the first turn: fort and rice are kept, and hands lie as they come."""
    state = played(dealt(options, river), "keep fort", seat=FIRST)
    state = played(state, "keep rice", seat=SECOND)
    one = (*cards("fort banner"), MOUNTAIN, MOUNTAIN, MOUNTAIN)
    two = (*cards("rice torii"), MOUNTAIN, MOUNTAIN, MOUNTAIN)
    return believed(state, ENGINE.close(state, Forced({"hand-1": [one], "hand-2": [two]})))


def emptied(state: State, *columns: int, left: int = 0) -> State:
    """Leave so many cards in piles of the river, columns counted from 1."""
    counts, tops = list(state.left), list(state.tops)
    for column in columns:
        counts[column - 1] = left
        tops[column - 1] = state.river[column - 1][-left] if left else -1
    return state._replace(left=tuple(counts), tops=tuple(tops))


def believed(state: State | None, facts: Iterable[Fact]) -> State:
    """Take facts into the state."""
    for fact in facts:
        state = ENGINE.evolve(state, fact)
    assert state is not None
    return state


def settled(answer: Sequence[Fact] | Problem) -> Sequence[Fact]:
    """Return facts that are no refusal."""
    assert not isinstance(answer, Problem), answer
    return answer


def read(state: State, words: str, seat: Seat) -> Order:
    """Read one order as corr hands a line over."""
    orders = ENGINE.parse(state, seat, fold(words))
    assert not isinstance(orders, Problem), f"{words}: {orders}"
    (order,) = orders
    return order


def facts_of(state: State, words: str, seat: Seat | None = None) -> Sequence[Fact]:
    """Return the facts of an order, of whoever must act unless a seat is named."""
    seat = seat or mover(state)
    return settled(ENGINE.decide(state, seat, read(state, words, seat), NO_LUCK))


def refused(state: State, words: str, seat: Seat | None = None) -> Problem:
    """Return why an order is refused."""
    seat = seat or mover(state)
    problem = ENGINE.decide(state, seat, read(state, words, seat), NO_LUCK)
    assert isinstance(problem, Problem), f"{words} is taken"
    return problem


def played(state: State, *orders: str, seat: Seat | None = None) -> State:
    """Give orders, each of whoever must act unless a seat is named."""
    for words in orders:
        state = believed(state, facts_of(state, words, seat))
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


def verbs(state: State) -> Counter[str]:
    """Count what the mover may do, by the verb."""
    return Counter(order[0].verb for order in ENGINE.orders(state, mover(state)))


def order_of(action: Sequence[Any]) -> Order:
    """Translate an action as other programs write it: ``dev 1 3``, ``swapV 2 2``, ``end``."""
    kind, *numbers = action
    one, two = (*numbers, -1, -1)[:2]
    acts = {
        "dev": Act("develop", HAND * one + two),
        "decree": Act("decree", HAND * one + two),
        "swapR": Act("river", one, two),
        "swapL": Act("swap", one, two),
        "swapH": Act("swap", HAND + one, HAND + two),
        "swapV": Act("swap", one, HAND + one),
        "disc": Act("discard", one, two),
        "recall": Act("recall"),
        "declare": Act("declare"),
        "end": Act("stop"),
    }
    return (acts[kind],)
