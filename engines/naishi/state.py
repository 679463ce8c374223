"""The table in play, and how facts change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from engines.api import Outcome, Seat
from engines.naishi.cards import MOUNTAIN
from engines.naishi.facts import (
    Began,
    Cards,
    Dealt,
    Declared,
    Decreed,
    Developed,
    Exchanged,
    Fact,
    Final,
    Finished,
    Handed,
    Kept,
    Laws,
    Recalled,
    Stopped,
    Swapped,
    Washed,
)

HAND = 5
"""The first place of the hand; the places before it are the line."""

EMPTY = -1
"""What lies on top of an empty pile."""

T = TypeVar("T")


class State(NamedTuple):
    """A game of Naishi.  Pairs are of the first player and of the second; sides are 0 and 1.

    What most actions change stands first.  A turn that has ended gives way to the next at once,
    also when it was the last one.
    """

    territories: tuple[Cards, Cards]  # ten places each; empty before the hands are dealt
    tops: Cards  # the five river cards that lie face up; EMPTY where a pile is empty
    left: Cards  # how many cards each pile of the river has, the top card counted
    side: int  # whose turn it is
    turn: int  # from 1; 0 in the draft
    developed: bool  # in this turn
    helped: bool  # an emissary has acted in this turn
    moved: tuple[str, Cards]  # the last action of a turn, and the places or columns that it named
    gone: Cards  # discarded cards, the oldest first
    unseen: tuple[int, int]  # bit n: the opponent has never seen the card at place 5 + n of the hand
    whence: tuple[Cards, Cards]  # see ``CLOSED``
    reserve: tuple[int, int]  # emissaries
    swaps: tuple[int, int]  # emissaries on the spaces for swaps
    washes: tuple[int, int]  # emissaries on the spaces for river discards
    decreed: int | None  # the side whose emissary is on the decree
    final: int | None  # the side whose turn is the last
    laws: Laws
    first: Seat
    river: tuple[Cards, ...]  # as it was dealt: what lies below a top is a suffix of its pile
    dealt: tuple[Cards, Cards]
    kept: tuple[int | None, int | None]  # the chosen cards of the draft
    start: tuple[Cards, Cards]  # hands as they were dealt
    finished: Finished | None
    outcome: Outcome | None


Known: TypeAlias = tuple[tuple[int, int], tuple[Cards, Cards]]
"""``unseen`` and ``whence``: what is known of the hands."""

SEEN: Cards = (-1,) * 5
"""``whence`` of a hand that everybody knows."""

CLOSED: tuple[Cards, Cards] = (tuple(range(5)), tuple(range(5, 10)))
"""``whence`` at the start: for each place of a hand, from which place of the hands as they were
dealt (0 to 4 of the first player's, 5 to 9 of the second's) its card came, and -1 once everybody
has seen the card.  It differs from ``unseen`` after a decree between hands: both players then know
both cards, and nobody else does.
"""

SEATS = {Seat(1): (Seat(1), Seat(2)), Seat(2): (Seat(2), Seat(1))}
"""Both seats in the order of play, by the first player's."""


def side_of(state: State, seat: Seat) -> int:
    """Return 0 for the first player, 1 for the second."""
    return 0 if seat == state.first else 1


def seat_of(state: State, side: int) -> Seat:
    """Return the seat of a side."""
    return SEATS[state.first][side]


