"""The table in play, and how facts change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engines.api import Outcome, Seat
from engines.bakenushi.facts import (
    Began,
    Card,
    Chosen,
    Dealt,
    Drawn,
    Fact,
    Finished,
    Judged,
    Land,
    Laws,
    Pair,
    Played,
    Three,
    Turned,
    Uncovered,
    Won,
)

FOX, TANUKI = 0, 1
"""The sides, as indices of pairs."""

USUAL: Three = (0, 1, 2)
"""Blue, green, red: the order of the markers as it is printed."""

HAND, DRAW = 6, 3
"""Cards of a hand, and those that are drawn for each new round."""

ROUNDS = 4

TURNS = (0, 1, 0, 0, 1, 0, 1, 0, 1, 0)
"""Who acts in each step of a round, 0 for the first player: three lands, six cards, and the end."""

LANDS, STEPS = 3, 9
"""The steps of a round that turn up lands, and all of them."""


class Table(NamedTuple):
    """What stays as it is for a whole game."""

    laws: Laws
    cards: tuple[Card, ...]  # card n at n - 1
    lands: tuple[Land, ...]  # land n at n - 1
    game: int
    fox: Seat
    large: tuple[bool, bool]
    mountain: tuple[int, ...]


class Review(NamedTuple):
    """A round that is over, for those who want to reckon again.  All of it is public."""

    game: int
    round: int
    fox: Seat
    great: bool  # the tanuki plays the large side
    gaining: bool
    played: tuple[tuple[int, ...], tuple[int, ...]]
    order: Three
    marked: tuple[int, ...]
    lands: tuple[Land, ...]  # on the marked cells
    judged: Judged


class State(NamedTuple):
    """A game of Bakenushi.  What most orders change stands first."""

    hands: tuple[tuple[int, ...], tuple[int, ...]]  # in ascending order
    played: tuple[tuple[int, ...], tuple[int, ...]]
    down: int  # the card that lies face down; 0 for none
    step: int  # lands with a marker and cards played, in this round
    up: int  # cells that lie face up
    marked: tuple[int, ...]  # cells with a marker, in the order of the markers
    choice: bool  # the great fox may choose a discipline
    order: Three  # of the markers in this round
    table: Table
    round: int  # from 1; 0 before the deal
    own: Pair  # cells with chips
    power: Pair
    deck: tuple[int, ...]
    gone: tuple[int, ...]  # discarded cards
    last: Review | None
    won: tuple[Won, ...]  # games of the match
    outcome: Outcome | None


def side_of(state: State, seat: Seat) -> int:
    """Return the side that a seat plays in this game."""
    return FOX if seat == state.table.fox else TANUKI


def seat_of(state: State, side: int) -> Seat:
    """Return the seat that plays a side in this game."""
    return state.table.fox if side == FOX else Seat(3 - state.table.fox)


def first_side(round_: int) -> int:
    """Return who goes first: the fox in rounds 1 and 3, the tanuki in 2 and 4."""
    return (round_ - 1) % 2


def mover(state: State) -> int:
    """Return the side that must act: while the great fox may choose, it goes on."""
    return (state.round - 1 + TURNS[state.step - state.choice]) & 1


def cards_of(state: State, numbers: tuple[int, ...]) -> tuple[Card, ...]:
    """Return cards by their numbers."""
    cards = state.table.cards
    return tuple([cards[number - 1] for number in numbers])


def land_at(state: State, cell: int) -> Land:
    """Return the land that lies on a cell, face up or down."""
    return state.table.lands[state.table.mountain[cell] - 1]


def neutral_lands(state: State) -> list[tuple[int, Land]]:
    """Return the neutral lands that lie face up, with their cells."""
    up, found = state.up & ~(state.own[0] | state.own[1]), list[tuple[int, Land]]()
    while up:
        cell = up.bit_length() - 1
        up ^= 1 << cell
        land = land_at(state, cell)
        if land.neutral:
            found.append((cell, land))
    return found


def began(state: State | None, fact: Began) -> State:
    """Open the box."""
    table = Table(fact.laws, fact.cards, fact.lands, 0, Seat(1), (False, False), ())
    return State(
        table=table,
        round=0,
        step=0,
        up=0,
        own=(0, 0),
        power=(0, 0),
        deck=(),
        hands=((), ()),
        gone=(),
        order=USUAL,
        marked=(),
        choice=False,
        played=((), ()),
        down=0,
        last=None,
        won=(),
        outcome=None,
    )


def dealt(state: State, fact: Dealt) -> State:
    """Lay the mountain, and deal six cards to each side; the fox's come off the deck first."""
    fox, tanuki, deck = fact.deck[:HAND], fact.deck[HAND : 2 * HAND], fact.deck[2 * HAND :]
    table = state.table._replace(game=fact.game, fox=fact.fox, large=fact.large, mountain=fact.mountain)
    fresh = began(None, Began(table.laws, table.cards, table.lands))
    return fresh._replace(
        table=table,
        round=1,
        deck=deck,
        hands=(tuple(sorted(fox)), tuple(sorted(tanuki))),
        last=state.last,
        won=state.won,
    )


