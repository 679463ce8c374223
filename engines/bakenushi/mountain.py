"""The mountain: sixteen lands in four rows, and who connects its four edges.

A set of cells is an integer with the bit ``1 << cell`` for each.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.bakenushi.facts import Land

CELLS = range(16)
NORTH, WEST = 0x000F, 0x1111
SOUTH, EAST = NORTH << 12, WEST << 3
"""The cells on each edge."""

FEWEST = 7
"""No fewer lands touch all four edges: a row and a column."""


def connected(north: int, east: int, south: int, west: int) -> bool:
    """Tell whether one group of lands touches all four edges.

    The sets hold the lands that are open to each side.  A step needs both lands open toward each
    other, and an edge counts if the land is open toward it.
    """
    tops = north & NORTH
    while tops:
        group = spread(tops & -tops, north, east, south, west)
        if group & south & SOUTH and group & east & EAST and group & west & WEST:
            return True
        tops &= ~group
    return False


def spread(group: int, north: int, east: int, south: int, west: int) -> int:
    """Return all lands that can be reached from *group*."""
    size = 0
    while group != size:
        size = group
        group |= (group & east & ~EAST) << 1 & west
        group |= (group & west & ~WEST) >> 1 & east
        group |= (group & south) << 4 & north
        group |= (group & north) >> 4 & south
    return group


def touches_all(own: int, neutral: Sequence[tuple[int, Land]], bridges: bool) -> bool:
    """Tell whether *own* lands and *neutral* ones that lie open connect the four edges.

    Own lands are open on all sides.  With *bridges*, so is every neutral land (大狐主).
    """
    if own.bit_count() + len(neutral) < FEWEST:
        return False
    sides = dict.fromkeys("NESW", own)
    for cell, land in neutral:
        for side in "NESW" if bridges else land.open:
            sides[side] |= 1 << cell
    return connected(sides["N"], sides["E"], sides["S"], sides["W"])
