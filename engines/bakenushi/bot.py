"""A simple player: it tries each card in imagined deals, and takes the one that brings most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engines.api import Chance, Seat
from engines.bakenushi.facts import Played
from engines.bakenushi.judging import GOAL, ending, judge
from engines.bakenushi.orders import Order, legal
from engines.bakenushi.state import STEPS, State, believe, mover, seat_of, side_of

WORLDS = 4
"""Imagined deals in which a card is tried."""


def chosen(worlds: Iterator[State], seat: Seat, chance: Chance) -> Order:
    """Return an order: a land by lot, a card by trial; luck breaks ties."""
    tried = list(islice(worlds, WORLDS))
    orders = legal(tried[0])
    word = f"bot-{tried[0].round}-{len(tried[0].deck)}-{len(orders)}"
    if orders[0].verb != "play":
        return chance.pick(word, orders)
    worth = {order: sum(prospect(world, seat, order, chance) for world in tried) for order in orders}
    best = max(worth.values())
    return chance.pick(word, [order for order in orders if worth[order] == best])


def prospect(state: State, seat: Seat, order: Order, chance: Chance) -> int:
    """Return what a card brings if all cards after it were the middle ones of their hands."""
    state = believe(state, Played(seat, order.what, order.verb == "hide"))
    while state.step < STEPS:
        side = mover(state)
        hand = state.hands[side]
        state = believe(state, Played(seat_of(state, side), hand[len(hand) // 2], down=False))
    return balance(believe(state, judge(state)), side_of(state, seat))


def balance(state: State, side: int) -> int:
    """Return how a side stands after a judgement: its power against the other's, or a decision."""
    end = ending(state)
    if end is not None:
        return 10 * GOAL if end.winner == side else -10 * GOAL
    return state.power[side] - state.power[1 - side]
