"""Letters as they are stored, in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, case, exists, func, insert, or_
from sqlalchemy import select as select_core
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select, update

from corr.core import marks
from corr.core.addresses import normal
from corr.store.memory import learned
from corr.store.statement import Statement, named
from corr.store.tables import Inbound, Outbox, OutboxText, SeatRow
from corr.store.types import Packed


def next_number(session: Session, game_id: int, seat: int) -> int:
    """Return the number of the next letter to a seat, from 1; ValueError for what is no seat of the game."""
    ((_, newest),) = _NEWEST_TO_ONE.rows(session, game=game_id, seat=seat)
    return (newest or 0) + 1


def take_numbers(session: Session, game_id: int, seats: Sequence[int]) -> list[int]:
    """Give the next letters to *seats* of a locked game their numbers, for each seat from 1.

    Raises KeyError for what is no seat of the game.
    """
    known = learned(session).numbers
    if not set(seats) <= known.get(game_id, {}).keys():
        known[game_id] = {seat: newest or 0 for seat, newest in _NEWEST.rows(session, game=game_id)}
    newest = known[game_id]
    newest.update({seat: newest[seat] + 1 for seat in seats})
    return [newest[seat] for seat in seats]


NEWEST_TO_SEAT = (
    select_core(func.max(col(Outbox.n)))
    .where(col(Outbox.game_id) == col(SeatRow.game_id), col(Outbox.seat) == col(SeatRow.number))
    .scalar_subquery()
)
"""The number of the newest letter to a seat; NULL without one."""

_NEWEST_OF_ALL = select_core(col(SeatRow.number), NEWEST_TO_SEAT).where(
    col(SeatRow.game_id) == bindparam("game")
)
_NEWEST = Statement(_NEWEST_OF_ALL)
_NEWEST_TO_ONE = Statement(_NEWEST_OF_ALL.where(col(SeatRow.number) == bindparam("seat")))


def queue(session: Session, letters: Sequence[tuple[Mapping[str, Any], bytes]]) -> None:
    """Put letters into the outbox, each given as a row and the bytes to send."""
    _QUEUE.run_each(session, [{**_OF_NO_GAME, **letter} for letter, _ in letters])
    texts = [{"message_id": letter["message_id"], "raw": raw} for letter, raw in letters]
    _QUEUE_TEXT.run_each(session, texts)


_OF_NO_GAME: Mapping[str, None] = {"game_id": None, "seat": None, "n": None}
_QUEUED = ("player_id", "address", "message_id", "in_reply_to", "kind", "status", "due_at")
_QUEUE = Statement(insert(Outbox).values(attempts=0, **named(*_OF_NO_GAME, *_QUEUED)))
_QUEUE_TEXT = Statement(
    insert(OutboxText).from_select(
        ["id", "raw"],
        select_core(col(Outbox.id), bindparam("raw", type_=Packed())).where(
            col(Outbox.message_id) == bindparam("message_id")
        ),
    )
)


def next_personal(session: Session, address: str) -> int:
    """Return the number of the next letter to an address that belongs to no game, from 1.

    The reader's own counter: a number of rows would tell what others send and get.
    """
    query = select(func.count(col(Outbox.id))).where(
        col(Outbox.address) == address, col(Outbox.game_id).is_(None)
    )
    return session.exec(query).one() + 1


def letter_to(session: Session, game_id: int, seat: int, number: int) -> Outbox | None:
    """Find a letter to a seat by its number."""
    return session.exec(
        select(Outbox).where(
            col(Outbox.game_id) == game_id, col(Outbox.seat) == seat, col(Outbox.n) == number
        )
    ).one_or_none()


def sent_as(session: Session, message_id: str) -> Outbox | None:
    """Find a letter of a game that was sent, by its id; servers may have put the whole id in lower case.

    The ids of other letters can be worked out by whoever wrote what they answer.
    """
    code, dot, rest = message_id.strip("<>").partition(".")
    spellings = (message_id, f"<{code.upper()}{dot}{rest}>")
    query = select(Outbox).where(col(Outbox.message_id).in_(spellings), col(Outbox.status) == "sent")
    return session.exec(query.where(col(Outbox.game_id).is_not(None))).first()


def keep(session: Session, letter: Mapping[str, Any]) -> int:
    """Store a letter that came, given as a row; returns its number.  IntegrityError if it is there."""
    return int(_KEEP.value(session, **letter))


_PLACE = ("source", "mailbox", "uidvalidity", "uid")
_KEPT = (*_PLACE, "message_id", "content_key", "lane", "sender", "raw", "received_at")
_KEEP = Statement(
    insert(Inbound).values(status="new", attempts=0, **named(*_KEPT)).returning(col(Inbound.id))
)


def settle(session: Session, letter: Inbound) -> None:
    """Write what became of a letter, which belongs to no session."""
    _SETTLE.run(session, number=letter.id, **{name: getattr(letter, name) for name in _SETTLED})


_SETTLED = ("player_id", "game_id", "seat", "status", "problem", "rules_hit", "done_at")
_SETTLE = Statement(update(Inbound).where(col(Inbound.id) == bindparam("number")).values(named(*_SETTLED)))


def newest(session: Session) -> int:
    """Return the number of the newest letter; 0 without one."""
    return session.exec(select(func.max(col(Inbound.id)))).one() or 0


class Earlier(NamedTuple):
    """What came before a letter."""

    all: int  # letters of its sender in some time, itself included
    fruitless: int  # those of them of which nothing was taken
    same: bool  # it repeats one that was answered, whenever that was


def earlier(session: Session, letter: Inbound, span: timedelta) -> Earlier:
    """Count the letters of one sender in the time before this one, and look for the same one."""
    since = letter.received_at - span
    (known,) = _EARLIER.rows(
        session, id=letter.id, sender=letter.sender, content=letter.content_key, since=since
    )
    return Earlier._make(known)


_REFUSED = case((col(Inbound.status) == "refused", 1))  # else NULL, which is not counted


def _earlier() -> Select[int, int, bool]:
    same = aliased(Inbound)
    repeated = exists().where(
        col(same.content_key) == bindparam("content"),
        col(same.id) < bindparam("id"),
        or_(*(col(same.status) == status for status in _ANSWERED)),
    )
    return select_core(func.count(col(Inbound.id)), func.count(_REFUSED), repeated).where(
        col(Inbound.sender) == bindparam("sender"),
        col(Inbound.received_at) > bindparam("since"),
        col(Inbound.id) <= bindparam("id"),
    )


_ANSWERED = ("done", "refused")
_EARLIER = Statement(_earlier())


def refused_lately(session: Session, letter: Inbound, span: timedelta) -> bool:
    """Tell whether a letter of the same sender was refused for a flaw in the time before this one."""
    query = select(Inbound.id).where(
        col(Inbound.sender) == letter.sender,
        col(Inbound.received_at) > letter.received_at - span,
        col(Inbound.rules_hit) == "flawed",
    )
    return session.exec(query).first() is not None


def sent_since(session: Session, since: datetime) -> int:
    """Count the letters that went out after *since*."""
    return session.exec(select(func.count(col(Outbox.id))).where(col(Outbox.sent_at) > since)).one()


def unsent(session: Session, address: str) -> Sequence[Outbox]:
    """Return the newest letter of each game that was not sent, because letters to *address* came back."""
    newer = aliased(Outbox)
    told = exists().where(
        col(newer.game_id) == col(Outbox.game_id),
        col(newer.seat) == col(Outbox.seat),
        col(newer.n) > col(Outbox.n),
    )
    query = select(Outbox).where(col(Outbox.address) == address, col(Outbox.status) == "dropped", ~told)
    return session.exec(query.where(col(Outbox.game_id).is_not(None))).all()


def is_stored(session: Session, mailbox: str, uidvalidity: int, uid: int) -> bool:
    """Tell whether a letter of a mailbox has been stored."""
    query = select(Inbound.id).where(
        col(Inbound.mailbox) == mailbox, col(Inbound.uidvalidity) == uidvalidity, col(Inbound.uid) == uid
    )
    return session.exec(query).first() is not None


def first_of(session: Session, letter: Inbound) -> Inbound | None:
    """Find the earlier letter that this one repeats, if that one was answered."""
    return session.exec(
        select(Inbound)
        .where(
            col(Inbound.content_key) == letter.content_key,
            col(Inbound.id) < letter.id,
            col(Inbound.status).in_(_ANSWERED),
        )
        .order_by(col(Inbound.id))
    ).first()


def answer_to(session: Session, letter: Inbound) -> Outbox | None:
    """Find the answer that its writer got for a letter, at whatever address he reads."""
    by_writer = (
        col(Outbox.address) == normal(letter.sender)
        if letter.player_id is None
        else col(Outbox.player_id) == letter.player_id
    )
    return session.exec(
        select(Outbox)
        .where(col(Outbox.in_reply_to) == letter.message_id, by_writer)
        .order_by(col(Outbox.id).desc())
    ).first()


def waits(session: Session, lane: str, until: datetime) -> bool:
    """Tell whether a letter of *lane* that came by *until* has not been read yet."""
    query = select(Inbound.id).where(
        col(Inbound.status) == "new", col(Inbound.lane) == lane, col(Inbound.received_at) <= until
    )
    return session.exec(query).first() is not None


def told_lately(
    session: Session, address: str, now: datetime, within: timedelta, kind: str | None = None
) -> bool:
    """Tell whether a letter that belongs to no game, of *kind* or any, went to *address* lately."""
    query = select(Outbox.id).where(
        col(Outbox.address) == address, col(Outbox.game_id).is_(None), col(Outbox.due_at) > now - within
    )
    if kind is not None:
        query = query.where(col(Outbox.kind) == kind)
    return session.exec(query).first() is not None


def wrote_about(session: Session, game_id: int, about: str, since: datetime) -> bool:
    """Tell whether somebody in a game has been written a note *about* one matter since then."""
    query = select(Outbox.id).where(
        col(Outbox.game_id) == game_id, col(Outbox.kind) == f"note.{about}", col(Outbox.due_at) >= since
    )
    return session.exec(query).first() is not None


def strangers_told(session: Session, since: datetime) -> int:
    """Count the letters that went to people who are no players, since then."""
    query = select(func.count(col(Outbox.id))).where(
        col(Outbox.player_id).is_(None), col(Outbox.game_id).is_(None), col(Outbox.due_at) > since
    )
    return session.exec(query).one()


def absences(session: Session, game_id: int) -> dict[int, datetime]:
    """Return by seat when a machine last answered for it, where no letter has been read since."""
    query = (
        select(
            col(Inbound.seat),
            func.max(case((col(Inbound.rules_hit) == "automatic", col(Inbound.received_at)))),
            func.max(case((col(Inbound.status).in_(_ANSWERED), col(Inbound.received_at)))),
        )
        .where(col(Inbound.game_id) == game_id, col(Inbound.seat).is_not(None))
        .group_by(col(Inbound.seat))
    )
    found = session.connection().execute(query).all()
    return {seat: away for seat, away, heard in found if seat and away and (heard is None or heard < away)}


def held_back(session: Session, game_id: int, seat: int, since: datetime, problems: Sequence[str]) -> int:
    """Count the letters for a seat that were refused for one of *problems* since then."""
    query = select(func.count(col(Inbound.id))).where(
        col(Inbound.status) == "refused",
        col(Inbound.game_id) == game_id,
        col(Inbound.seat) == seat,
        col(Inbound.problem).in_(problems),
        col(Inbound.done_at) > since,
    )
    return session.exec(query).one()


def last_position(session: Session, game_id: int, seat: int, by: datetime) -> int:
    """Return the position of the newest letter that had been sent to a seat *by* then; 0 without one."""
    sent = session.exec(
        select(Outbox.message_id)
        .where(col(Outbox.game_id) == game_id, col(Outbox.seat) == seat, col(Outbox.sent_at) <= by)
        .order_by(col(Outbox.n).desc())
    ).first()
    return next(marks.find([sent])).mark.position if sent else 0
