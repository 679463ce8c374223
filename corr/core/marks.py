"""The mark that a letter carries and a reply brings back: which seat, at which position.

``K7QX.14.3.5`` names the game, the position, the seat and that seat's letter; a
keyed hash follows, so that nobody can write a mark for another.  The key belongs
to the holder of the seat: it changes hands with the seat, and old marks end with it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engines.api import Seat

RETURN = "return path"
"""What the hash in a letter's envelope sender is only for: bounces.

It is not that of the mark, which a forwarded letter gives away: else whoever got one
could write bounces, and stop the letters to its reader.
"""

HASH_LETTERS = 20  # 100 bits; the whole tag stays well under the 64 octets of a local part
_ENCODED = 15  # bytes of a hash that are enough for them, and fill groups of base32

_MARK = re.compile(
    r"(?<![a-z0-9])([a-z0-9]{4,8})\.(\d{1,6})\.(\d{1,3})\.(\d{1,6})\.([a-z2-7]{20})(?![a-z0-9])",
    re.IGNORECASE | re.ASCII,
)


class Mark(NamedTuple):
    """Which letter a reply answers."""

    code: str
    position: int
    seat: Seat
    letter: int  # counts that seat's own letters, so it tells nothing of others

    def __str__(self) -> str:
        """Return the mark as it is signed."""
        return f"{self.code}.{self.position}.{self.seat}.{self.letter}"


class Signed(NamedTuple):
    """A mark with the hash that a letter brought; not yet believed."""

    mark: Mark
    hash: str

    def __str__(self) -> str:
        """Return the tag as it stands in addresses and ids."""
        return f"{self.mark}.{self.hash}"


def sign(key: bytes, mark: Mark, only_for: str = "") -> Signed:
    """Sign *mark* with the secret of the seat's present holder.

    With *only_for*, it speaks for no seat.  Of an address, it is what a letter to that
    address brings back, and it is good from there alone; of RETURN, it is what a bounce
    brings back.
    """
    signed = f"{mark} {only_for}" if only_for else str(mark)
    digest = hmac.digest(key, signed.encode(errors="replace"), hashlib.sha256)
    return Signed(mark, base64.b32encode(digest[:_ENCODED]).decode().lower()[:HASH_LETTERS])


def genuine(key: bytes, signed: Signed, only_for: str = "") -> bool:
    """Tell whether *signed* was made with *key* for just that, in constant time."""
    return hmac.compare_digest(sign(key, signed.mark, only_for).hash, signed.hash)


def find(texts: Iterable[str]) -> Iterator[Signed]:
    """Yield the marks that stand in addresses and ids, in order; case does not count."""
    for text in texts:
        for code, position, seat, letter, digest in _MARK.findall(text):
            mark = Mark(code.upper(), int(position), Seat(int(seat)), int(letter))
            yield Signed(mark, digest.lower())


def hidden(text: str) -> str:
    """Blot out every mark in *text*, quoted or pasted: a mark is between corr and one player."""
    return _MARK.sub("…", text)
