"""How long a phase may last: one line, such as ``3d``, ``36h`` or ``2d12h``."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from fractions import Fraction

from engines.api import Problem

REMIND_AT = Fraction(4, 5)
"""The part of the time after which a player is reminded."""

SLACK = timedelta(hours=1)
"""How late the server may work on a letter at the cost of the next player's time."""

_ALLOWANCE = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?")


def allowance(rule: str) -> timedelta | Problem:
    """Read a pace as an elapsed time, or say that it is none.

    ``2d12h`` is two days and twelve hours; an allowance is never empty.
    """
    found = _ALLOWANCE.fullmatch(rule.strip().lower())
    if found is None:
        return Problem("pace.unread", {"rule": rule})
    days, hours, minutes = (int(part or 0) for part in found.groups())
    time = timedelta(days=days, hours=hours, minutes=minutes)
    return time or Problem("pace.unread", {"rule": rule})


def deadline(rule: str, start: datetime, share: Fraction = Fraction(1)) -> datetime:
    """Return the instant by which a phase that opened at *start* must be done.

    *share* is the part of the allowance that the phase gets.  Raises ValueError
    for a rule that `allowance` refuses: rules are checked when a game is made.
    """
    time = allowance(rule)
    if isinstance(time, Problem):
        raise ValueError(f"not a pace: {rule!r}")
    return start + time * share.numerator / share.denominator


def opening(received: datetime, now: datetime) -> datetime:
    """Return the instant at which the phase starts that a letter opens, when it is worked on *now*.

    It is the time of receipt; but what the server itself was late, beyond a little,
    is nobody's thinking time: the next player had not been written to.
    """
    return min(now, max(received, now - SLACK))


def reminder(start: datetime, due: datetime) -> datetime:
    """Return the instant at which four fifths of the time are gone."""
    return start + (due - start) * REMIND_AT.numerator / REMIND_AT.denominator