def turned(state: State, fact: Turned) -> State:
    """Turn a land up, and put a marker on it unless it is neutral."""
    up = state.up | 1 << fact.at
    if fact.marker is None:
        return state._replace(up=up)
    hands, cards, down, step = state[:4]
    return State(hands, cards, down, step + 1, up, (*state.marked, fact.at), fact.choice, *state[7:])


def chosen(state: State, fact: Chosen) -> State:
    """Give the first land another marker."""
    return state._replace(order=fact.order, choice=False)


def played(state: State, fact: Played) -> State:
    """Lay a card from a hand on the table."""
    side = side_of(state, fact.by)
    hands, cards = list(state.hands), list(state.played)
    at = hands[side].index(fact.card)
    hands[side] = hands[side][:at] + hands[side][at + 1 :]
    cards[side] += (fact.card,)
    down = fact.card if fact.down else state.down
    return State((hands[0], hands[1]), (cards[0], cards[1]), down, state.step + 1, *state[4:])


def uncovered(state: State, fact: Uncovered) -> State:
    """Turn the card up that lay face down."""
    return state._replace(down=0)


def judged(state: State, fact: Judged) -> State:
    """Put the chips on the three lands, and move the power markers."""
    own = list(state.own)
    for discipline, cell in zip(state.order, state.marked, strict=True):
        own[fact.winners[discipline]] |= 1 << cell
    return state._replace(own=(own[0], own[1]), power=fact.power, last=reviewed(state, fact))


def reviewed(state: State, fact: Judged) -> Review:
    """Keep what a reader needs to follow the judgement."""
    table = state.table
    return Review(
        game=table.game,
        round=state.round,
        fox=table.fox,
        great=table.large[TANUKI],
        gaining=table.laws.gaining,
        played=state.played,
        order=state.order,
        marked=state.marked,
        lands=tuple([land_at(state, cell) for cell in state.marked]),
        judged=fact,
    )


def drawn(state: State, fact: Drawn) -> State:
    """Clear the table for the next round, and draw."""
    fox, tanuki = (tuple(sorted((*hand, *new))) for hand, new in zip(state.hands, fact.cards, strict=True))
    return state._replace(
        round=state.round + 1,
        step=0,
        deck=state.deck[2 * DRAW :],
        hands=(fox, tanuki),
        gone=(*state.gone, *state.played[0], *state.played[1]),
        order=USUAL,
        marked=(),
        played=((), ()),
    )


def won(state: State, fact: Won) -> State:
    """Note who won a game; the next one is not dealt yet."""
    return state._replace(won=(*state.won, fact))


def finished(state: State, fact: Finished) -> State:
    """End it all."""
    winners = frozenset[Seat]() if fact.winner is None else frozenset({fact.winner})
    return state._replace(outcome=Outcome(winners, fact.reason))


BELIEVE: dict[type[Any], Callable[[Any, Any], State]] = {
    Began: began,
    Dealt: dealt,
    Turned: turned,
    Chosen: chosen,
    Played: played,
    Uncovered: uncovered,
    Judged: judged,
    Drawn: drawn,
    Won: won,
    Finished: finished,
}


def believe(state: State | None, fact: Fact) -> State:
    """Take a fact into the state."""
    return BELIEVE[type(fact)](state, fact)
