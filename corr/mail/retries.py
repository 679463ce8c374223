"""When a letter that was not delivered goes out again."""

import re
from datetime import datetime, timedelta
from typing import Literal

Status = Literal["sent", "deferred", "failed", "unknown"]

_FIRST = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 180))
_LATER = timedelta(hours=6)
_LIMIT = timedelta(days=5)  # RFC 5321, 4.5.4.1: give up after four or five days
_MAILBOX_FULL = re.compile(r"\b[45]\.2\.2\b")  # RFC 3463


def _schedule(first: tuple[timedelta, ...]) -> tuple[timedelta, ...]:
    later = (_LIMIT - sum(first, timedelta())) // _LATER
    return first + (_LATER,) * later


_USUAL = _schedule(_FIRST)
_FULL = _schedule(())  # nobody empties a mailbox in a minute
_ONCE = (timedelta(minutes=10),)  # a lost turn is worse than a double one, but only once


def retry_at(status: Status, attempts: int, now: datetime, text: str = "") -> datetime | None:
    """Say when to send again after the *attempts*-th attempt (from 1) ended as *status*.

    None: never; it was sent, or there is no hope left.  *text* is the server's
    answer, in which an enhanced status code (RFC 3463) may stand.
    """
    if attempts < 1:
        raise ValueError("The first attempt is number 1")
    delays = _delays(status, text)
    return now + delays[attempts - 1] if attempts <= len(delays) else None


def _delays(status: Status, text: str) -> tuple[timedelta, ...]:
    if status == "unknown":
        return _ONCE
    if status == "deferred":
        return _FULL if _MAILBOX_FULL.search(text) else _USUAL
    return ()
