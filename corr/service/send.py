"""Letters leave the outbox: leased in one transaction, tried, and recorded one by one.

Delivery is at least once.  Before the text of a letter flows, that is written
down; so what was lost before it is simply sent again, and what was lost after
it is known to be unknown.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, or_
from sqlmodel import Session, col, update

from corr.faults import fault
from corr.mail.retries import retry_at
from corr.mail.smtp import Delivery, Envelope, Postman
from corr.service.allowance import allowance
from corr.service.bounces import refused, sender_of
from corr.service.office import Office
from corr.store.claim import claim_outbox, lose_sight
from corr.store.statement import Statement
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
        most = min(BATCH, allowance(session, office.limits, now))
        rows = claim_outbox(session, now, now + LEASE, most, worker)
        envelopes = [Envelope(row.id, sender_of(office, row), row.address, row.raw) for row in rows]
        fault("send.claimed")
    fault("send.leased")
    return _deliver(office, postman, worker, envelopes) if envelopes else []


def _deliver(office: Office, postman: Postman, worker: str, envelopes: Sequence[Envelope]) -> list[Delivery]:
    with office.database.relaxed.connect() as connection:
        round_ = _Round(office, connection, worker)
        try:
            postman.deliver(envelopes, round_.started, round_.done)
        except LeaseLost as lost:
            _log.warning("%s: was this machine asleep?", lost)
        finally:
            round_.record()
        return round_.ends


class _Round:
    """The letters of one batch on their way.

    What is written down of them need not survive a power cut: all that is lost with it is a
    copy that goes out once more.
    """

    def __init__(self, office: Office, connection: Connection, worker: str) -> None:
        self.ends: list[Delivery] = []
        self._office, self._connection, self._worker = office, connection, worker
        self._recorded = 0  # of the ends

    def started(self, letter: int) -> None:
        """Write down that a letter's text begins to flow; raises LeaseLost if another may send it too."""
        now = self._office.clock.now()
        until = _START.value(self._connection, letter=letter, worker=self._worker, now=now)
        if until is None:
            raise LeaseLost(f"letter {letter} was taken over")
        if until < now + LEASE - RENEWED_AFTER:
            _RENEW.run(self._connection, worker=self._worker, until=now + LEASE)
        fault("send.started")

    def done(self, end: Delivery) -> None:
        """Write down how a delivery ended."""
        fault("send.answered")
        self.ends.append(end)
        self.record()

    def record(self) -> None:
        """Write down the ends that are not yet: where the database did not take one, it is asked again."""
        while self._recorded < len(self.ends):
            self._write(self.ends[self._recorded])
            self._recorded += 1
            fault("send.recorded")

    def _write(self, end: Delivery) -> None:
        now = self._office.clock.now()
        if end.status == "sent":
            arrived = {"letter": end.id, "worker": self._worker, "now": now}
            _ARRIVE.run(self._connection, **arrived, code=end.code, text=end.text)
        else:
            with self._office.database.session() as session:
                _record_trouble(session, end, self._worker, now)


_THIS = col(Outbox.id) == bindparam("letter")
_HELD = col(Outbox.leased_by) == bindparam("worker")

_START = Statement(
    update(Outbox)
    .where(_THIS, _HELD)
    .values(data_started_at=bindparam("now"))
    .returning(col(Outbox.leased_until))
)

_ARRIVE = Statement(
    update(Outbox)
    .where(_THIS, or_(_HELD, col(Outbox.status) == "unknown"))  # nobody else knew better
    .values(
        status="sent",
        sent_at=bindparam("now"),
        last_code=bindparam("code"),
        last_text=bindparam("text"),
        leased_by=None,
        leased_until=None,
    )
)


_RENEW = Statement(  # nobody else may take what waits behind a slow letter
    update(Outbox).where(_HELD, col(Outbox.status) == "sending").values(leased_until=bindparam("until"))
)


def _record_trouble(session: Session, end: Delivery, worker: str, now: datetime) -> None:
    """Write down that a letter has not arrived, or that nobody knows, unless another has taken it over."""
    row = session.get_one(Outbox, end.id, with_for_update=True)
    if row.leased_by == worker:
        _trouble(session, row, end, now)


def _trouble(session: Session, row: Outbox, end: Delivery, now: datetime) -> None:
    row.last_code, row.last_text = end.code, end.text
    row.leased_by = row.leased_until = None
    assert end.trouble is not None
    if end.status == "unknown":
        lose_sight(row, now)
    else:
        again = retry_at(end.trouble, row.attempts, now)
        row.status = "deferred" if again else "failed"
        row.due_at = again or row.due_at
        row.attempts -= end.halts  # it was the account's trouble, not the letter's
        refused(session, row, end, now)
    session.add(row)
