"""What a player may do: choose a card to keep, then a turn of one action or two."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from engines.naishi.state import HAND, State

Verb: TypeAlias = Literal[
    "keep", "develop", "river", "swap", "discard", "decree", "recall", "declare", "stop"
]

SWAPS, WASHES = 3, 2
"""Spaces of the court for swaps and for river discards."""


class Act(NamedTuple):
    """One action.  Of two columns or places, the smaller comes first."""

    verb: Verb
    first: int = -1  # keep: a card; develop, decree: a place; river, discard: a column; swap: a place
    second: int = -1  # river, discard: another column; swap: another place


Order: TypeAlias = tuple[Act, ...]
"""The actions of one line.  What a turn still needs after them stays open."""

ROW = range(5)
PAIRS = tuple(combinations(ROW, 2))

KEEP = tuple([(Act("keep", card),) for card in range(12)])
DEVELOP = tuple([(Act("develop", place),) for place in range(10)])
DECREE = tuple([(Act("decree", place),) for place in range(10)])
RIVER = {pair: (Act("river", *pair),) for pair in PAIRS}
DISCARD = {pair: (Act("discard", *pair),) for pair in PAIRS}
WITHIN = tuple([(Act("swap", row + one, row + two),) for row in (0, HAND) for one, two in PAIRS])
"""Swaps of two cards of one row."""

BEHIND = tuple([(Act("swap", column, HAND + column),) for column in ROW])
"""Swaps of a card of the line with the one behind it."""

ACROSS = tuple([(Act("swap", line, HAND + hand),) for line in ROW for hand in ROW])
"""Swaps of any card of the line with any of the hand."""

RECALL, DECLARE, STOP = ((Act("recall"),),), ((Act("declare"),),), ((Act("stop"),),)


class Choices(NamedTuple):
    """All that the mover may do now, in a stable order, and the same for quick looking up."""

    orders: tuple[Order, ...]
    known: frozenset[Order]


def keeps(dealt: tuple[int, ...]) -> tuple[Order, ...]:
    """Return an order for each different card of the draft."""
    return tuple([KEEP[card] for card in dict.fromkeys(dealt)])


def choices(state: State) -> Choices:
    """Return what the mover may do now; a turn that is open always offers something (rule 3.7)."""
    left = state.left
    columns = filled(left) if 0 in left else (0, 1, 2, 3, 4)
    if state.helped:
        return developing(columns)
    side, swap, wash = state.side, state.swaps, state.washes
    ready = state.reserve[side] > 0
    swaps, washes = ready and swap[0] + swap[1] < SWAPS, ready and wash[0] + wash[1] < WASHES
    if state.developed:
        return afterwards(columns, swaps, washes, state.laws.any_column)
    return beginning(
        columns,
        swaps,
        washes and sum(left) > WASHES,
        ready and state.decreed is None,
        swap[side] + wash[side] > 0,
        state.final is None and 0 in left,
        state.laws.any_column,
    )


def filled(left: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns of the river that have cards."""
    return tuple([column for column, cards in enumerate(left) if cards])


@lru_cache(maxsize=2048)
def beginning(
    columns: tuple[int, ...],
    swaps: bool,
    washes: bool,
    decree: bool,
    recall: bool,
    declare: bool,
    any_column: bool,
) -> Choices:
    """Return what may be done at the start of a turn."""
    return chosen(
        developing(columns).orders,
        DECREE if decree else (),
        RECALL if recall else (),
        DECLARE if declare else (),
        helping(columns, swaps, washes, any_column),
    )


@lru_cache(maxsize=64)
def developing(columns: tuple[int, ...]) -> Choices:
    """Return what may be developed."""
    return chosen(tuple([DEVELOP[row + column] for row in (0, HAND) for column in columns]))


@lru_cache(maxsize=512)
def afterwards(columns: tuple[int, ...], swaps: bool, washes: bool, any_column: bool) -> Choices:
    """Return what may be done after a develop."""
    return chosen(helping(columns, swaps, washes, any_column), STOP)


def helping(columns: tuple[int, ...], swaps: bool, washes: bool, any_column: bool) -> tuple[Order, ...]:
    """Return what an emissary may do."""
    pairs, orders = tuple(combinations(columns, 2)), list[Order]()
    if swaps:
        orders += [*map(RIVER.__getitem__, pairs), *WITHIN, *(ACROSS if any_column else BEHIND)]
    if washes:
        orders += map(DISCARD.__getitem__, pairs)
    return tuple(orders)


def chosen(*groups: tuple[Order, ...]) -> Choices:
    """Put groups of orders together."""
    orders = tuple([order for group in groups for order in group])
    return Choices(orders, frozenset(orders))
