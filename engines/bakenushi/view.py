"""The table as a viewer sees it, built up from nothing."""

from __future__ import annotations

from typing import Any

from engines.api import View, Viewer, Watcher
from engines.bakenushi.orders import TURN, Order, legal
from engines.bakenushi.review import card_data, reviewed
from engines.bakenushi.state import FOX, LANDS, TANUKI, State, cards_of, first_side, land_at, mover, seat_of
from engines.bakenushi.story import seat_side, signed
from engines.bakenushi.vocabulary import COLOURS
from engines.bakenushi.words import code, spell

SIDES = ("fox", "tanuki")
LANGUAGES = ("en", "ja")


def view_of(state: State, viewer: Viewer) -> View:
    """Build the view up from nothing."""
    table, side = state.table, seat_side(state, viewer)
    over = state.outcome is not None or len(state.won) == table.game
    moves = legal(state) if not over and side == mover(state) else ()
    data = {
        "game": table.game,
        "match": table.laws.match,
        "round": state.round,
        "stage": "over" if over else stage(state),
        "first": seat_of(state, first_side(state.round)),
        "sides": [side_data(state, each, viewer) for each in (FOX, TANUKI)],
        "side": None if side is None else SIDES[side],
        "rows": [
            [cell_data(state, 4 * row + column, viewer, moves) for column in range(4)] for row in range(4)
        ],
        "fights": fights(state),
        "hand": [] if side is None else [card_data(card) for card in cards_of(state, state.hands[side])],
        "hides": any(order.verb == "hide" for order in moves),
        "orders": [order_data(order) for order in moves],
        "deck": len(state.deck),
        "gone": sorted(state.gone),
        "last": reviewed(state) if state.last else None,
        "won": [won._asdict() for won in state.won] if table.laws.match else [],
        "own_cards": table.laws.own,
    }
    return View("bakenushi/board", data)


def stage(state: State) -> str:
    """Return what the round waits for: a land, the choice of the great fox, or a card."""
    if state.choice:
        return "choice"
    return "land" if state.step < LANDS else "card"


def side_data(state: State, side: int, viewer: Viewer) -> dict[str, Any]:
    """Describe one side: what all may see of it; a master sees the hand."""
    seat = seat_of(state, side)
    shows = viewer in (seat, Watcher.MASTER)
    hand = state.hands[side] if viewer is Watcher.MASTER else ()
    return {
        "side": SIDES[side],
        "seat": seat,
        "large": state.table.large[side],
        "power": signed(state.power[side]),
        "played": [
            {"number": None, "down": True}
            if card.number == state.down and not shows
            else card_data(card, down=card.number == state.down)
            for card in cards_of(state, state.played[side])
        ],
        "cards": [card_data(card) for card in cards_of(state, hand)],
    }


def cell_data(state: State, cell: int, viewer: Viewer, moves: tuple[Order, ...]) -> dict[str, Any]:
    """Describe one land of the mountain; what lies face down only to a master."""
    up = bool(state.up >> cell & 1)
    land = land_at(state, cell) if up or viewer is Watcher.MASTER else None
    owner = next((name for name, own in zip(SIDES, state.own, strict=True) if own >> cell & 1), None)
    order = TURN[cell] if TURN[cell] in moves else None
    return {
        "at": code(cell),
        "up": up,
        "label": land.label if land else "",
        "neutral": land.neutral if land else "",
        "open": land.open if land else "",
        "chip": owner,
        "marker": marker(state, cell),
        "words": order and order_data(order)["words"],
    }


def marker(state: State, cell: int) -> str | None:
    """Return the discipline whose marker lies on a cell in this round."""
    if cell not in state.marked or state.choice:
        return None
    return COLOURS[state.order[state.marked.index(cell)]]


def fights(state: State) -> list[dict[str, Any]]:
    """Say which land each discipline is for in this round; those that have none yet come last."""
    cells = () if state.choice else state.marked
    return [
        {
            "discipline": COLOURS[discipline],
            "at": code(cells[place]) if place < len(cells) else None,
            "label": land_at(state, cells[place]).label if place < len(cells) else None,
        }
        for place, discipline in enumerate(state.order)
    ]


def order_data(order: Order) -> dict[str, Any]:
    """Describe something that the reader may do."""
    return {"verb": order.verb, "what": order.what, "words": {lang: spell(order, lang) for lang in LANGUAGES}}
