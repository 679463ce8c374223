"""The deal, and the deal as somebody may imagine it who does not see everything."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import Chance, Seat, Viewer, Watcher
from engines.bakenushi.facts import Dealt
from engines.bakenushi.match import large_sides
from engines.bakenushi.mountain import CELLS
from engines.bakenushi.state import FOX, TANUKI, State, side_of


def deal(state: State, fox: Seat, chance: Chance) -> Dealt:
    """Lay the mountain and shuffle the cards for the next game."""
    mountain = chance.shuffled("lands", range(1, 17))
    deck = chance.shuffled("cards", range(1, 36))
    large = large_sides(state.table.laws, state.won[-1] if state.won else None, fox)
    return Dealt(state.table.game + 1, fox, large, mountain, deck)


def imagined(state: State, viewer: Viewer, chance: Chance) -> State:
    """Deal anew what *viewer* cannot know: lands that lie face down, hands, the deck, a hidden card."""
    if viewer is Watcher.MASTER:
        return state
    blind = [side for side in (FOX, TANUKI) if isinstance(viewer, Watcher) or side != side_of(state, viewer)]
    return recarded(relaid(state, chance), blind, chance)


def relaid(state: State, chance: Chance) -> State:
    """Shuffle the lands that lie face down."""
    mountain = list(state.table.mountain)
    covered = [cell for cell in CELLS if not state.up >> cell & 1]
    lands = chance.shuffled("imagined lands", sorted(mountain[cell] for cell in covered))
    for cell, land in zip(covered, lands, strict=True):
        mountain[cell] = land
    return state._replace(table=state.table._replace(mountain=tuple(mountain)))


def recarded(state: State, blind: Sequence[int], chance: Chance) -> State:
    """Shuffle the deck, the hands of the sides *blind* and, among these, the hidden card."""
    hidden = state.down if TANUKI in blind else 0
    unknown = [
        *state.deck,
        *(card for side in blind for card in state.hands[side]),
        *([hidden] if hidden else []),
    ]
    cards = iter(chance.shuffled("imagined cards", sorted(unknown)))
    hands = list(state.hands)
    for side in blind:
        hands[side] = tuple(sorted(next(cards) for _ in hands[side]))
    if hidden:
        state = with_hidden(state, next(cards))
    return state._replace(hands=(hands[0], hands[1]), deck=tuple(cards))


def with_hidden(state: State, card: int) -> State:
    """Put another card in place of the hidden one."""
    tanuki = tuple(card if number == state.down else number for number in state.played[TANUKI])
    return state._replace(played=(state.played[FOX], tanuki), down=card)