def put(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    """Return a pair with another value for one side."""
    return (pair[0], value) if side else (value, pair[1])


def put_at(cards: Cards, at: int, card: int) -> Cards:
    """Return a row of cards with another card at one place."""
    row = list(cards)
    row[at] = card
    return tuple(row)


def traded(cards: Cards, one: int, two: int) -> Cards:
    """Return a row of cards with two of them in each other's place."""
    row = list(cards)
    row[one], row[two] = row[two], row[one]
    return tuple(row)


def began(state: State | None, fact: Began) -> State:
    """Open the box."""
    return State(
        territories=((), ()),
        tops=(),
        left=(),
        side=0,
        turn=0,
        developed=False,
        helped=False,
        moved=("", ()),
        reserve=(2, 2),
        swaps=(0, 0),
        washes=(0, 0),
        gone=(),
        unseen=(0, 0),
        whence=(SEEN, SEEN),
        decreed=None,
        final=None,
        laws=fact.laws,
        first=fact.first,
        river=(),
        dealt=((), ()),
        kept=(None, None),
        start=((), ()),
        finished=None,
        outcome=None,
    )


def dealt(state: State, fact: Dealt) -> State:
    """Lay the river and deal two cards to each side."""
    tops, left = tuple([pile[0] for pile in fact.river]), tuple([len(pile) for pile in fact.river])
    return state._replace(tops=tops, left=left, river=fact.river, dealt=fact.dealt)


def kept(state: State, fact: Kept) -> State:
    """Note a choice of the draft."""
    return state._replace(kept=put(state.kept, side_of(state, fact.by), fact.card))


def handed(state: State, fact: Handed) -> State:
    """Give the hands out behind the lines; the first turn begins."""
    line = (MOUNTAIN,) * HAND
    return state._replace(
        territories=(line + fact.hands[0], line + fact.hands[1]),
        turn=1,
        unseen=(31, 31),
        whence=CLOSED,
        start=fact.hands,
    )


def taken(state: State, *columns: int) -> tuple[Cards, Cards]:
    """Return ``tops`` and ``left`` when the top cards of columns have gone and the next are turned up."""
    tops, left = list(state.tops), list(state.left)
    for column in columns:
        left[column] -= 1
        tops[column] = state.river[column][-left[column]] if left[column] else EMPTY
    return tuple(tops), tuple(left)


def developed(state: State, fact: Developed) -> State:
    """Put the top card of a pile into the territory, and turn the next one up."""
    side, at, ends = state.side, fact.at, fact.ends
    tops, left = taken(state, at % HAND)
    unseen, whence = state[9:11] if at < HAND else seen(state, side, at - HAND)
    return State(
        put(state.territories, side, put_at(state.territories[side], at, fact.came)),
        tops,
        left,
        1 - side if ends else side,
        state.turn + ends,
        not ends,
        False,
        ("develop", (at,)),
        (*state.gone, fact.lost),
        unseen,
        whence,
        *state[11:],
    )


def seen(state: State, side: int, at: int) -> Known:
    """Return what is known when everybody knows the card at a place of a hand."""
    unseen, whence = state.unseen, state.whence
    if whence[side][at] < 0:
        return unseen, whence
    return (
        put(unseen, side, unseen[side] & ~(1 << at)),
        put(whence, side, put_at(whence[side], at, -1)),
    )


def rearranged(state: State, side: int, one: int, two: int) -> Known:
    """Return what is known when two cards of a hand have changed places: it goes with the cards."""
    bits, whence = state.unseen[side], traded(state.whence[side], one, two)
    if (bits >> one ^ bits >> two) & 1:
        bits ^= 1 << one | 1 << two
    return put(state.unseen, side, bits), put(state.whence, side, whence)


def exchanged(state: State, fact: Exchanged) -> State:
    """Swap two top cards of the river."""
    moved, tops = ("river", fact.columns), traded(state.tops, *fact.columns)
    return sent(state, fact.ends, moved, state.territories, tops, state[9:11])


def swapped(state: State, fact: Swapped) -> State:
    """Swap two cards of the mover's territory; what lay in a hand is seen when it comes to the line."""
    side, (one, two), known = state.side, fact.places, state[9:11]
    if one >= HAND:
        known = rearranged(state, side, one - HAND, two - HAND)
    elif two >= HAND:
        known = seen(state, side, two - HAND)
    territories = put(state.territories, side, traded(state.territories[side], one, two))
    return sent(state, fact.ends, ("swap", fact.places), territories, state.tops, known)


def sent(
    state: State,
    ends: bool,
    moved: tuple[str, Cards],
    territories: tuple[Cards, Cards],
    tops: Cards,
    known: Known,
) -> State:
    """Send an emissary of the mover to a space for swaps."""
    side, (unseen, whence) = state.side, known
    return State(
        territories,
        tops,
        state.left,
        1 - side if ends else side,
        state.turn + ends,
        False,
        not ends,
        moved,
        state.gone,
        unseen,
        whence,
        put(state.reserve, side, state.reserve[side] - 1),
        put(state.swaps, side, state.swaps[side] + 1),
        *state[13:],
    )


def washed(state: State, fact: Washed) -> State:
    """Discard two top cards of the river; only then the next ones are turned up."""
    side, ends = state.side, fact.ends
    tops, left = taken(state, *fact.columns)
    return State(
        state.territories,
        tops,
        left,
        1 - side if ends else side,
        state.turn + ends,
        False,
        not ends,
        ("discard", fact.columns),
        (*state.gone, *fact.cards),
        state.unseen,
        state.whence,
        put(state.reserve, side, state.reserve[side] - 1),
        state.swaps,
        put(state.washes, side, state.washes[side] + 1),
        *state[14:],
    )


def decreed(state: State, fact: Decreed) -> State:
    """Let facing cards change owners, with all that is known of them."""
    at, side = fact.at, state.side
    territories = put(state.territories, side, put_at(state.territories[side], at, fact.taken))
    territories = put(territories, 1 - side, put_at(territories[1 - side], at, fact.given))
    unseen, whence = state.unseen, state.whence
    if at >= HAND:
        place = at - HAND
        (one, two), known = whence, ~(1 << place)
        whence = (put_at(one, place, two[place]), put_at(two, place, one[place]))
        unseen = (unseen[0] & known, unseen[1] & known)
    return passed(state, "decree", at)._replace(
        territories=territories,
        reserve=put(state.reserve, side, state.reserve[side] - 1),
        decreed=side,
        unseen=unseen,
        whence=whence,
    )


def recalled(state: State, fact: Recalled) -> State:
    """Bring the mover's emissaries back into the reserve, but for one on the decree."""
    side = state.side
    back = state.reserve[side] + state.swaps[side] + state.washes[side]
    return passed(state, "recall")._replace(
        reserve=put(state.reserve, side, back),
        swaps=put(state.swaps, side, 0),
        washes=put(state.washes, side, 0),
    )


def declared(state: State, fact: Declared) -> State:
    """Let the other side have its last turn; a fact of its own says so."""
    return passed(state, "declare")


def stopped(state: State, fact: Stopped) -> State:
    """End a turn without an emissary."""
    return passed(state, "stop")


def passed(state: State, verb: str, *places: int) -> State:
    """Give the turn to the other side after an action."""
    return state._replace(
        side=1 - state.side, turn=state.turn + 1, developed=False, helped=False, moved=(verb, places)
    )


def final(state: State, fact: Final) -> State:
    """Note whose turn is the last."""
    return state._replace(final=side_of(state, fact.by))


def finished(state: State, fact: Finished) -> State:
    """End the game and show both hands."""
    winners = frozenset[Seat]() if fact.winner is None else frozenset({fact.winner})
    return state._replace(
        unseen=(0, 0), whence=(SEEN, SEEN), finished=fact, outcome=Outcome(winners, fact.reason)
    )


BELIEVE: dict[type[Any], Callable[[Any, Any], State]] = {
    Began: began,
    Dealt: dealt,
    Kept: kept,
    Handed: handed,
    Developed: developed,
    Exchanged: exchanged,
    Swapped: swapped,
    Washed: washed,
    Decreed: decreed,
    Recalled: recalled,
    Declared: declared,
    Stopped: stopped,
    Final: final,
    Finished: finished,
}


def believe(state: State | None, fact: Fact) -> State:
    """Take a fact into the state."""
    return BELIEVE[type(fact)](state, fact)
