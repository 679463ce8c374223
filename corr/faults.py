"""Named points between the steps of a letter, at which a test may end the process.

A point is an event of Python's own auditing (PEP 578).  Nothing listens in
production, so it costs some nanoseconds; and nothing outside the process, be it a
setting, a variable or a letter, can make it listen.
"""

from __future__ import annotations

import sys
from typing import Literal, TypeAlias

EVENT = "corr.fault"
"""The name of the audit event; its one argument is the point."""

Point: TypeAlias = Literal[
    "fetch.listed",  # a batch of letters was read from the inbox
    "fetch.inserted",  # a letter is in the transaction
    "fetch.stored",  # it is committed, and still lies in the inbox
    "fetch.moved",  # the batch has left the inbox
    "work.claimed",  # a letter is locked
    "work.locked",  # its game is locked too
    "work.written",  # facts, answers and status are in the transaction
    "work.done",  # they are committed
    "work.raised",  # or rolled back, because something was raised
    "work.counted",  # the failed attempt is committed
    "time.written",  # what a deadline brought is in the transaction
    "time.done",  # it is committed
    "send.claimed",  # letters are leased in the transaction
    "send.leased",  # that is committed, and nothing was said to the server
    "send.started",  # committed that the text of one letter begins to flow
    "send.answered",  # the server has taken or refused it
    "send.recorded",  # that is committed
]
"""The points, in the order in which a letter comes by.  docs/reliability.md tells what holds at each."""


def fault(point: Point) -> None:
    """Come by *point*."""
    sys.audit(EVENT, point)
