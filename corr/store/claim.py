"""What to work on next, locked so that no other worker takes it too.

The order of locks is letter, then game, then anything; a deadline is found by its
game's lock alone, or a move and a lapse would wait for each other.  On SQLite every
transaction holds the whole database, and the locks below compile to nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Integer, and_, bindparam, case, exists, or_
from sqlalchemy import select as select_core
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm import aliased
from sqlmodel import Session, UTCDateTime, col, update

from corr.core.page import Kind
from corr.store.loading import Loader
from corr.store.statement import Clause, Statement
from corr.store.tables import Deadline, Game, Inbound, Outbox, OutboxText, Tenure

UNHURRIED = tuple(kind.value for kind in (Kind.TALK, Kind.NOTE, Kind.RESULT, Kind.INVITATION))
"""Kinds of letters for whose reader no clock runs: the others go first."""

RESEND_AFTER = timedelta(minutes=10)
"""How long a delivery of which nobody knows the end is left alone."""


_LETTER = Loader(Inbound)
_GAME = Loader(Game)


def _next_inbound() -> Clause:
    older = aliased(Inbound)
    blocked = exists().where(
        col(older.lane) == col(Inbound.lane),
        col(older.status) == "new",
        col(older.id) < col(Inbound.id),
    )
    return (
        select_core(*_LETTER.columns)
        .where(col(Inbound.status) == "new", ~blocked)
        .order_by(col(Inbound.id))
        .limit(1)
        .with_for_update(skip_locked=True, of=Inbound)
    )


_NEXT_INBOUND = Statement(_next_inbound())


def next_inbound(session: Session) -> Inbound | None:
    """Lock the oldest new letter whose lane has no older new letter.

    A letter that is being worked on is still new to everybody else, so it holds back
    its lane whether it waits or runs.  It belongs to no session: what becomes of it is
    written once, when all is known.
    """
    row = _NEXT_INBOUND.row(session)
    return None if row is None else _LETTER.detached(row)


def due_game(session: Session, now: datetime) -> Game | None:
    """Lock the game whose armed deadline has been due the longest.

    Look at its deadlines again under the lock: another worker may have fired them just
    before.  A game that is paused, held or over is not due, whatever is still armed.
    """
    row = _DUE_GAME.row(session, now=now)
    return None if row is None else _GAME.anew(session, row)


_DUE_GAME = Statement(
    select_core(*_GAME.columns)
    .join(Deadline, col(Deadline.game_id) == col(Game.id))
    .where(
        col(Deadline.status) == "armed",
        col(Deadline.due_at) <= bindparam("now"),
        or_(col(Game.status) == "open", col(Game.status) == "running"),
    )
    .order_by(col(Deadline.due_at), col(Deadline.id))
    .limit(1)
    .with_for_update(skip_locked=True, of=Game)
)


def lock_game(session: Session, game_id: int) -> Game:
    """Wait for the game's lock and read the game as it is then.

    Raises sqlalchemy.exc.NoResultFound where there is no such game.
    """
    row = _LOCKED.row(session, game=game_id)
    if row is None:
        raise NoResultFound(f"there is no game {game_id}")
    return _GAME.anew(session, row)


_LOCKED = Statement(select_core(*_GAME.columns).where(col(Game.id) == bindparam("game")).with_for_update())


class Claimed(NamedTuple):
    """A letter that is leased, with all that its worker must know to send it."""

    id: int
    game_id: int | None
    seat: int | None
    address: str
    message_id: str
    raw: bytes
    key: bytes | None  # of who holds the seat; None for a letter of no game


def claim_outbox(
    session: Session, now: datetime, lease_until: datetime, limit: int, worker: str
) -> list[Claimed]:
    """Lease up to *limit* letters that are due to *worker*: urgent ones first, then the longest due.

    A letter whose lease ran out is taken over if its text had not begun to flow; else
    it may have arrived, and its delivery is lost sight of.
    """
    _give_up_on_lost(session, now)
    letters = [Claimed._make(row) for row in _DUE.rows(session, now=now, limit=limit)]
    if letters:
        lease = {"letters": [letter.id for letter in letters], "worker": worker, "until": lease_until}
        session.connection().execute(_LEASE, lease | {"now": now})
    return letters


# A kind may tell more behind a point: "talk.7", "invitation.invite".
_UNHURRIED = [or_(col(Outbox.kind) == kind, col(Outbox.kind).startswith(f"{kind}.")) for kind in UNHURRIED]
_HURRY = case((or_(*_UNHURRIED), 1), else_=0)

_NOW = bindparam("now", type_=UTCDateTime())
_WAITS = or_(*(col(Outbox.status) == status for status in ("queued", "deferred", "unknown")))
_IS_DUE = and_(_WAITS, col(Outbox.due_at) <= _NOW)
_RAN_OUT = and_(col(Outbox.status) == "sending", col(Outbox.leased_until) <= _NOW)
_UNTOUCHED = and_(_RAN_OUT, col(Outbox.data_started_at).is_(None))

_TO_HOLDER = (col(Tenure.game_id) == col(Outbox.game_id), col(Tenure.seat) == col(Outbox.seat))
_DUE = Statement(
    select_core(*map(col, (Outbox.id, Outbox.game_id, Outbox.seat, Outbox.address, Outbox.message_id)))
    .add_columns(col(OutboxText.raw), col(Tenure.key))
    .join(OutboxText, col(OutboxText.id) == col(Outbox.id))
    .outerjoin(Tenure, and_(*_TO_HOLDER, col(Tenure.to_at).is_(None)))
    .where(or_(_IS_DUE, _UNTOUCHED))
    .order_by(_HURRY, col(Outbox.due_at), col(Outbox.id))
    .limit(bindparam("limit", type_=Integer))
    .with_for_update(skip_locked=True, of=Outbox)
)

_LEASE = (
    update(Outbox)
    .where(col(Outbox.id).in_(bindparam("letters", expanding=True)))
    .values(
        status="sending",
        data_started_at=None,
        resent_at=case((col(Outbox.status) == "unknown", _NOW), else_=col(Outbox.resent_at)),
        attempts=col(Outbox.attempts) + 1,
        leased_by=bindparam("worker"),
        leased_until=bindparam("until"),
    )
)


def let_go(session: Session, now: datetime) -> None:
    """End the leases of all letters that somebody had in hand."""
    _LET_GO.run(session, now=now)


_LET_GO = Statement(update(Outbox).where(col(Outbox.status) == "sending").values(leased_until=_NOW))


def lose_sight(letter: Outbox, now: datetime) -> None:
    """Record that nobody knows whether *letter* arrived.

    It is sent again once, after a while: twice is better than never.  The second time
    it counts as failed, and a human decides.
    """
    letter.leased_by = letter.leased_until = None
    if letter.resent_at is None:
        letter.status, letter.due_at = "unknown", now + RESEND_AFTER
    else:
        letter.status, letter.last_text = "failed", "twice broken off after DATA"


def _give_up_on_lost(session: Session, now: datetime) -> None:
    for (number,) in _LOST.rows(session, now=now):
        lose_sight(session.get_one(Outbox, number), now)
    session.flush()


_LOST = Statement(
    select_core(col(Outbox.id))
    .where(_RAN_OUT, col(Outbox.data_started_at).is_not(None))
    .with_for_update(skip_locked=True, of=Outbox)
)
