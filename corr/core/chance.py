"""Luck that can be checked: drawn from a secret seed, the phase and the purpose.

The seed's digest is published when a game starts and the seed when it ends, so
players can draw everything again.  Nothing is kept between draws: the same word
in the same phase is the same draw, however many letters came before.

Random games that nobody plays by mail are drawn by ``Dice``: as reproducible, and
several times as fast.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeVar, cast

T = TypeVar("T")

WORD = 8
"""Bytes of one random number."""

SPAN = 256**WORD

WORDS = Struct(">4Q")
"""The words of one SHA-256."""


class SeededChance:
    """Draws by HMAC-SHA256 over scope, purpose and a counter, with rejection.

    *scope* names the game and the phase (``K7QX/turn-3``).
    """

    def __init__(self, seed: bytes, scope: str) -> None:
        self._seed = seed
        self._scope = scope

    def pick(self, why: str, items: Sequence[T], /) -> T:
        """Return one of the items.  A pool of one draws nothing."""
        return items[below(len(items), self._numbers(why))] if len(items) > 1 else items[0]

    def shuffled(self, why: str, items: Sequence[T], /) -> tuple[T, ...]:
        """Return the items in a random order."""
        return mixed(items, self._numbers(why))

    def _numbers(self, why: str) -> Iterator[int]:
        key, text = keyed(self._seed), f"{self._scope}\0{why}\0".encode()
        for counter in count():
            mac = key.copy()
            mac.update(text + b"%d" % counter)
            yield int.from_bytes(mac.digest()[:WORD], "big")


@lru_cache(maxsize=64)
def keyed(seed: bytes) -> hmac.HMAC:
    """Return an HMAC that has taken in its key: most of the work of a draw, done once for a game."""
    return hmac.new(seed, digestmod="sha256")


class Dice:
    """Draws one after another from a single stream, whatever the word: for random games.

    The same seed and the same draws in the same order give the same luck on any machine.
    """

    def __init__(self, seed: bytes) -> None:
        self._numbers = stream(seed)

    def pick(self, why: str, items: Sequence[T], /) -> T:
        """Return one of the items.  A pool of one draws nothing."""
        return items[below(len(items), self._numbers)] if len(items) > 1 else items[0]

    def shuffled(self, why: str, items: Sequence[T], /) -> tuple[T, ...]:
        """Return the items in a random order."""
        return mixed(items, self._numbers)


def stream(seed: bytes) -> Iterator[int]:
    """Yield numbers below ``SPAN`` without end: SHA-256 over the seed and a counter, cut in words."""
    for counter in count():
        yield from WORDS.unpack(sha256(b"%s\0%d" % (seed, counter)).digest())


def mixed(items: Sequence[T], numbers: Iterator[int]) -> tuple[T, ...]:
    """Return the items in a random order (Fisher and Yates)."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        at = below(last + 1, numbers)
        deck[last], deck[at] = deck[at], deck[last]
    return tuple(deck)


def below(limit: int, numbers: Iterator[int]) -> int:
    """Return a number from 0 to *limit* - 1, each equally likely."""
    fair = SPAN - SPAN % limit
    while (number := next(numbers)) >= fair:
        pass
    return number % limit


class Forced:
    """Chance of a test: for each purpose, what it draws, one after another.

    An item of *draws* is one item of the pool for ``pick``, and the whole order for
    ``shuffled``.  A draw that no test has forced raises LookupError.
    """

    def __init__(self, draws: Mapping[str, Sequence[object]]) -> None:
        self._draws = {why: iter(results) for why, results in draws.items()}

    def pick(self, why: str, items: Sequence[T], /) -> T:
        """Return the next forced item.  A pool of one draws nothing."""
        if len(items) == 1:
            return items[0]
        item = cast("T", self._next(why))
        if item not in items:
            raise LookupError(f"{why}: {item} is not among {items}")
        return item

    def shuffled(self, why: str, items: Sequence[T], /) -> tuple[T, ...]:
        """Return the next forced order of the items."""
        order = tuple(cast("Sequence[T]", self._next(why)))
        if len(order) != len(items) or any(order.count(item) != items.count(item) for item in items):
            raise LookupError(f"{why}: {order} is no order of {items}")
        return order

    def _next(self, why: str) -> object:
        for result in self._draws.get(why, ()):
            return result
        raise LookupError(f"{why}: nothing is forced")
