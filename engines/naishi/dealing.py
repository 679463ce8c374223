"""The deal, the draft and the hands that come of it (section 2 of the rules)."""

from __future__ import annotations

from engines.api import Chance
from engines.naishi.cards import DECK, MOUNTAIN
from engines.naishi.facts import Dealt, Handed
from engines.naishi.state import HAND, State

PILE = 6
"""Cards of each pile of the river."""

GIVEN = (MOUNTAIN,) * 3
"""Mountains that are shuffled into each hand."""


def deal(chance: Chance) -> Dealt:
    """Lay the river and deal two cards to each player; those of the first player come off first."""
    deck = chance.shuffled("cards", DECK)
    river = tuple([deck[PILE * column : PILE * (column + 1)] for column in range(HAND)])
    return Dealt(river, (deck[-4:-2], deck[-2:]))


def hand_out(state: State, chance: Chance) -> Handed:
    """Give the other cards of the draft, add mountains, and shuffle both hands."""
    hands = [
        chance.shuffled(f"hand-{side + 1}", (kept_by(state, side), given_by(state, 1 - side), *GIVEN))
        for side in (0, 1)
    ]
    return Handed((hands[0], hands[1]))


def kept_by(state: State, side: int) -> int:
    """Return the card that a side has kept."""
    card = state.kept[side]
    assert card is not None, "the draft is over"
    return card


def given_by(state: State, side: int) -> int:
    """Return the card that a side has given away: the other of its two."""
    one, two = state.dealt[side]
    return two if kept_by(state, side) == one else one
