"""Does mail still come in?  corr writes to itself, and tells the operator when that does not come back.

A mailbox that is full, moved, filtered or read by another program looks just like one
to which nobody writes.  The letters of this file are in no outbox, and out of the inbound
letters as soon as they are seen.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from corr.core.addresses import normal
from corr.core.commands import LANGUAGES
from corr.mail.bounces import envelope_tag
from corr.mail.smtp import Delivery, Envelope, Postman
from corr.render.catalogue import word
from corr.render.moment import clock
from corr.service.office import Office
from corr.service.own_letter import own_letter
from corr.store.tables import Inbound
from engines.api import Phrase

PATIENCE = timedelta(minutes=30)
"""In which a letter to oneself comes back; in trouble, the time until the next one."""

DEAF_AFTER = timedelta(minutes=15)
"""Without a look into the inbox; it is looked at every minute or so."""

LOOKED_AT = 50
"""How many of corr's own letters that came in are searched, the newest first."""

Kind = Literal["beat", "deaf", "lost", "well"]

WORDS: dict[Kind, tuple[str, str]] = {
    "beat": ("heartbeat.beat-subject", "heartbeat.beat"),
    "deaf": ("heartbeat.deaf-subject", "heartbeat.deaf"),
    "lost": ("heartbeat.lost-subject", "heartbeat.lost"),
    "well": ("heartbeat.well-subject", "heartbeat.well"),
}
"""Keys of the subject and the text of each letter."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why players may not be heard, and since when."""

    kind: Kind
    since: datetime


class Heart:
    """Writes to itself every so often, and once to the operator when the inbox falls silent."""

    def __init__(
        self, office: Office, postman: Postman, operator: str, every: timedelta, deaf_after: timedelta
    ) -> None:
        self.postman = postman  # which may be changed
        self._office, self._operator = office, operator
        self._every, self._deaf_after = every, deaf_after
        self._begun = self._next = office.clock.now()
        self._under_way: deque[tuple[str, datetime]] = deque(maxlen=20)  # tokens, the newest last
        self._trouble: Trouble | None = None
        self._untold: Trouble | None = None  # what the operator still has to be told

    def beat(self, seen: datetime | None) -> None:
        """Look what has come back, and do what is due; *seen* is when the inbox was last read."""
        now = self._office.clock.now()
        self._listen()
        self._notice(self._found(now, seen or self._begun), now)
        if self._untold is not None and self._send(self._operator, self._untold, self._token()):
            self._untold = None
        if now >= self._next:
            self._next = now + self._write(now)

    def _listen(self) -> None:
        """Take letters to oneself out of the store; what was sent before one that came back is settled."""
        with self._office.database.session() as session:
            heard = take_back(session, self._office.address, {token for token, _ in self._under_way})
        last = max((sent for token, sent in self._under_way if token in heard), default=None)
        while last is not None and self._under_way and self._under_way[0][1] <= last:
            self._under_way.popleft()

    def _found(self, now: datetime, seen: datetime) -> Trouble | None:
        if now - seen > self._deaf_after:
            return Trouble("deaf", seen)
        if self._under_way and now - self._under_way[0][1] > PATIENCE:
            return Trouble("lost", self._under_way[0][1])
        return None

    def _notice(self, found: Trouble | None, now: datetime) -> None:
        """Log the beginning and the end of trouble, and remember to tell the operator, once each."""
        before, self._trouble = self._trouble, found
        if found is not None and before is not None:
            self._trouble = before  # one episode, whatever it shows itself by
        elif found is not None:
            _log.error("%s; trouble since %s", word(Phrase(WORDS[found.kind][0]), "en", {}), found.since)
            self._untold = found
            self._next = now  # whatever comes back ends the trouble
        elif before is not None:
            _log.warning("letters come in again, after trouble since %s", before.since)
            # Who has not heard of the trouble need not hear of its end.
            self._untold = None if self._untold is before else Trouble("well", before.since)

    def _write(self, now: datetime) -> timedelta:
        """Write to oneself; returns after how long the next letter is due."""
        token = self._token()
        if not self._send(self._office.tagged(f"heartbeat.{token}"), Trouble("beat", now), token):
            return PATIENCE
        self._under_way.append((token, now))
        return PATIENCE if self._trouble else self._every

    def _token(self) -> str:
        return self._office.entropy(10).hex()

    def _send(self, recipient: str, what: Trouble, token: str) -> bool:
        ends: list[Delivery] = []
        sender = self._office.tagged(envelope_tag(f"heartbeat.{token}"))
        raw = written(self._office, recipient, what, token)
        self.postman.deliver([Envelope(0, sender, recipient, raw)], lambda _: None, ends.append)
        if ends[0].status not in {"sent", "unknown"}:
            _log.warning("a letter to %s was not taken: %s", recipient, ends[0].text)
            return False
        return True


def take_back(session: Session, address: str, tokens: set[str]) -> set[str]:
    """Delete heartbeats that came in, those of former processes too; returns which *tokens* were there."""
    query = (
        select(Inbound)
        .where(col(Inbound.status) == "ignored", col(Inbound.lane) == normal(address))
        .where(col(Inbound.rules_hit) == "own-letter")
        .order_by(col(Inbound.id).desc())
        .limit(LOOKED_AT)
    )
    heard: set[str] = set()
    for row in session.exec(query):
        found = {token for token in tokens if token.encode() in row.raw}  # some servers rewrite Message-ID
        if found or (row.message_id or "").startswith("<heartbeat."):
            session.delete(row)
        heard |= found
    return heard


def written(office: Office, recipient: str, what: Trouble, token: str) -> bytes:
    """Write a letter as corr's own, which nobody answers, in all languages: an operator has named none."""
    subject_key, text_key = WORDS[what.kind]
    subject = " / ".join(word(Phrase(subject_key), language, {}) for language in LANGUAGES)
    text = "\n\n".join(_worded(office, what, text_key, language) for language in LANGUAGES)
    message_id, now = f"<heartbeat.{token}@{office.domain}>", office.clock.now()
    return own_letter(office.name, office.address, recipient, subject, message_id, now, text)


def _worded(office: Office, what: Trouble, key: str, language: str) -> str:
    since = clock(what.since, language, office.timezone)
    return word(Phrase(key, {"mailbox": office.address, "since": since}), language, {})
