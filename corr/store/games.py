"""Games as they are stored: the log of facts, deadlines and open questions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, insert
from sqlalchemy import select as select_core
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, select, update

from corr import __version__
from corr.core.turn import AnyEngine, Cause, Entry, dump, load, steps
from corr.store.loading import Loader
from corr.store.memory import Memory, Past, learned
from corr.store.statement import Statement, named
from corr.store.tables import Ask, Deadline, Event, Game, Inbound, Tenure
from corr.store.types import AskKind, DeadlineKind
from engines.api import Seat


class EventRow(NamedTuple):
    """What is read of a fact."""

    seq: int
    at: datetime
    entry: int
    kind: str
    version: int
    body: Mapping[str, Any]
    seat: int | None
    words: str | None
    phase_key: str
    cause: Cause


def game_by_code(session: Session, code: str) -> Game | None:
    """Find a game by the code that its letters show; case does not count."""
    return session.exec(_BY_CODE, params={"code": code.upper()}).one_or_none()


_BY_CODE = select(Game).where(col(Game.code) == bindparam("code"))


def unfinished(session: Session) -> Sequence[tuple[str, str]]:
    """Return the code and the rules of each game that is not over."""
    return [(code, rules) for code, rules in _UNFINISHED.rows(session)]


_UNFINISHED = Statement(
    select_core(col(Game.code), col(Game.rules)).where(col(Game.status) != "over", col(Game.status) != "void")
)


def past(session: Session, memory: Memory, engine: AnyEngine, game: Game, newest: datetime | None) -> Past:
    """Return all that happened in a game, whose row the caller has locked.

    *newest* is when the newest event was recorded; None before the first.

    Only what *memory* lacks is read and folded.  It keeps what it is given when the
    transaction is committed: events that are rolled back leave their numbers to others.
    """
    known = memory.past(game.id, engine)
    if known.newest != (game.seq, newest):
        known = _read_on(session, known, game.id)
    learned(session).pasts[game.id] = known
    return known


def _read_on(session: Session, known: Past, game_id: int) -> Past:
    """Read what is missing of a past, or all of it where another database stands where that one was."""
    rows = _events_from(session, game_id, known)
    if known.log and (not rows or (rows[0].seq, rows[0].at) != known.newest):
        known = Past(known.engine)
        rows = _events_from(session, game_id, known)
    new = rows[1:] if known.log else rows
    return _longer(known, new) if new else known


def _events_from(session: Session, game_id: int, known: Past) -> Sequence[EventRow]:
    """Read the events of a game from one on, that one included: it tells whether the log is the same."""
    return [EventRow._make(row) for row in _EVENTS.rows(session, game=game_id, seq=known.newest[0])]


_EVENTS = Statement(
    # Columns, not rows of the ORM: a village has hundreds of facts.
    select_core(
        *map(col, (Event.seq, Event.at, Event.entry, Event.kind, Event.version, Event.body)),
        *map(col, (Event.seat, Event.words, Event.phase_key, Event.cause)),
    )
    .where(col(Event.game_id) == bindparam("game"), col(Event.seq) >= bindparam("seq"))
    .order_by(col(Event.seq))
)


def _longer(past: Past, rows: Sequence[EventRow]) -> Past:
    """Put entries after those of a past."""
    engine = past.engine
    log = [_entry(engine, list(facts)) for _, facts in groupby(rows, attrgetter("entry"))]
    position = past.history[-1].after if past.history else None
    history = steps(engine, position, (fact for entry in log for fact in entry.facts))
    newest = (rows[-1].seq, rows[-1].at)
    return Past(engine, newest, (*past.log, *log), (*past.history, *history))


def _entry(engine: AnyEngine, rows: Sequence[EventRow]) -> Entry:
    head = rows[0]
    facts = tuple(load(engine, row.kind, row.version, row.body) for row in rows)
    return Entry(
        None if head.seat is None else Seat(head.seat), head.words, head.phase_key, head.cause, facts
    )


def orders_of(session: Session, game_id: int, seat: Seat, phase: str) -> Sequence[tuple[str, datetime]]:
    """Return the words of a seat's orders in one phase, and when they came: in a letter, or in a record."""
    query = (
        select(Event.entry, Event.words, func.coalesce(Inbound.received_at, Event.at))
        .outerjoin(Inbound, col(Inbound.id) == col(Event.inbound_id))
        .where(col(Event.game_id) == game_id, col(Event.seat) == seat, col(Event.phase_key) == phase)
        .order_by(col(Event.entry))
        .distinct()
    )
    return [(words, at) for _, words, at in session.exec(query) if words is not None]


def append(
    session: Session,
    engine: AnyEngine,
    game: Game,
    entries: Sequence[Entry],
    at: datetime,
    inbound_id: int | None,
    *,
    position: int,
    phase_key: str | None,
) -> None:
    """Write *entries* at the end of a game's log, and in its row where it stands now.

    ``game.seq`` moves with them, and the *position* and *phase_key* become these.  Not inside a
    savepoint: if that is taken back, the object says what the row does not.
    """
    came = {"game_id": game.id, "inbound_id": inbound_id, "recorded_by": __version__, "at": at}
    rows = [row | came for row in _events(engine, game.seq, entries)]
    _APPEND.run_each(session, rows)
    _move(session, game, seq=game.seq + len(rows), position=position, phase_key=phase_key)


