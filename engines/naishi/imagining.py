"""The game as somebody may imagine it who does not see everything.

What is dealt anew is dealt from the beginning: the river, the draft and the start hands of an
imagined world would have led, by the same actions, to just that world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engines.api import Chance, Viewer, Watcher
from engines.naishi.cards import MOUNTAIN
from engines.naishi.dealing import GIVEN, given_by, kept_by
from engines.naishi.facts import Cards
from engines.naishi.state import HAND, State, put, put_at, side_of


def imagined(state: State, viewer: Viewer, chance: Chance) -> State:
    """Deal anew what *viewer* cannot know: covered cards of the river, the draft, places in hands."""
    if viewer is Watcher.MASTER:
        return state
    blind = [side for side in (0, 1) if isinstance(viewer, Watcher) or side != side_of(state, viewer)]
    return redrafted(state, blind, chance) if state.turn == 0 else rehanded(state, blind, chance)


def redrafted(state: State, blind: Sequence[int], chance: Chance) -> State:
    """Deal the draft of the sides *blind* anew; in that world they have not chosen yet."""
    cards = shuffled(state, [card for side in blind for card in state.dealt[side]], chance)
    dealt, kept = state.dealt, state.kept
    for side in blind:
        dealt = put(dealt, side, tuple([next(cards) for _ in dealt[side]]))
        kept = put(kept, side, None)
    return state._replace(dealt=dealt, kept=kept, river=relaid(state, cards))


def shuffled(state: State, unknown: Sequence[int], chance: Chance) -> Iterator[int]:
    """Return cards that nobody knows, and all that lie covered in the river, in a random order."""
    covered = [card for _, rest in piles(state) for card in rest]
    return iter(chance.shuffled("imagined cards", sorted([*unknown, *covered])))


def relaid(state: State, cards: Iterator[int]) -> tuple[Cards, ...]:
    """Return the river with other cards covered."""
    return tuple([(*turned, *(next(cards) for _ in covered)) for turned, covered in piles(state)])


def piles(state: State) -> list[tuple[Cards, Cards]]:
    """Part each pile, as it was dealt, into what has been turned up and what is covered."""
    turned = [len(pile) - max(left - 1, 0) for pile, left in zip(state.river, state.left, strict=True)]
    return [(pile[:number], pile[number:]) for pile, number in zip(state.river, turned, strict=True)]


class Place(NamedTuple):
    """A place of a hand whose card a viewer has never seen."""

    side: int  # whose hand it is now
    at: int
    owner: int  # in whose hand the card was dealt
    dealt: int  # and at which place


def rehanded(state: State, blind: Sequence[int], chance: Chance) -> State:
    """Deal anew what lies hidden in hands, with the draft that would have led there."""
    places = hidden(state, blind)
    lying = [[state.start[side][place.dealt] for place in places if place.owner == side] for side in (0, 1)]
    unknown = [unproven(state, side, blind, lying[side]) for side in (0, 1)]
    cards = shuffled(state, [*unknown[0], *unknown[1]], chance)
    fresh = [
        iter(chance.shuffled(f"imagined hand-{side + 1}", [*kinds, *(next(cards) for _ in unknown[side])]))
        for side, kinds in enumerate(without(lying[side], unknown[side]) for side in (0, 1))
    ]
    state = state._replace(river=relaid(state, cards))
    for place in places:
        state = laid(state, place, next(fresh[place.owner]))
    return redrawn(state, blind, chance)


def hidden(state: State, blind: Sequence[int]) -> list[Place]:
    """Return the hidden places of hands: for one player, what it has not seen; else, what not all have."""
    return [
        Place(side, at, slot // HAND, slot % HAND)
        for side in blind
        for at, slot in enumerate(state.whence[side])
        if slot >= 0 and (len(blind) == 2 or state.unseen[side] >> at & 1)
    ]


def unproven(state: State, owner: int, blind: Sequence[int], lying: list[int]) -> list[int]:
    """Return the cards of a hand, as it was dealt, whose kind a viewer cannot tell.

    The public knows of mountains only.  A player has given one card, and may have seen so much
    that the other can only be the kept one.
    """
    if len(blind) == 2:
        return [card for card in lying if card != MOUNTAIN]
    if owner not in blind:
        return []
    told = without(state.start[owner], lying)
    proven = without(told, (given_by(state, 1 - owner), *GIVEN))
    return [] if proven else [kept_by(state, owner)]


def without(cards: Iterable[int], others: Iterable[int]) -> list[int]:
    """Return cards but for those others that are among them."""
    return sorted((Counter(cards) - Counter(others)).elements())


def laid(state: State, place: Place, card: int) -> State:
    """Return the state in which another card was dealt that lies at a hidden place now."""
    start = put_at(state.start[place.owner], place.dealt, card)
    territory = put_at(state.territories[place.side], HAND + place.at, card)
    return state._replace(
        start=put(state.start, place.owner, start),
        territories=put(state.territories, place.side, territory),
    )


def redrawn(state: State, blind: Sequence[int], chance: Chance) -> State:
    """Return the state with a draft that leads to its start hands, as far as a viewer can tell."""
    pairs, dealt = [pair(state, side, blind, chance) for side in (0, 1)], state.dealt
    for side in blind:
        two = (pairs[side][0], pairs[1 - side][1])
        dealt = put(dealt, side, chance.shuffled(f"imagined deal-{side + 1}", two))
    return state._replace(dealt=dealt, kept=(pairs[0][0], pairs[1][0]))


def pair(state: State, side: int, blind: Sequence[int], chance: Chance) -> Cards:
    """Return the card that a side has kept and the one that it was given, as a viewer may think."""
    two = tuple([card for card in state.start[side] if card != MOUNTAIN])
    if len(blind) == 2:
        return chance.shuffled(f"imagined draft-{side + 1}", two)
    return two[::-1] if two[0] == given_by(state, 1 - side) else two
