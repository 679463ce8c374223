"""How much the account may send at present: its limits, and what its server said last.

Both are read from the outbox, so they outlive the process and hold for all that share it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select
from sqlmodel import Session, col

from corr.mail.presets import Limits
from corr.mail.retries import Trouble, classify
from corr.store.letters import sent_since
from corr.store.statement import Statement
from corr.store.tables import Outbox

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

HELD_UP_FOR = 30
"""Seconds that a batch may take at the account's pace: what comes in meanwhile may be more urgent."""

_UNLIMITED = 1_000_000


def allowance(session: Session, limits: Limits, now: datetime) -> int:
    """Say how many letters may go out now; 0 while the account pauses."""
    if paused_until(session, now) is not None:
        return 0
    pace = max(1, limits.per_minute * HELD_UP_FOR // 60) if limits.per_minute else _UNLIMITED
    windows = ((limits.per_hour, HOUR), (limits.per_day, DAY))
    left = (most - sent_since(session, now - span) for most, span in windows if most is not None)
    return max(0, min((pace, *left)))


def paused_until(session: Session, now: datetime) -> datetime | None:
    """Say until when the account pauses, because its server takes no more; None where it does not."""
    answers = _ANSWERS.rows(session, now=now)
    return max((until for code, text, until in answers if pauses(code, text or "")), default=None)


_ANSWERS = Statement(
    select(col(Outbox.last_code), col(Outbox.last_text), func.max(col(Outbox.due_at)))
    .where(
        col(Outbox.status) == "deferred",
        col(Outbox.due_at) > bindparam("now"),
        col(Outbox.last_code).is_not(None),
    )
    .group_by(col(Outbox.last_code), col(Outbox.last_text))
)


def pauses(code: int, text: str) -> bool:
    """Tell whether a server's answer concerns all letters of the account."""
    return classify(code, text) in {Trouble.RATE, Trouble.QUOTA}
