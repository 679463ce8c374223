"""The score sheet: what each kind of card brought to both players."""

from __future__ import annotations

from typing import Any

from engines.naishi.cards import NAMES, NINJA
from engines.naishi.facts import Finished
from engines.naishi.state import HAND, State, seat_of

SIDES = (0, 1)


def reviewed(state: State, fact: Finished) -> dict[str, Any]:
    """Describe the sheet; columns are the first player's and the second's."""
    return {
        "seats": [seat_of(state, side) for side in SIDES],
        "ninjas": [ninja for side in SIDES for ninja in ninjas(state, fact, side)],
        "rows": [row(fact, kind) for kind in range(len(NAMES)) if any(kind in t for t in fact.territories)],
        "totals": [sum(points) for points in fact.points],
        "colours": list(fact.colours),
        "winner": fact.winner,
        "reason": fact.reason,
    }


def row(fact: Finished, kind: int) -> dict[str, Any]:
    """Describe what a kind of card brought; ninjas count as what they copy."""
    return {
        "card": NAMES[kind],
        "cells": [
            {"count": fact.territories[side].count(kind), "points": fact.points[side][kind]} for side in SIDES
        ],
    }


def ninjas(state: State, fact: Finished, side: int) -> list[dict[str, Any]]:
    """Say what the ninjas of a side copied: nothing where the name of a card is missing."""
    return [
        {
            "seat": seat_of(state, side),
            "row": "line" if place < HAND else "hand",
            "column": place % HAND + 1,
            "copy": NAMES[copy] if copy != NINJA else None,
        }
        for place, (card, copy) in enumerate(
            zip(state.territories[side], fact.territories[side], strict=True)
        )
        if card == NINJA
    ]
