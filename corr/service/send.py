"""Letters leave the outbox: leased in one transaction, tried, and recorded one by one.

Delivery is at least once.  Before the text of a letter flows, that is written
down; so what was lost before it is simply sent again, and what was lost after
it is known to be unknown.
"""

from __future__ import annotations

from datetime import timedelta

from corr.mail.retries import retry_at
from corr.mail.smtp import Delivery, Envelope, Postman
from corr.service.office import Office
from corr.store.claim import claim_outbox, lose_sight
from corr.store.tables import Outbox

BATCH = 50
LEASE = timedelta(minutes=15)  # longer than the longest time-out of one letter


def send(office: Office, postman: Postman, worker: str) -> list[Delivery]:
    """Try the letters that are due, at most a batch, and tell what became of each."""
    now = office.clock.now()
    with office.database.session() as session:
        rows = claim_outbox(session, now, now + LEASE, BATCH, worker)
        envelopes = [_envelope(office, row) for row in rows]
    ends: list[Delivery] = []

    def done(end: Delivery) -> None:
        _record(office, end, worker)
        ends.append(end)

    if envelopes:
        postman.deliver(envelopes, lambda letter: _started(office, letter), done)
    return ends


def _envelope(office: Office, row: Outbox) -> Envelope:
    """Give each letter an envelope sender of its own, by which a bounce is known."""
    return Envelope(row.id, office.tagged(f"bounce.{row.id}"), row.address, row.raw)


def _started(office: Office, letter: int) -> None:
    with office.database.session() as session:
        row = session.get_one(Outbox, letter)
        row.data_started_at = office.clock.now()
        session.add(row)


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
