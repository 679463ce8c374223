"""What is stored of a game.

Sides are numbers, 0 for the fox and 1 for the tanuki; disciplines are 0 blue, 1 green, 2 red;
a land of the mountain is a cell, counted from 0 in the north-west, row by row.  Cards and lands
are named by their numbers.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engines.api import Seat

Pair: TypeAlias = tuple[int, int]
"""Of the fox and of the tanuki."""

Three: TypeAlias = tuple[int, int, int]
"""Of blue, green and red."""


class Card(NamedTuple):
    """A transformation card."""

    number: int
    red: int
    red_figure: bool
    green: int
    green_figure: str  # "A", "B" or ""
    blue: int  # a set of marks: bit 2 * row for the square, 2 * row + 1 for the circle, 6 for the figure


class Land(NamedTuple):
    """A land card."""

    number: int
    label: str  # "+3", "0/+5", "-0"; a neutral land has a name
    value: int  # 0 for a neutral land
    pair: int  # what the second of its kind brings; 0 for a land that has no twin
    neutral: str  # "sogen", "tsuribashi", "kemonomichi" or ""
    open: str  # of a neutral land, the open sides: some of "NESW"


class Laws(NamedTuple):
    """The options of a game, settled."""

    abilities: bool
    match: bool  # of two games
    points: str  # how victory points are counted: "floor8", "difference" or "winner_power"
    gaining: bool  # red figures count only on cards that gain something
    swap: bool  # a chosen marker swaps places with blue; else it moves to the front
    own: bool  # the components are not those that come with the engine


class Began(NamedTuple):
    """The options are settled, and with them the cards that the game is played with."""

    laws: Laws
    cards: tuple[Card, ...]
    lands: tuple[Land, ...]


class Dealt(NamedTuple):
    """A game begins: the mountain is laid, and six cards lie in each hand."""

    game: int  # 1, or 2 in the second of a match
    fox: Seat
    large: tuple[bool, bool]  # who plays the large side of its card, with the abilities
    mountain: tuple[int, ...]  # a land for each cell
    deck: tuple[int, ...]  # cards: six for the fox, six for the tanuki, then the deck from its top


class Turned(NamedTuple):
    """A land is turned up."""

    by: Seat
    at: int
    land: int
    marker: int | None  # the discipline that is fought for it; None for a neutral land
    choice: bool  # the great fox may still choose another discipline


class Chosen(NamedTuple):
    """The great fox has chosen the discipline of the first land."""

    by: Seat
    order: Three  # of the disciplines, in this round


class Played(NamedTuple):
    """A card is played."""

    by: Seat
    card: int
    down: bool  # face down


class Uncovered(NamedTuple):
    """The card that lay face down is turned up."""

    by: Seat
    card: int


class Judged(NamedTuple):
    """The three duels are judged, and the lands are booked."""

    strengths: tuple[Pair, Pair, Pair]  # in blue, green and red, with what abilities add
    winners: Three  # sides
    power: Pair  # of both power markers, afterwards


class Drawn(NamedTuple):
    """The next round begins: the six cards are discarded, and each side draws."""

    cards: tuple[tuple[int, ...], tuple[int, ...]]


class Won(NamedTuple):
    """A game is over."""

    winner: Seat
    reason: str
    points: int  # victory points


class Finished(NamedTuple):
    """All is over: the one game, or the match."""

    winner: Seat | None
    reason: str


Fact: TypeAlias = Began | Dealt | Turned | Chosen | Played | Uncovered | Judged | Drawn | Won | Finished
