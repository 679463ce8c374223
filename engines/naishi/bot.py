"""A simple player: it tries each action in imagined deals and takes the one that scores most at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice

from engines.api import Chance, Seat
from engines.naishi.orders import Order, choices, keeps
from engines.naishi.scoring import best
from engines.naishi.state import State, believe, side_of
from engines.naishi.turn import outcome_of

WORLDS = 2
"""Imagined deals in which an action is tried."""

PRICE = 4
"""Points that an emissary must bring to be sent: it is missed later."""

FAR = 1000
"""More than any territory is worth."""

MAIN, FREE = {"develop", "decree", "declare"}, {"develop", "stop"}

LEAD = 15
"""Points ahead with which the end is declared: the other still has a turn."""


def chosen(worlds: Iterator[State], seat: Seat, chance: Chance) -> Order:
    """Return an order: the card to keep by lot, an action by trial; luck breaks ties."""
    tried = list(islice(worlds, WORLDS))
    state, side = tried[0], side_of(tried[0], seat)
    if state.turn == 0:
        return chance.pick("bot-draft", keeps(state.dealt[side]))
    worth = {order: sum(prospect(world, seat, order) for world in tried) for order in considered(state)}
    most = max(worth.values())
    word = f"bot-{state.turn}-{state.developed}-{state.helped}"
    return chance.pick(word, [order for order in worth if worth[order] == most])


def considered(state: State) -> list[Order]:
    """Return what is worth a trial: emissaries act after the develop only, and none is called back."""
    orders = choices(state).orders
    return [order for order in orders if order[0].verb in MAIN] or list(orders)


def prospect(state: State, seat: Seat, order: Order) -> int:
    """Return how far ahead a seat is at once after an action, less what the action costs."""
    side, (act,) = side_of(state, seat), order
    territories = reduce(believe, outcome_of(state, seat, act), state).territories
    ahead = best(territories[side], state.laws).total - best(territories[1 - side], state.laws).total
    if act.verb == "declare":
        return FAR if ahead >= LEAD else -FAR
    return ahead - (0 if act.verb in FREE else PRICE)
