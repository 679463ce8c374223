"""How strong three cards are in each discipline, step by step.

Source: the published rules of Bakenushi (tablexgames, 2026), "judgement".  Cards stand in the
order in which they were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engines.bakenushi.facts import Card

BLUE, GREEN, RED = 0, 1, 2
"""The disciplines."""

ROWS = (3, 2, 1)
"""What a mark in the upper, middle and lower row is worth."""

MARKS, FIGURE = 0b0111111, 0b1000000
"""The six blue marks, and the blue figure."""

SAME_KIND = 3
"""What three green figures of one kind bring."""

WORTH = tuple(sum(ROWS[mark // 2] for mark in range(6) if marks >> mark & 1) for marks in range(64))
"""The worth of each set of blue marks."""


def red_gains(own: Sequence[Card], other: Sequence[Card], gaining: bool) -> list[tuple[int, int]]:
    """Compare the red numbers place by place: by how much the own is higher, and how often that counts.

    It counts once for each own figure up to this place, if the card has one, else once.  A figure
    counts also on a card that gains nothing (ruling 3); with *gaining* only on cards that gain.
    """
    figures, gains = 0, list[tuple[int, int]]()
    for mine, theirs in zip(own, other, strict=False):
        gain = mine.red - theirs.red if mine.red > theirs.red else 0
        if not mine.red_figure:
            gains.append((gain, 1))
            continue
        if gain or not gaining:
            figures += 1
        gains.append((gain, figures))
    return gains


def red_strength(own: Sequence[Card], other: Sequence[Card], gaining: bool) -> int:
    """Return the red strength: what each place gains, multiplied."""
    return sum([gain * times for gain, times in red_gains(own, other, gaining)])


def same_kind(cards: Sequence[Card]) -> bool:
    """Tell whether three cards have green figures of one kind."""
    return len(cards) == 3 and cards[0].green_figure == cards[1].green_figure == cards[2].green_figure != ""


def green_strength(cards: Sequence[Card]) -> int:
    """Return the green strength: the numbers, and 3 more for three figures of one kind."""
    return sum([card.green for card in cards]) + SAME_KIND * same_kind(cards)


def boundaries(cards: Sequence[Card]) -> list[tuple[int, bool]]:
    """Return what each card shares with the next: the set of marks, and whether both have the figure."""
    shared = [left.blue & right.blue for left, right in pairwise(cards)]
    return [(marks & MARKS, marks >= FIGURE) for marks in shared]


def blue_strength(cards: Sequence[Card]) -> int:
    """Return the blue strength: marks that neighbours share, doubled where both have the figure."""
    return sum([WORTH[marks] << double for marks, double in boundaries(cards)])
