"""The tables, as rows: what is stored and which rules the database itself keeps.

A row validates nothing when it is made; the constraints do, when it is written.  A
JSON value is replaced, never changed in place: a change inside is not noticed.
Each table of a game carries ``game_id``.  The seat of a row is the number at the
table, as engines count it.  Whatever must not show in a log has no ``repr``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, get_args

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, MetaData, String, UniqueConstraint, text
from sqlalchemy.orm import registry
from sqlmodel import Field, Relationship, SQLModel

from corr.core.turn import Cause
from corr.store.types import (
    AddressState,
    AskKind,
    AskStatus,
    BigId,
    DeadlineKind,
    DeadlineStatus,
    EventCause,
    GameId,
    GameStatus,
    InboundSource,
    InboundStatus,
    Json,
    MaybeGameId,
    MaybeInboundId,
    MaybePlayerId,
    OutboxStatus,
    Packed,
    PlanStatus,
    PlayerId,
    PlayerStatus,
    TenureKind,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _one_of(column: str, words: Any) -> CheckConstraint:
    """Let *column* hold the words of a ``Literal`` and no others."""
    listed = ", ".join(f"'{word}'" for word in get_args(words))
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _one_where(name: str, condition: str, *columns: str) -> Index:
    """Let *columns* occur once among the rows that meet *condition*."""
    where = text(condition)
    return Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)


def _at_the_table() -> ForeignKeyConstraint:
    """Let a row name only seats that its game has; no seat is allowed too."""
    return ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.number"])


class Row(SQLModel, registry=registry(metadata=metadata)):
    """What all tables have in common."""

    # SQLModel derives it by a declared_attr, which a plain name may replace.
    __tablename__: ClassVar[str]  # pyright: ignore[reportIncompatibleVariableOverride]

    id: int = Field(default=None, primary_key=True, sa_type=BigId)


class Player(Row, table=True):
    """A person."""

    __tablename__ = "players"
    __table_args__ = (_one_of("status", PlayerStatus),)

    handle: str = Field(unique=True)  # case-folded
    display_name: str
    locale: str  # "en", "ja"
    timezone: str  # IANA: "Asia/Tokyo"
    status: PlayerStatus = Field(default="active", sa_type=String)
    settings: dict[str, Any] = Field(default_factory=dict[str, Any], sa_type=Json)
    created_at: datetime


class Address(Row, table=True):
    """A mail address of a player, believed once it is verified."""

    __tablename__ = "addresses"
    __table_args__ = (
        _one_of("state", AddressState),
        _one_where("uq_addresses_primary", "is_primary", "player_id"),
        Index(None, "player_id"),
    )

    player_id: PlayerId
    address: str = Field(unique=True)  # normalised
    is_primary: bool = False
    verified_at: datetime | None = None
    state: AddressState = Field(default="good", sa_type=String)
    bounces: int = 0
    last_bounce_at: datetime | None = None
    created_at: datetime


class Game(Row, table=True):
    """A game.  This row is the one lock of the game."""

    __tablename__ = "games"
    __table_args__ = (
        _one_of("status", GameStatus),
        CheckConstraint("length(seed) = 32", name="seed"),
    )

    code: str = Field(unique=True)  # short, without look-alike letters
    engine: str  # "ukulele"
    rules: str  # "ukulele/1": pinned when the game starts
    options: dict[str, str] = Field(default_factory=dict[str, str], sa_type=Json)
    paces: dict[str, str] = Field(default_factory=dict[str, str], sa_type=Json)
    policy: dict[str, Any] = Field(default_factory=dict[str, Any], sa_type=Json)  # timeout, early, press …
    seed: bytes | None = Field(default=None, repr=False)  # drawn at the start; secret until the end
    seed_digest: str | None = None  # public
    status: GameStatus = Field(default="open", sa_type=String)
    seq: int = 0  # of the last event; never leaves the server
    position: int = 0  # counts the phases opened and never goes back; the number that letters show
    phase_key: str | None = None
    outcome: dict[str, Any] | None = Field(default=None, sa_type=Json)
    paused_at: datetime | None = None
    created_by: MaybePlayerId = None  # None: the operator
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None


class SeatRow(Row, table=True):
    """A place at a table, and what its holders are called there."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    game_id: GameId
    number: int
    alias: str


