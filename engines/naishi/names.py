"""Cards, places and actions inside phrases."""

from __future__ import annotations

from engines.api import Phrase
from engines.naishi.cards import NAMES
from engines.naishi.orders import Verb
from engines.naishi.state import HAND


def card_phrase(card: int) -> Phrase:
    """Name a card inside a phrase."""
    return Phrase(f"naishi.card.{NAMES[card]}")


def place_phrase(place: int) -> Phrase:
    """Name a place of a territory inside a phrase; columns are counted from 1."""
    row = "line" if place < HAND else "hand"
    return Phrase(f"naishi.place.{row}", {"column": place % HAND + 1})


def action_phrase(verb: Verb) -> Phrase:
    """Name an action inside a phrase."""
    return Phrase(f"naishi.action.{verb}")
