"""Letters leave the outbox: leased in one transaction, tried, and recorded one by one.

Delivery is at least once.  Before the text of a letter flows, that is written
down; so what was lost before it is simply sent again, and what was lost after
it is known to be unknown.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from sqlmodel import Session, col, update

from corr.faults import fault
from corr.mail.retries import retry_at
from corr.mail.smtp import Delivery, Envelope, Postman
from corr.service.office import Office
from corr.store.claim import claim_outbox, lose_sight
from corr.store.tables import Outbox

BATCH = 50
LEASE = timedelta(minutes=15)  # longer than the longest time-out of one letter
RENEWED_AFTER = timedelta(minutes=1)  # a batch may take longer than its lease

_log = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker has taken a letter over, and with it the rest of the batch."""


def send(office: Office, postman: Postman, worker: str) -> list[Delivery]:
    """Try the letters that are due, at most a batch, and tell what became of each.

    A process that was stopped for longer than its lease leaves the rest to others.
    """
    now = office.clock.now()
    with office.database.session() as session:
        rows = claim_outbox(session, now, now + LEASE, BATCH, worker)
        envelopes = [_envelope(office, row) for row in rows]
        fault("send.claimed")
    fault("send.leased")
    ends: list[Delivery] = []

    def done(end: Delivery) -> None:
        fault("send.answered")
        _record(office, end, worker)
        fault("send.recorded")
        ends.append(end)

    try:
        if envelopes:
            postman.deliver(envelopes, lambda letter: _started(office, letter, worker), done)
    except LeaseLost as lost:
        _log.warning("%s: was this machine asleep?", lost)
    return ends


def _envelope(office: Office, row: Outbox) -> Envelope:
    """Give each letter an envelope sender of its own, by which a bounce is known.

    It is the letter's own id, without the dots that would make it a mark again: the
    number of the row would tell its reader how many letters others get.
    """
    name = row.message_id.strip("<>").partition("@")[0].replace(".", "-")
    return Envelope(row.id, office.tagged(f"bounce.{name}"), row.address, row.raw)


def _started(office: Office, letter: int, worker: str) -> None:
    """Write down that a letter's text begins to flow; raises LeaseLost if another may send it too."""
    now = office.clock.now()
    with office.database.session() as session:
        row = session.get_one(Outbox, letter, with_for_update=True)
        if row.leased_by != worker or row.leased_until is None:
            raise LeaseLost(f"letter {letter} was taken over by {row.leased_by}")
        if row.leased_until < now + LEASE - RENEWED_AFTER:
            _renew(session, worker, now)
        row.data_started_at = now
        session.add(row)
    fault("send.started")


def _renew(session: Session, worker: str, now: datetime) -> None:
    """Keep all that this worker has in hand: nobody else may take what waits behind a slow letter."""
    held = (col(Outbox.leased_by) == worker, col(Outbox.status) == "sending")
    session.exec(update(Outbox).where(*held).values(leased_until=now + LEASE))


def _record(office: Office, end: Delivery, worker: str) -> None:
    """Write down the end of a delivery, unless another worker has taken the letter over."""
    now = office.clock.now()
    with office.database.session() as session:
        row = session.get_one(Outbox, end.id, with_for_update=True)
        if row.leased_by != worker:
            return
        row.last_code, row.last_text = end.code, end.text
        row.leased_by = row.leased_until = None
        if end.status == "unknown":
            lose_sight(row, now)
        elif end.status == "sent":
            row.status, row.sent_at = "sent", now
        else:
            again = retry_at(end.status, row.attempts, now, end.text)
            row.status = "deferred" if again else "failed"
            row.due_at = again or row.due_at
        session.add(row)
