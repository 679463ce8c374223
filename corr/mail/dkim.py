"""Whose signature a letter carries (DKIM, RFC 6376), where the receiving server does not say.

What was found is written on top of the letter, as any receiving server does it (RFC
8601), so that it is looked up once, outside of every transaction.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any, cast

import dkim

from corr.core.authentication import OURSELVES
from corr.core.letter import Letter

KeyLookup = Callable[[str], bytes | None]
"""Returns the TXT record of a name that ends in a dot, or None; it may raise."""

PATIENCE = 5
"""Seconds for one answer of DNS."""

LONGEST = 256 << 10
"""Bytes of a letter whose signature is checked; an order is shorter."""

LONGEST_KEY = 1_000
"""Bytes of a record with a key: 800 hold 4,096 bits; a strange exponent of many more takes minutes."""

MOST_SIGNATURES = 3
"""Signatures that are tried: each costs a question to the DNS."""

SIGNED = frozenset({"from", "to", "subject", "message-id"})
"""Headers without which a signature is good for another letter, or for the same one again."""

_HOLLOW = re.compile(rb"\s{200}")  # the library's patterns take quadratic time over such gaps
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.ASCII)

# It tells of each signature that is no good, and that is the rule with strange letters.
_silent = logging.getLogger("corr.mail.dkim.library")
_silent.disabled = True

_library: Any = cast("Any", dkim)  # without types


def look_up(name: str) -> bytes | None:
    """Ask the DNS of the machine for a TXT record."""
    return cast("bytes | None", _library.get_txt(name.encode(), timeout=PATIENCE))


def stamped(raw: bytes, letter: Letter, look_up: KeyLookup) -> bytes:
    """Return *raw* with ``Authentication-Results`` of ours on top, whatever they are.

    There is always one: else a sender could write it himself.  *letter* is *raw*, read.
    """
    found = _signer(raw, letter, look_up)
    result = f"dkim=pass header.d={found}" if found else "none"
    return f"Authentication-Results: {OURSELVES}; {result}\r\n".encode() + raw


def _signer(raw: bytes, letter: Letter, look_up: KeyLookup) -> str | None:
    """Return the domain of From, if a signature of that very domain is good."""
    wanted = letter.sender.rpartition("@")[2].lower()
    names = [name for name, _ in letter.fields]
    if len(raw) > LONGEST or _HOLLOW.search(raw) or not _DOMAIN.fullmatch(wanted):
        return None
    if any(names.count(name) != 1 for name in SIGNED):
        return None
    tried = range(min(names.count("dkim-signature"), MOST_SIGNATURES))
    return wanted if any(_is_good(raw, number, wanted, look_up) for number in tried) else None


def _is_good(raw: bytes, number: int, wanted: str, look_up: KeyLookup) -> bool:
    """Check one signature; the DNS is asked only where it would prove something."""
    try:
        checker = _library.DKIM(raw, logger=_silent, timeout=PATIENCE)
        fields, _, _ = checker.verify_headerprep(number)
        return _would_prove(fields, wanted) and bool(checker.verify(number, dnsfunc=_asking(look_up)))
    except Exception:  # letters that no server writes, a DNS that is away: nothing is proven
        return False


def _asking(look_up: KeyLookup) -> Callable[..., bytes | None]:
    """Return *look_up* as the library calls it, with a timeout of its own; no key is longer than sensible."""

    def ask(name: bytes, timeout: float) -> bytes | None:
        record = look_up(name.decode("ascii"))
        return record if record is None or len(record) <= LONGEST_KEY else None

    return ask


def _would_prove(fields: dict[bytes, bytes], wanted: str) -> bool:
    """Tell whether a signature is one of the domain *wanted* over the whole letter."""
    signed = {name.strip().lower() for name in fields[b"h"].decode("ascii").split(":")}
    return (
        fields[b"d"].decode("ascii").strip().lower() == wanted
        and fields[b"a"] == b"rsa-sha256"  # not sha1; Ed25519 comes beside it, not alone (RFC 8463)
        and b"l" not in fields  # more may have been written below what is signed
        and signed >= SIGNED
    )
