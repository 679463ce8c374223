"""Letters that came back: what that means for an address, and for the letters to it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlmodel import Session

from corr.core import marks
from corr.core.marks import RETURN, Signed
from corr.mail.bounces import Bounce, Severity, envelope_tag, returned_to
from corr.mail.retries import Trouble
from corr.mail.smtp import Delivery
from corr.service import unreachable
from corr.service.office import Office
from corr.service.sitting import Sitting
from corr.store import chairs, games, letters, people
from corr.store.claim import Claimed, lock_game
from corr.store.tables import Address, Inbound, Outbox

MOST_SOFT = 5
"""Soft bounces in a row after which an address counts as dead; each is of another letter."""

SOFT_COUNTS = timedelta(days=30)
"""Without a bounce in this time, they are counted anew: a full mailbox has long been emptied."""

_log = logging.getLogger(__name__)


def sender_of(office: Office, letter: Claimed) -> str:
    """Give a letter an envelope sender of its own, by which a bounce is known.

    What belongs to no game is known by its id, and not believed.
    """
    own = letter.message_id.strip("<>").partition("@")[0]
    signed = next(marks.find([own]), None)
    tag = str(marks.sign(letter.key, signed.mark, RETURN)) if signed and letter.key else own
    return office.tagged(envelope_tag(tag))


def hear(session: Session, office: Office, inbound: Inbound, bounce: Bounce) -> None:
    """Note which letter came back, and send it to another address of its reader if there is one."""
    inbound.status = "ignored"
    inbound.problem = f"bounce.{bounce.severity.value}"
    row = proven = sent_from(session, bounce.returned)
    if row is None:
        row = next(filter(None, (letters.sent_as(session, name) for name in bounce.enclosed)), None)
    if row is None or row.status != "sent":
        inbound.problem = "bounce.unknown"  # of no letter of ours, or told already
        return
    inbound.game_id, inbound.seat, inbound.player_id = row.game_id, row.seat, row.player_id
    if bounce.severity is not Severity.DELAYED and row.game_id is not None:
        game = lock_game(session, row.game_id)
        row.status, row.last_text = "failed", f"came back ({bounce.severity.value})"
        session.add(row)
        hard = bounce.severity is Severity.HARD and proven is not None
        returned(session, row, hard=hard, now=office.clock.now())
        if game.status == "running" and office.engines.named(game.rules) is not None:
            unreachable.tell_inside(Sitting(session, office, game))


def sent_from(session: Session, returned: Iterable[Signed]) -> Outbox | None:
    """Find the letter whose own envelope sender a machine has answered."""
    for signed in returned:
        mark = signed.mark
        game = games.game_by_code(session, mark.code)
        row = letters.letter_to(session, game.id, mark.seat, mark.letter) if game else None
        if game is None or row is None or f"{mark}." not in row.message_id:
            continue
        holders = chairs.tenures(session, game.id, mark.seat)
        if any(marks.genuine(tenure.key, signed, RETURN) for tenure in holders):
            return row
    return None


def note_absence(session: Session, inbound: Inbound, recipients: Iterable[str]) -> None:
    """Note for which seat a machine answers, if our letter's envelope sender tells it: a hint of absence."""
    row = sent_from(session, returned_to(recipients))
    if row is not None:
        inbound.game_id, inbound.seat, inbound.player_id = row.game_id, row.seat, row.player_id


def refused(session: Session, row: Outbox, end: Delivery, now: datetime) -> None:
    """Note that our own mail server will not take a letter for its address, ever or after days."""
    if end.status == "failed" and end.code is not None:
        returned(session, row, hard=end.trouble is Trouble.ADDRESS, now=now)


def returned(session: Session, row: Outbox, *, hard: bool, now: datetime) -> None:
    """Mark the address of a letter that did not arrive, and try the next one with the newest letter."""
    address = people.row_of(session, row.address)
    if address is None:
        return
    if address.state != "bouncing":
        _count(address, hard=hard, now=now)
        session.add(address)
        session.flush()
    if address.state == "bouncing":
        _log.warning("letters to an address of player %d come back", address.player_id)
        _redirect(session, row, address, now)


def _count(address: Address, *, hard: bool, now: datetime) -> None:
    """Count one more letter that came back."""
    lately = address.last_bounce_at is not None and now - address.last_bounce_at < SOFT_COUNTS
    address.bounces = address.bounces + 1 if lately else 1
    address.last_bounce_at = now
    address.state = "bouncing" if hard or address.bounces >= MOST_SOFT else "soft"


def _redirect(session: Session, row: Outbox, dead: Address, now: datetime) -> None:
    """Let a letter that is still the newest to its seat go to another address of the same person."""
    other = people.reachable(people.addresses_of(session, dead.player_id))
    if other.state == "bouncing" or row.game_id is None or row.seat is None:
        return
    if row.n == letters.next_number(session, row.game_id, row.seat) - 1:
        row.address, row.status, row.due_at, row.attempts = other.address, "queued", now, 0
        row.data_started_at = row.resent_at = None
        session.add(row)


def alive(session: Session, office: Office, sender: str) -> None:
    """Believe in an address again, for a letter has come from it; what was not sent to it goes out."""
    address = people.row_of(session, sender)
    if address is None or address.state == "good":
        return
    address.state, address.bounces = "good", 0
    session.add(address)
    for row in letters.unsent(session, address.address):
        row.status, row.due_at = "queued", office.clock.now()
        session.add(row)