class Tenure(Row, table=True):
    """Who holds a seat, from when to when.  A change of holder ends one and opens the next."""

    __tablename__ = "tenures"
    __table_args__ = (
        _one_of("kind", TenureKind),
        _at_the_table(),
        _one_where("uq_tenures_open", "to_at IS NULL", "game_id", "seat"),
        Index(None, "player_id"),
    )

    game_id: GameId
    seat: int
    player_id: MaybePlayerId = None  # None: vacant, or a bot
    key: bytes = Field(repr=False)  # signs this holder's marks; never in a letter
    kind: TenureKind = Field(default="player", sa_type=String)
    from_at: datetime
    to_at: datetime | None = None
    from_seq: int = 0
    reason: str = ""


class Event(Row, table=True):
    """A fact.  Appended, never changed: triggers refuse it.  No name, address or free text."""

    __tablename__ = "events"
    __table_args__ = (
        _one_of("cause", EventCause),
        _at_the_table(),
        UniqueConstraint("game_id", "seq"),
    )

    game_id: GameId
    seq: int  # from 1, without gaps
    entry: int  # the same for the facts that one order, lapse or act brought, and rising
    kind: str
    version: int
    body: dict[str, Any] = Field(repr=False, sa_type=Json)
    seat: int | None = None
    words: str | None = Field(default=None, repr=False)  # as secret as the facts
    phase_key: str
    cause: Cause = Field(sa_type=String)
    inbound_id: MaybeInboundId = None
    recorded_by: str  # the version of corr
    at: datetime


class Inbound(Row, table=True):
    """A letter that came in."""

    __tablename__ = "inbound"
    __table_args__ = (
        _one_of("source", InboundSource),
        _one_of("status", InboundStatus),
        _at_the_table(),
        # NULLs differ from each other: only letters of a mailbox are compared.
        UniqueConstraint("mailbox", "uidvalidity", "uid"),
        # A copy is stored, and then ignored: only one letter of a kind can have been done.
        _one_where("uq_inbound_content_key", "status = 'done'", "content_key"),
        Index(None, "content_key"),  # a copy is looked for among all that came
        Index(None, "status", "id"),  # the oldest that is new, whatever lies about
        Index(None, "status", "lane", "id"),
        # With the status, for the letters of a sender are counted by it: a row holds the whole letter.
        Index(None, "sender", "received_at", "status"),
    )

    source: InboundSource = Field(sa_type=String)
    mailbox: str | None = None
    uidvalidity: int | None = Field(default=None, sa_type=BigId)
    uid: int | None = Field(default=None, sa_type=BigId)
    message_id: str | None = None
    content_key: str  # hash of Message-ID (or all), From and the decoded body
    lane: str  # letters of one lane are read one after another: the game's code, or the sender
    sender: str
    player_id: MaybePlayerId = None
    game_id: MaybeGameId = None
    seat: int | None = None
    raw: bytes = Field(repr=False)
    status: InboundStatus = Field(default="new", sa_type=String)
    problem: str | None = None  # key of the refusal
    rules_hit: str | None = None  # row of the intake table that decided
    attempts: int = 0
    last_error: str | None = Field(default=None, repr=False)
    received_at: datetime
    done_at: datetime | None = None


