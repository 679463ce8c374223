"""What the database tells of mail: how much may still go out, what waits, and who cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from corr.core.carriers import CARRIERS
from corr.mail.presets import Limits
from corr.service.allowance import DAY, HOUR, paused_until
from corr.service.roundtrip import Finding
from corr.store.letters import sent_since
from corr.store.tables import Address, Inbound, Outbox, Player

OVERDUE = timedelta(hours=1)
"""How long a letter may be due, or lie unread, before somebody should look."""


def checkup(
    session: Session, preset: str | None, limits: Limits, domain: str, now: datetime
) -> list[Finding]:
    """Say how mail stands; *domain* is that of corr's address."""
    return [
        _sending(session, preset, limits, now),
        _waiting(session, now),
        _addresses(session),
        *_carriers(session, domain),
    ]


def _sending(session: Session, preset: str | None, limits: Limits, now: datetime) -> Finding:
    hour, day = sent_since(session, now - HOUR), sent_since(session, now - DAY)
    detail = f"{preset or 'no preset'}: {limits}; {hour} sent within an hour, {day} within 24 hours"
    if (until := paused_until(session, now)) is not None:
        pause = f"the provider takes no more for now, so all letters wait until {until:%Y-%m-%d %H:%M} UTC"
        return Finding(
            "sending", False, f"{pause} ({detail}): set letters_per_day lower if this happens often"
        )
    if (limits.per_day is not None and day >= limits.per_day) or (
        limits.per_hour is not None and hour >= limits.per_hour
    ):
        return Finding(
            "sending", False, f"the limit is used up, so letters wait, urgent ones least ({detail})"
        )
    return Finding("sending", True, detail)


def _waiting(session: Session, now: datetime) -> Finding:
    waits = or_(
        col(Outbox.status).in_(("queued", "deferred", "unknown")),
        (col(Outbox.status) == "sending") & (col(Outbox.leased_until) <= now),
    )
    out, due = session.exec(select(func.count(col(Outbox.id)), func.min(Outbox.due_at)).where(waits)).one()
    new = select(func.count(col(Inbound.id)), func.min(Inbound.received_at)).where(Inbound.status == "new")
    unread, came = session.exec(new).one()
    detail = f"{out} to be sent, {unread} to be read"
    oldest = min(filter(None, (due, came)), default=now)
    if now - oldest > OVERDUE:
        since = f"since {oldest:%Y-%m-%d %H:%M} UTC"
        return Finding("letters", False, f"{detail}, the oldest {since}: does `corr serve` run?")
    return Finding("letters", True, detail)


def _addresses(session: Session) -> Finding:
    query = (
        select(Player.display_name, Address.address)
        .join(Address, col(Address.player_id) == col(Player.id))
        .where(col(Address.state) == "bouncing")
        .order_by(col(Address.address))
    )
    dead = [f"{address} ({name})" for name, address in session.exec(query)]
    if not dead:
        return Finding("addresses", True, "letters come back from none")
    ask = "ask their players for others; a letter from one of them sets it right"
    return Finding("addresses", True, f"letters come back from {', '.join(dead)}: {ask}")


def _carriers(session: Session, domain: str) -> Iterator[Finding]:
    """Say what players at Japanese carriers must allow, and what their filters look at."""
    found = [name for name, domains in CARRIERS.items() if any(_is_used(session, one) for one in domains)]
    if found:
        yield Finding(
            "carriers",
            True,
            f"there are players at {', '.join(found)}: let them allow {domain} (受信リスト, 受信許可リスト), "
            "and mail from computers and with links; their filters against forgery (なりすまし) want SPF, "
            f"DKIM and DMARC of {domain} to be right: `dig TXT {domain}` and `dig TXT _dmarc.{domain}` show "
            "them, and so does the head of a letter that `corr doctor --send` brings to you",
        )


def _is_used(session: Session, domain: str) -> bool:
    ends = (col(Address.address).endswith(f"{sign}{domain}", autoescape=True) for sign in "@.")
    return session.exec(select(Address.id).where(or_(*ends)).limit(1)).first() is not None