_FACT = ("seq", "entry", "phase_key", "cause", "seat", "words", "kind", "version", "body")
_CAME = ("game_id", "inbound_id", "recorded_by", "at")
_APPEND = Statement(insert(Event).values(named(*_FACT, *_CAME)))


def _events(engine: AnyEngine, last: int, entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the rows of entries behind the *last* event; the first row of an entry gives it its number."""
    for entry in entries:
        first = last + 1
        for fact in entry.facts:
            kind, version, body = dump(engine, fact)
            last += 1
            yield {
                "seq": last,
                "entry": first,
                "phase_key": entry.phase,
                "cause": entry.cause,
                "seat": entry.seat,
                "words": entry.words,
                "kind": kind,
                "version": version,
                "body": dict(body),
            }


def _move(session: Session, game: Game, **stands: int | str | None) -> None:
    """Write where a game stands, which every letter moves: the ORM takes ten times as long to see it."""
    _MOVE.run(session, number=game.id, **stands)
    for name, value in stands.items():
        set_committed_value(game, name, value)


_MOVE = Statement(
    update(Game).where(col(Game.id) == bindparam("number")).values(named("seq", "position", "phase_key"))
)


def armed(session: Session, game_id: int) -> Sequence[Deadline]:
    """Return the deadlines of a game that still run, the next one first."""
    return session.exec(
        select(Deadline)
        .where(col(Deadline.game_id) == game_id, col(Deadline.status) == "armed")
        .order_by(col(Deadline.due_at))
    ).all()


def supersede(session: Session, game_id: int) -> None:
    """Let the deadlines of a game that still run go."""
    _SUPERSEDE.run(session, game=game_id)


_SUPERSEDE = Statement(
    update(Deadline)
    .where(col(Deadline.game_id) == bindparam("game"), col(Deadline.status) == "armed")
    .values(status="superseded")
)


def arm(session: Session, game: Game, instants: Iterable[tuple[DeadlineKind, str, datetime]]) -> None:
    """Let deadlines run for the present position: the kind, the mark and the instant of each."""
    common = {"game_id": game.id, "position": game.position}
    rows = [common | {"kind": kind, "mark": mark, "due_at": due} for kind, mark, due in instants]
    _ARM.run_each(session, rows)


_ARM = Statement(
    insert(Deadline).values(seat=0, status="armed", **named("game_id", "position", "kind", "mark", "due_at"))
)


def deadline_at(session: Session, game: Game, kind: DeadlineKind) -> Deadline | None:
    """Return the deadline of *kind* that belongs to the present position, fired or not."""
    return session.exec(
        select(Deadline)
        .where(
            col(Deadline.game_id) == game.id,
            col(Deadline.position) == game.position,
            col(Deadline.kind) == kind,
            col(Deadline.status) != "superseded",
        )
        .order_by(col(Deadline.id).desc())
    ).first()


def open_asks(session: Session, game_id: int, kind: AskKind | None = None) -> Sequence[Ask]:
    """Return the questions of *kind*, or of every kind, that nobody has answered."""
    found = _OPEN if kind is None else _OPEN_OF_KIND
    given = {"game": game_id} if kind is None else {"game": game_id, "kind": kind}
    return [_ASK.of(session, row) for row in found.rows(session, **given)]


_ASK = Loader(Ask)
_ASKED = (
    select_core(*_ASK.columns)
    .where(col(Ask.game_id) == bindparam("game"), col(Ask.status) == "open")
    .order_by(col(Ask.id))
)
_OPEN, _OPEN_OF_KIND = Statement(_ASKED), Statement(_ASKED.where(col(Ask.kind) == bindparam("kind")))


def lapse_draws(session: Session, game: Game, moved: Collection[int]) -> None:
    """Let go of the draws, offered up to the present position, beside which another seat has *moved*."""
    if moved:
        alone = next(iter(moved)) if len(moved) == 1 else 0  # which no seat is
        _LAPSE_DRAWS.run(session, game=game.id, position=game.position, alone=alone)


_LAPSE_DRAWS = Statement(
    update(Ask)
    .where(
        col(Ask.game_id) == bindparam("game"),
        col(Ask.kind) == "draw",
        col(Ask.status) == "open",
        col(Ask.position) <= bindparam("position"),
        col(Ask.seat).is_distinct_from(bindparam("alone")),
    )
    .values(status="lapsed")
)


def games_of(session: Session, player_id: int) -> Sequence[Game]:
    """Return the games in which a player holds a seat and which are not over."""
    return session.exec(
        select(Game)
        .join(Tenure, col(Tenure.game_id) == col(Game.id))
        .where(
            col(Tenure.player_id) == player_id,
            col(Tenure.to_at).is_(None),
            col(Game.status).in_(("open", "running", "paused", "held")),
        )
        .order_by(col(Game.id))
    ).all()