class Outbox(Row, table=True):
    """A letter that goes out, rendered when it was decided."""

    __tablename__ = "outbox"
    __table_args__ = (
        _one_of("status", OutboxStatus),
        _at_the_table(),
        Index(None, "status", "due_at"),
        Index(None, "sent_at"),
        UniqueConstraint("game_id", "seat", "n"),
    )

    game_id: MaybeGameId = None
    seat: int | None = None
    n: int | None = None  # counts the letters of that seat, for marks
    player_id: MaybePlayerId = None
    address: str
    message_id: str = Field(unique=True)  # the same however often it is made
    in_reply_to: str | None = None
    kind: str  # of the page: "turn", "answer"
    status: OutboxStatus = Field(default="queued", sa_type=String)
    data_started_at: datetime | None = None  # from here on it may have arrived
    resent_at: datetime | None = None  # when an unknown delivery was tried again, which happens once
    attempts: int = 0
    due_at: datetime
    leased_by: str | None = None
    leased_until: datetime | None = None
    sent_at: datetime | None = None
    last_code: int | None = None  # of SMTP
    last_text: str | None = None
    text: OutboxText = Relationship(sa_relationship_kwargs={"lazy": "joined", "innerjoin": True})

    @property
    def raw(self) -> bytes:
        """The bytes that are sent."""
        return self.text.raw


class OutboxText(Row, table=True):
    """The bytes of a letter that goes out, which never change.

    Its state changes three times, and SQLite writes a whole row anew for one word of it.
    """

    __tablename__ = "outbox_texts"

    id: int = Field(default=None, primary_key=True, foreign_key="outbox.id", sa_type=BigId)
    raw: bytes = Field(repr=False, sa_type=Packed)


class Post(Row, table=True):
    """What somebody said, and who heard it."""

    __tablename__ = "posts"
    __table_args__ = (_at_the_table(), Index(None, "game_id", "channel"))

    game_id: GameId
    channel: str
    seat: int | None = None  # None: the game master
    position: int
    listeners: list[int] = Field(sa_type=Json)  # the seats that heard it, fixed when it was said
    inbound_id: MaybeInboundId = None
    body: str = Field(repr=False)
    at: datetime


class Deadline(Row, table=True):
    """An instant at which something falls due.  It counts while its position is the game's."""

    __tablename__ = "deadlines"
    __table_args__ = (
        _one_of("kind", DeadlineKind),
        _one_of("status", DeadlineStatus),
        _one_where("uq_deadlines_armed", "status = 'armed'", "game_id", "position", "kind", "mark", "seat"),
        Index(None, "status", "due_at"),
        Index(None, "game_id", "status"),
    )

    game_id: GameId
    position: int
    kind: DeadlineKind = Field(sa_type=String)
    mark: str = ""  # which of several: "80%", "-6h"
    seat: int = 0  # 0: all
    due_at: datetime
    status: DeadlineStatus = Field(default="armed", sa_type=String)
    fired_at: datetime | None = None


class Ask(Row, table=True):
    """A question to one seat or to all: an invitation, an offered draw, a resignation to confirm."""

    __tablename__ = "asks"
    __table_args__ = (
        _one_of("kind", AskKind),
        _one_of("status", AskStatus),
        _at_the_table(),
        Index(None, "game_id", "status"),
    )

    game_id: GameId
    kind: AskKind = Field(sa_type=String)
    position: int
    seat: int | None = None  # who asked; whom an invitation is for; None: the game master
    answers: dict[str, Any] = Field(default_factory=dict[str, Any], sa_type=Json)
    until: datetime | None = None
    status: AskStatus = Field(default="open", sa_type=String)


class Plan(Row, table=True):
    """Orders for later."""

    __tablename__ = "plans"
    __table_args__ = (
        _one_of("status", PlanStatus),
        _at_the_table(),
        Index(None, "game_id", "status"),
    )

    game_id: GameId
    seat: int
    position: int  # at which it was stored
    lines: list[str] = Field(repr=False, sa_type=Json)
    status: PlanStatus = Field(default="queued", sa_type=String)
    dropped: str | None = None  # key of the problem


class Audit(Row, table=True):
    """An act of a game master or operator.  Appended, never changed: triggers refuse it."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "game_id"),)

    actor: str
    act: str
    game_id: MaybeGameId = None
    before: dict[str, Any] | None = Field(default=None, sa_type=Json)
    after: dict[str, Any] | None = Field(default=None, sa_type=Json)
    reason: str = ""
    at: datetime
