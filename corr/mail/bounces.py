"""What came back: which of corr's own letters, and whether it is worth trying again.

A bounce is believed only where it names one of our letters by its id, which carries a
keyed hash: in the envelope sender that each letter has for itself (VERP), or among the
headers of the letter that it encloses.  Addresses in its text prove nothing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import compat32
from enum import Enum

from flufl.bounce import all_failures  # pyright: ignore[reportUnknownVariableType]

TAG = "bounce."
"""What stands before a letter's id in its envelope sender."""

LONGEST = 256 << 10
"""Bytes that are looked at: reports enclose what came back, but the news stands at the top."""

logging.getLogger(
    "flufl.bounce"
).disabled = True  # it tells of each detector, and of strange letters at length

_ACTION = re.compile(rb"^action:\s*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^status:\s*([245]\.\d{1,3}\.\d{1,3})", re.IGNORECASE | re.MULTILINE)
_HARD = re.compile(r"5\.(?:0\.0|1\.\d+|2\.1)$")
_ENCLOSED_ID = re.compile(rb"^[> \t]*message-id:\s*(<[^<>\s]{3,250}>)", re.IGNORECASE | re.MULTILINE)


class Severity(Enum):
    """What a bounce says about the address (RFC 3463, RFC 3464)."""

    HARD = "hard"  # no such address, or it takes no letters any more: trying again is no use
    SOFT = "soft"  # full, too big, refused by a filter: it may work another time
    DELAYED = "delayed"  # not a failure yet: the other server goes on trying


@dataclass(frozen=True, slots=True)
class Bounce:
    """One letter that says that another did not arrive."""

    severity: Severity
    letters: tuple[str, ...]  # ids of ours that it names, those of the envelope first


def read_bounce(raw: bytes, recipients: Iterable[str]) -> Bounce | None:
    """Read a letter to *recipients* as a bounce; None where it tells of no failure.

    Receipts and notices of absence tell of none, and a report of success neither.
    """
    severity = _severity(raw[:LONGEST])
    if severity is None:
        return None
    enclosed = (found.decode("ascii", "replace") for found in _ENCLOSED_ID.findall(raw[:LONGEST]))
    return Bounce(severity, tuple(dict.fromkeys((*returned_to(recipients), *enclosed))))


def returned_to(recipients: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the letters whose own envelope senders are among *recipients*."""
    pairs = (address.rpartition("@") for address in recipients)
    tags = ((local.partition("+")[2], domain) for local, _, domain in pairs)
    return tuple(
        f"<{tag[len(TAG) :].replace('-', '.')}@{domain}>"
        for tag, domain in tags
        if tag.lower().startswith(TAG)
    )


def envelope_tag(message_id: str) -> str:
    """Return the tag of a letter's own envelope sender.

    It is the letter's id without the dots that would make it a mark again: the number
    of a row would tell its reader how many letters others get.
    """
    return TAG + message_id.strip("<>").partition("@")[0].replace(".", "-")


def is_hard(status: str) -> bool:
    """Tell whether an enhanced status code (RFC 3463) says that the address itself is no good."""
    return bool(_HARD.fullmatch(status))


def _severity(raw: bytes) -> Severity | None:
    actions = {action.lower() for action in _ACTION.findall(raw)}
    if actions and b"failed" not in actions:
        return Severity.DELAYED if b"delayed" in actions else None
    statuses = [status.decode() for status in _STATUS.findall(raw)]
    if b"failed" in actions and statuses:
        return Severity.HARD if all(map(is_hard, statuses)) else Severity.SOFT
    temporary, permanent = _failures(raw)
    if permanent:
        return Severity.HARD
    return Severity.SOFT if temporary else None


def _failures(raw: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the addresses that failed for now, and for good, as the library finds them."""
    try:
        return all_failures(message_from_bytes(raw, policy=compat32))
    except Exception:  # its detectors stumble over letters that no server writes
        return frozenset(), frozenset()
