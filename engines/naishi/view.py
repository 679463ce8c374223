"""The table as a viewer sees it, built up from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engines.api import Seat, View, Viewer, Watcher
from engines.naishi.cards import NAMES
from engines.naishi.dealing import given_by
from engines.naishi.orders import SWAPS, WASHES, Order, choices, keeps
from engines.naishi.review import reviewed
from engines.naishi.state import HAND, State, seat_of, side_of
from engines.naishi.story import shown
from engines.naishi.words import spell

LANGUAGES = ("en", "ja")

GROUPS = (
    *("keep", "stop", "develop-line", "develop-hand", "river", "swap-line", "swap-hand", "swap-both"),
    *("swap-across", "discard", "decree-line", "decree-hand", "recall", "declare"),
)
"""How orders are put together for the eye."""


def view_of(state: State, viewer: Viewer) -> View:
    """Build the view up from nothing."""
    side = None if isinstance(viewer, Watcher) else side_of(state, Seat(viewer))
    orders = open_to(state, side)
    data = {
        "stage": stage(state),
        "turn": state.turn,
        "first": state.first,
        "mover": seat_of(state, state.side) if state.turn and state.finished is None else None,
        "mine": side is not None and side == state.side,
        "last": None if state.final is None else seat_of(state, state.final),
        "river": [pile(state, column) for column in range(5)],
        "sides": [side_data(state, each, viewer, orders) for each in seen_from(side)],
        "court": court(state),
        "moved": {"verb": state.moved[0], "places": list(state.moved[1])},
        "drafts": [draft(state, each, viewer) for each in (0, 1) if drafting(state, viewer, each)],
        "orders": grouped(orders),
        "both": both(state, orders),
        "gone": counted(state.gone),
        "lists_gone": state.laws.lists_discards and state.turn > 0,
        "review": reviewed(state, state.finished) if state.finished else None,
    }
    return View("naishi/board", data)


def seen_from(side: int | None) -> tuple[int, int]:
    """Return the sides as they lie on the table: the far one first, the reader's own last."""
    return (0, 1) if side == 1 else (1, 0)


def stage(state: State) -> str:
    """Return what the game waits for."""
    if state.finished is not None:
        return "over"
    if state.turn == 0:
        return "draft"
    if state.developed:
        return "developed"
    return "helped" if state.helped else "turn"


def open_to(state: State, side: int | None) -> tuple[Order, ...]:
    """Return what a side may do now."""
    if side is None or state.finished is not None:
        return ()
    if state.turn == 0:
        return keeps(state.dealt[side])
    return choices(state).orders if side == state.side else ()


def pile(state: State, column: int) -> dict[str, Any]:
    """Describe a pile of the river."""
    left = state.left[column]
    return {"column": column + 1, "card": NAMES[state.tops[column]] if left else None, "left": left}


def side_data(state: State, side: int, viewer: Viewer, orders: Sequence[Order]) -> dict[str, Any]:
    """Describe one side: its territory as the viewer knows it, and its emissaries."""
    own = viewer == seat_of(state, side)
    places = [cell(state, side, at, viewer) for at in range(len(state.territories[side]))]
    develops = {order[0].first: order for order in orders if order[0].verb == "develop"}
    for at, place in enumerate(places):
        place["words"] = words(develops[at]) if own and at in develops else None
    return {
        "seat": seat_of(state, side),
        "own": own,
        "line": places[:HAND],
        "hand": places[HAND:],
        "reserve": state.reserve[side],
        "gift": gift(state, side, viewer),
    }


def cell(state: State, side: int, at: int, viewer: Viewer) -> dict[str, Any]:
    """Describe one place; ``closed`` is a card that its owner sees and the opponent has never seen."""
    known = shown(state, viewer, side, at)
    return {
        "column": at % HAND + 1,
        "card": NAMES[state.territories[side][at]] if known else None,
        "closed": known and at >= HAND and bool(state.unseen[side] >> at - HAND & 1),
    }


def gift(state: State, side: int, viewer: Viewer) -> str | None:
    """Return the card that the viewer gave to a side whose hand still hides something."""
    giver = viewer == seat_of(state, 1 - side)
    return NAMES[given_by(state, 1 - side)] if giver and state.turn and state.unseen[side] else None


def court(state: State) -> dict[str, Any]:
    """Describe the spaces of the court, and whose emissaries stand there."""
    decrees = (int(state.decreed == 0), int(state.decreed == 1))
    return {
        kind: {
            "spaces": spaces,
            "free": spaces - sum(taken),
            "taken": [{"seat": seat_of(state, side), "count": taken[side]} for side in (0, 1) if taken[side]],
        }
        for kind, spaces, taken in (
            ("swap", SWAPS, state.swaps),
            ("discard", WASHES, state.washes),
            ("decree", 1, decrees),
        )
    }


def drafting(state: State, viewer: Viewer, side: int) -> bool:
    """Tell whether a viewer sees the two cards that a side was dealt."""
    return state.turn == 0 and viewer in (seat_of(state, side), Watcher.MASTER)


def draft(state: State, side: int, viewer: Viewer) -> dict[str, Any]:
    """Describe the draft of one side."""
    kept = state.kept[side]
    return {
        "seat": seat_of(state, side),
        "own": viewer == seat_of(state, side),
        "cards": [NAMES[card] for card in state.dealt[side]],
        "kept": None if kept is None else NAMES[kept],
    }


def grouped(orders: Sequence[Order]) -> list[dict[str, Any]]:
    """Put orders together by what they do, each with a short label and its words."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for order in orders:
        groups.setdefault(group(order), []).append({"label": label(order), "words": words(order)})
    return [{"group": key, "orders": groups[key]} for key in GROUPS if key in groups]


def group(order: Order) -> str:
    """Return the name of an order's group."""
    verb, first, second = order[0]
    if verb in {"develop", "decree"}:
        return f"{verb}-{'line' if first < HAND else 'hand'}"
    if verb != "swap":
        return verb
    if second < HAND:
        return "swap-line"
    if first >= HAND:
        return "swap-hand"
    return "swap-both" if second - first == HAND else "swap-across"


def label(order: Order) -> list[int]:
    """Return the columns of an order: one of a place, two of a pair, one for two places behind each other."""
    verb, *places = order[0]
    columns = [] if verb == "keep" else [place % HAND + 1 for place in places if place >= 0]
    return columns[:1] if len(set(columns)) == 1 else columns


def both(state: State, orders: Sequence[Order]) -> Mapping[str, str] | None:
    """Write a turn of two actions as an example: an emissary's, then a develop."""
    helps = [order for verb in ("swap", "discard") for order in orders if order[0].verb == verb]
    develops = [order for order in orders if order[0].verb == "develop"]
    if not helps or not develops:
        return None
    verb, *washed = helps[0][0]
    left = [cards - (verb == "discard" and column in washed) for column, cards in enumerate(state.left)]
    return words(helps[0] + next(order for order in reversed(develops) if left[order[0].first % HAND]))


@lru_cache(maxsize=500)  # the same few orders come up in every game
def words(order: Order) -> Mapping[str, str]:
    """Write an order in every language."""
    return {lang: spell(order, lang) for lang in LANGUAGES}


def counted(gone: Sequence[int]) -> list[dict[str, Any]]:
    """Count discarded cards by kind."""
    return [{"card": NAMES[kind], "count": gone.count(kind)} for kind in sorted(set(gone))]
