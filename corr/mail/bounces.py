"""What came back: which of corr's own letters, and whether it is worth trying again.

A bounce is believed where it comes to the envelope sender that a letter had for itself
(VERP), which carries a keyed hash that stands nowhere else.  Some providers put an
envelope sender of their own; so a bounce may name a letter by its id among the headers
that it encloses, too, and is believed less: whoever was forwarded a letter knows that.
Addresses in its text prove nothing.
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

from corr.core import marks
from corr.core.marks import Signed
from corr.mail.retries import Trouble, classify

TAG = "bounce."
"""What an envelope sender begins with, behind the plus."""

LONGEST = 256 << 10
"""Bytes that are looked at: reports enclose what came back, but the news stands at the top."""

# It tells of each detector, and of strange letters at length.
logging.getLogger("flufl.bounce").disabled = True

_ACTION = re.compile(rb"^action:\s*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^status:\s*([245]\.\d{1,3}\.\d{1,3})", re.IGNORECASE | re.MULTILINE)
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
    returned: tuple[Signed, ...]  # from envelope senders of ours to which it came; not yet believed
    enclosed: tuple[str, ...]  # ids of the letters that it encloses


def read_bounce(raw: bytes, recipients: Iterable[str]) -> Bounce | None:
    """Read a letter to *recipients* as a bounce; None where it tells of no failure.

    Receipts and notices of absence tell of none, and a report of success neither.
    """
    severity = _severity(raw[:LONGEST])
    if severity is None:
        return None
    enclosed = (found.decode("ascii", "replace") for found in _ENCLOSED_ID.findall(raw[:LONGEST]))
    return Bounce(severity, returned_to(recipients), tuple(dict.fromkeys(enclosed)))


def returned_to(recipients: Iterable[str]) -> tuple[Signed, ...]:
    """Return what stands in the envelope senders of ours that are among *recipients*."""
    tags = (address.rpartition("@")[0].partition("+")[2] for address in recipients)
    named = (tag[len(TAG) :].replace("-", ".") for tag in tags if tag.lower().startswith(TAG))
    return tuple(marks.find(named))


def envelope_tag(tag: str) -> str:
    """Return the tag of a letter's own envelope sender.

    It has no dots, which would make it a mark again.  It names the reader's own letter:
    the number of a row would tell him how many letters others get.
    """
    return TAG + tag.replace(".", "-")


def is_hard(status: str) -> bool:
    """Tell whether an enhanced status code (RFC 3463) says that the address itself is no good."""
    return classify(550, status) is Trouble.ADDRESS


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
