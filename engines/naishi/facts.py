"""What is stored of a game.

A card is the number of its kind (``cards``).  A place is 0 to 4 in the line and 5 to 9 in the hand
behind it; a column is 0 to 4, shared by the river and both territories.  Pairs are in the order of
play: the first player, then the second.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engines.api import Seat

Cards: TypeAlias = tuple[int, ...]


class Laws(NamedTuple):
    """The options of a game, settled."""

    any_column: bool  # a card of the line may be swapped with any of the hand, not only the one behind it
    banner_adds: bool  # a horseman behind a banner scores 13, not 10
    must_copy: bool  # a ninja copies a character where there is one
    lists_discards: bool  # letters list what was discarded


class Began(NamedTuple):
    """The options are settled, and who plays first."""

    laws: Laws
    first: Seat


class Dealt(NamedTuple):
    """The river is laid out and each player has two cards to choose from."""

    river: tuple[Cards, ...]  # five piles, the top card first
    dealt: tuple[Cards, Cards]


class Kept(NamedTuple):
    """A player has chosen which card to keep; sealed until both have."""

    by: Seat
    card: int


class Handed(NamedTuple):
    """Cards are given, mountains added, and both hands shuffled: five cards each, from the left."""

    hands: tuple[Cards, Cards]


class Developed(NamedTuple):
    """A card of the river takes the place of a card of the territory, which is discarded."""

    by: Seat
    at: int  # a place
    lost: int  # the card that is discarded, face up
    came: int  # the card from the river
    ends: bool  # the turn ends with this


class Exchanged(NamedTuple):
    """An emissary swaps the top cards of two piles of the river."""

    by: Seat
    columns: tuple[int, int]
    cards: tuple[int, int]  # that lie there afterwards
    ends: bool


class Swapped(NamedTuple):
    """An emissary swaps two cards of a territory."""

    by: Seat
    places: tuple[int, int]
    cards: tuple[int, int]  # that lie there afterwards
    ends: bool


class Washed(NamedTuple):
    """An emissary sends the top cards of two piles of the river to the discard."""

    by: Seat
    columns: tuple[int, int]
    cards: tuple[int, int]  # that are discarded, face up
    ends: bool


class Decreed(NamedTuple):
    """Facing cards of the two territories change owners, and an emissary stays on the board for good."""

    by: Seat
    at: int  # a place
    given: int
    taken: int


class Recalled(NamedTuple):
    """A player's emissaries come back from the spaces for swaps and discards."""

    by: Seat


class Declared(NamedTuple):
    """A player ends the game: the other has one more turn."""

    by: Seat


class Stopped(NamedTuple):
    """A player ends the turn without an emissary."""

    by: Seat


class Final(NamedTuple):
    """It is settled whose turn is the last."""

    by: Seat
    reason: str  # "piles" or "declare"


class Finished(NamedTuple):
    """The game is over: hands are shown, ninjas take their parts, and both territories are scored."""

    winner: Seat | None
    reason: str  # "points", "colours" or "draw"
    territories: tuple[Cards, Cards]  # ten cards each, ninjas as what they copy
    points: tuple[Cards, Cards]  # of each kind of card, by its number
    colours: tuple[int, int]


Fact: TypeAlias = (
    Began
    | Dealt
    | Kept
    | Handed
    | Developed
    | Exchanged
    | Swapped
    | Washed
    | Decreed
    | Recalled
    | Declared
    | Stopped
    | Final
    | Finished
)
