"""What a player may do: turn a land up, choose a discipline, play a card."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from engines.bakenushi.facts import Three
from engines.bakenushi.mountain import CELLS
from engines.bakenushi.scoring import BLUE, GREEN, RED
from engines.bakenushi.state import FOX, LANDS, TANUKI, USUAL, State, mover

Verb: TypeAlias = Literal["turn", "choose", "play", "hide"]


class Order(NamedTuple):
    """One order."""

    verb: Verb
    what: int  # a cell to turn up, a discipline to choose, a card to play or to hide


TURN = tuple(Order("turn", cell) for cell in CELLS)
CHOOSE = tuple(Order("choose", discipline) for discipline in (BLUE, GREEN, RED))
PLAY = {number: Order("play", number) for number in range(1, 36)}
HIDE = {number: Order("hide", number) for number in range(1, 36)}


@lru_cache(maxsize=64)
def covered(up: int) -> tuple[Order, ...]:
    """Return an order for each land that lies face down."""
    return tuple([order for cell, order in enumerate(TURN) if not up >> cell & 1])


def legal(state: State) -> tuple[Order, ...]:
    """Return all that the mover may do now."""
    if state.choice:
        return CHOOSE
    if state.step < LANDS:
        return covered(state.up)
    return playable(state.hands[mover(state)], may_hide(state))


@lru_cache(maxsize=64)
def playable(hand: tuple[int, ...], hides: bool) -> tuple[Order, ...]:
    """Return an order for each card of a hand, and with *hides* one to play it face down."""
    shown = [PLAY[card] for card in hand]
    return tuple(shown + [HIDE[card] for card in hand] if hides else shown)


def may_hide(state: State) -> bool:
    """Tell whether the mover may play a card face down.

    The great tanuki may as first player, in rounds 2 and 4, once a round (ruling 13).
    """
    return state.table.large[TANUKI] and state.round % 2 == 0 and not state.down and mover(state) == TANUKI


def may_choose(state: State) -> bool:
    """Tell whether the mover chooses the discipline of the land that it turns up now.

    The great fox does as first player, in rounds 1 and 3, for the first land (ruling 14).
    """
    return state.table.large[FOX] and state.round % 2 == 1 and not state.marked


def reordered(discipline: int, swap: bool) -> Three:
    """Return the order of the markers when the great fox begins with *discipline*.

    The marker swaps places with blue, or, without *swap*, moves to the front.
    """
    rest = [other for other in USUAL if other != discipline]
    if swap and discipline == RED:
        rest.reverse()
    return discipline, rest[0], rest[1]
