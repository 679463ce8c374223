"""What a territory is worth (section 4 of the rules).

The places of each kind are a set of bits: bit 0 to 4 the line, bit 5 to 9 the hand behind it.  What
a set is worth stands in tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from engines.naishi.cards import COPYABLE, NINJA
from engines.naishi.facts import Cards, Laws

PLACES = range(10)
SETS = range(1 << len(PLACES))
BITS = tuple([1 << place for place in PLACES])
LINE = 0b11111
"""The places of the line; those of the hand are the others."""

COLUMN = 5
"""How far a place is from the one behind it."""

LEFT = tuple([(places & ~0b00001_00001) >> 1 for places in SETS])
RIGHT = tuple([(places & ~0b10000_10000) << 1 for places in SETS])
BEHIND = tuple([places >> COLUMN | (places & LINE) << COLUMN for places in SETS])
"""The places beside each set: to the left, to the right, in the other row."""


def members(places: int) -> Iterable[int]:
    """Return the places of a set."""
    return [place for place in PLACES if places >> place & 1]


def table(worth: Sequence[int]) -> tuple[int, ...]:
    """Return what each set is worth when each place has a worth of its own."""
    return tuple([sum(worth[place] for place in members(places)) for places in SETS])


def group(places: int, start: int) -> int:
    """Return those of the places that hang together with one of them."""
    found = start
    while (more := (found | LEFT[found] | RIGHT[found] | BEHIND[found]) & places) != found:
        found = more
    return found


def field(places: int) -> int:
    """Return what rice brings: each group that hangs together counts by its size."""
    points = 0
    while places:
        found = group(places, places & -places)
        points += (0, 0, 10, 20, 30, 30)[min(found.bit_count(), 5)]
        places ^= found
    return points


MOUNTAINS = tuple([(0, 5, -5)[min(places.bit_count(), 2)] for places in SETS])
TORIIS = tuple([(0, -5, 0, 30)[min(places.bit_count(), 3)] for places in SETS])
BANNERS = tuple([(0, 3, 8)[min((places & LINE).bit_count(), 2)] for places in SETS])
RICES = tuple([field(places) for places in SETS])
NAISHIS = table((0, 0, 12, 0, 0, 0, 0, 8, 0, 0))
ADVISORS = table((2, 4, 3, 4, 2) * 2)
FORTS = table((6, 0, 0, 0, 6) * 2)
MONKS = table((0,) * 5 + (5,) * 5)
HORSEMEN = table((0,) * 5 + (3,) * 5)
SENTINELS = tuple(
    [3 * (places & ~(LEFT[places] | RIGHT[places] | BEHIND[places])).bit_count() for places in SETS]
)
RONIN = (0, 0, 0, 0, 0, 0, 0, 0, 8, 15, 45)
"""What each ronin is worth, by the number of kinds in the territory."""


class Score(NamedTuple):
    """A territory, scored."""

    total: int
    colours: int
    cards: Cards  # ninjas as what they copy
    points: Cards  # of each kind of card, by its number


def best(cards: Cards, laws: Laws) -> Score:
    """Return the best score: every way in which the ninjas can copy is tried, the first best counts."""
    ninjas = cards.count(NINJA)
    if not ninjas:
        return score(cards, laws.banner_adds)
    copied = [kind for kind in COPYABLE if kind in cards]
    if not copied or not laws.must_copy:
        copied.append(NINJA)
    roles = product(copied, repeat=ninjas)
    return max([score(playing(cards, role), laws.banner_adds) for role in roles], key=rank)


def rank(one: Score) -> tuple[int, int]:
    """Return what decides between scores: points, then colours."""
    return one[:2]


def playing(cards: Cards, roles: Cards) -> Cards:
    """Return a territory in which the ninjas, from the left of the line, are what they copy."""
    left = iter(roles)
    return tuple([next(left) if card == NINJA else card for card in cards])


def score(cards: Cards, banner_adds: bool) -> Score:
    """Score a territory as it lies; a ninja that copies nothing has no points and no colour."""
    sets = [0] * 12
    for card, bit in zip(cards, BITS, strict=True):
        sets[card] |= bit
    mountain, naishi, advisor, sentinel, monk, horseman, ronin, ninja, fort, torii, rice, banner = sets
    colours = 12 - sets.count(0) - (ninja > 0)
    points = (
        MOUNTAINS[mountain],
        NAISHIS[naishi],
        ADVISORS[advisor] + 4 * beside(advisor, naishi) if advisor else 0,
        SENTINELS[sentinel] + 4 * beside(sentinel, fort) if sentinel else 0,
        MONKS[monk] + 2 * beside(monk, torii) if monk else 0,
        HORSEMEN[horseman] + riding(horseman, banner, banner_adds) if horseman else 0,
        RONIN[colours - (mountain > 0)] * ronin.bit_count(),
        0,
        FORTS[fort],
        TORIIS[torii],
        RICES[rice],
        BANNERS[banner],
    )
    return Score(sum(points), colours, cards, points)


def beside(places: int, others: int) -> int:
    """Return how many pairs of neighbours there are, one of each set."""
    if not others:
        return 0
    left, right, behind = LEFT[others] & places, RIGHT[others] & places, BEHIND[others] & places
    return left.bit_count() + right.bit_count() + behind.bit_count()


def riding(horseman: int, banner: int, banner_adds: bool) -> int:
    """Return what banners in the line bring to the horsemen behind them: 10, or 7 more than their 3."""
    return (10 if banner_adds else 7) * (horseman >> COLUMN & banner).bit_count()
