"""What stands in a column: keys, JSON, and the words of every status.

An instant is annotated as plain ``datetime``.  SQLModel then stores it by its own
``UTCDateTime``, which refuses naive values and gives back aware UTC.  SQLite has no
such type: there it is text of a fixed width, which sorts by time and which a person
can read in the shell.
"""

from __future__ import annotations

import zlib
from typing import Annotated, Any, Literal, TypeAlias

from sqlalchemy import JSON, BigInteger, Dialect, Integer, LargeBinary, TypeDecorator
from sqlmodel import Field

# SQLite numbers rows by itself only where the type is spelled INTEGER.
BigId = BigInteger().with_variant(Integer(), "sqlite")

# JSON, not JSONB: a fact reads back with its keys in the order in which it was written,
# on both databases.  None is SQL's NULL, not the JSON word.
Json = JSON(none_as_null=True)


class Packed(TypeDecorator[bytes]):
    """Bytes that are packed while they are stored: a letter takes a seventh of its room."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """Pack, as fast as can be: more thorough ways take twice the time for a tenth of the room."""
        return None if value is None else zlib.compress(value, 1)

    def process_result_value(self, value: Any, dialect: Dialect) -> bytes | None:
        """Unpack."""
        return None if value is None else zlib.decompress(value)


GameId: TypeAlias = Annotated[int, Field(foreign_key="games.id", sa_type=BigId)]
MaybeGameId: TypeAlias = Annotated[int | None, Field(foreign_key="games.id", sa_type=BigId)]
PlayerId: TypeAlias = Annotated[int, Field(foreign_key="players.id", sa_type=BigId)]
MaybePlayerId: TypeAlias = Annotated[int | None, Field(foreign_key="players.id", sa_type=BigId)]
MaybeInboundId: TypeAlias = Annotated[int | None, Field(foreign_key="inbound.id", sa_type=BigId)]

PlayerStatus: TypeAlias = Literal["active", "away", "suspended"]
AddressState: TypeAlias = Literal["good", "soft", "bouncing"]
GameStatus: TypeAlias = Literal["open", "running", "paused", "held", "over", "void"]
TenureKind: TypeAlias = Literal["player", "sitter", "bot", "dummy"]
EventCause: TypeAlias = Literal[
    "setup", "order", "close", "early", "master", "leave", "undo", "replayed", "edit"
]
InboundSource: TypeAlias = Literal["imap", "lmtp", "pipe", "cli"]
InboundStatus: TypeAlias = Literal["new", "done", "refused", "ignored", "failed"]
OutboxStatus: TypeAlias = Literal["queued", "sending", "unknown", "sent", "deferred", "failed", "dropped"]
DeadlineKind: TypeAlias = Literal["remind", "expire", "close", "start"]
DeadlineStatus: TypeAlias = Literal["armed", "fired", "superseded"]
AskKind: TypeAlias = Literal[
    "draw", "undo", "extend", "pause", "resume", "replace", "confirm", "was-it-you", "invite"
]
AskStatus: TypeAlias = Literal["open", "agreed", "declined", "lapsed"]
PlanStatus: TypeAlias = Literal["queued", "played", "dropped"]
