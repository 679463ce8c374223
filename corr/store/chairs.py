"""Who sits where, as it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from sqlalchemy import bindparam
from sqlalchemy import select as select_core
from sqlmodel import Session, col, select

from corr.store.driver import Row
from corr.store.letters import NEWEST_TO_SEAT
from corr.store.loading import Loader
from corr.store.memory import learned
from corr.store.people import reachable
from corr.store.statement import Statement
from corr.store.tables import Address, Event, Game, Outbox, Player, SeatRow, Tenure
from corr.store.types import GameStatus
from engines.api import Seat


@dataclass(frozen=True, slots=True)
class Holder:
    """The person who holds a seat."""

    alias: str
    tenure: Tenure
    player: Player
    address: Address  # where letters go
    verified: frozenset[str]  # addresses that may give orders, normalised
    doubtful: frozenset[str] = frozenset()  # addresses from which letters came back


def holders(session: Session, game_id: int) -> dict[Seat, Holder]:
    """Return who holds the seats of a game, in the order of the seats."""
    return _holders(session, _HOLDERS.rows(session, game=game_id))


def seated(session: Session, game_id: int) -> tuple[dict[Seat, Holder], datetime | None]:
    """Return who holds the seats of a locked game, and when its newest event was recorded.

    The numbers of its newest letters are learned, too.
    """
    rows = _SEATED.rows(session, game=game_id)
    learned(session).numbers[game_id] = {row[0]: row[-1] or 0 for row in rows}
    return _holders(session, rows), rows[0][-2] if rows else None


def _holders(session: Session, rows: Sequence[Row]) -> dict[Seat, Holder]:
    return {Seat(number): _holder(session, list(some)) for number, some in groupby(rows, itemgetter(0))}


_TENURE, _PLAYER, _ADDRESS = Loader(Tenure), Loader(Player), Loader(Address)
_TO_PLAYER = 2 + len(_TENURE.columns)
_TO_ADDRESS = _TO_PLAYER + len(_PLAYER.columns)
_TO_END = _TO_ADDRESS + len(_ADDRESS.columns)

_HELD = (
    select_core(col(SeatRow.number), col(SeatRow.alias))
    .add_columns(*_TENURE.columns, *_PLAYER.columns, *_ADDRESS.columns)
    .join(
        Tenure,
        (col(Tenure.game_id) == col(SeatRow.game_id)) & (col(Tenure.seat) == col(SeatRow.number)),
    )
    .join(Player, col(Player.id) == col(Tenure.player_id))
    .join(Address, col(Address.player_id) == col(Player.id))
    .where(col(SeatRow.game_id) == bindparam("game"), col(Tenure.to_at).is_(None))
    .order_by(col(SeatRow.number), col(Address.id))
)
_HOLDERS = Statement(_HELD)
_SEATED = Statement(
    _HELD.add_columns(
        select_core(col(Event.at))
        .where(col(Event.game_id) == bindparam("game"))
        .order_by(col(Event.seq).desc())
        .limit(1)
        .scalar_subquery(),
        NEWEST_TO_SEAT,
    )
)


def _holder(session: Session, rows: Sequence[Row]) -> Holder:
    """Make one holder of the rows of one seat, of which each has another address."""
    tenure = _TENURE.of(session, rows[0][2:_TO_PLAYER])
    player = _PLAYER.of(session, rows[0][_TO_PLAYER:_TO_ADDRESS])
    addresses = [_ADDRESS.of(session, row[_TO_ADDRESS:_TO_END]) for row in rows]
    verified = frozenset(address.address for address in addresses if address.verified_at)
    doubtful = frozenset(address.address for address in addresses if address.state != "good")
    return Holder(rows[0][1], tenure, player, reachable(addresses), verified, doubtful)


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat as the mark of a letter names it: whose it is, and who may give orders for it."""

    game_id: int
    status: GameStatus  # of the game
    key: bytes | None  # of its holder; None where nobody holds it
    player_id: int | None
    verified: frozenset[str]  # as those of a holder
    doubtful: frozenset[str]


def chair(session: Session, code: str, seat: Seat, letter: int) -> Chair | None:
    """Look at a seat without the lock of its game, and without what only a sitting needs.

    None where there is no such game.  Of what kind the *letter* to it with this number was, is learned.
    """
    rows = _CHAIR.rows(session, code=code.upper(), seat=seat, letter=letter)
    if not rows:
        return None
    addresses = [row[5:] for row in rows]
    verified = frozenset(address for address, verified_at, _ in addresses if verified_at)
    doubtful = frozenset(address for address, _, state in addresses if address and state != "good")
    game_id, status, key, player_id, kind = rows[0][:5]
    learned(session).kinds[game_id, seat, letter] = kind or ""
    return Chair(game_id, status, key, player_id, verified, doubtful)


_CHAIR = Statement(
    select_core(
        *map(col, (Game.id, Game.status, Tenure.key, Tenure.player_id, Outbox.kind)),
        *map(col, (Address.address, Address.verified_at, Address.state)),
    )
    .select_from(Game)
    .outerjoin(
        Tenure,
        (col(Tenure.game_id) == col(Game.id))
        & (col(Tenure.seat) == bindparam("seat"))
        & col(Tenure.to_at).is_(None)
        & col(Tenure.player_id).is_not(None),
    )
    .outerjoin(Address, col(Address.player_id) == col(Tenure.player_id))
    .outerjoin(
        Outbox,
        (col(Outbox.game_id) == col(Game.id))
        & (col(Outbox.seat) == bindparam("seat"))
        & (col(Outbox.n) == bindparam("letter")),
    )
    .where(col(Game.code) == bindparam("code"))
)


def aliases(session: Session, game_id: int) -> dict[Seat, str]:
    """Return what the seats of a game are called, in their order, whether somebody holds them or not."""
    query = select(SeatRow).where(col(SeatRow.game_id) == game_id).order_by(col(SeatRow.number))
    return {Seat(chair.number): chair.alias for chair in session.exec(query)}


def seat_of(session: Session, game_id: int, player_id: int) -> Seat:
    """Return the first seat that a player holds in a game of his."""
    held = holders(session, game_id).items()
    return next(seat for seat, holder in held if holder.player.id == player_id)


def tenures(session: Session, game_id: int, seat: int) -> Sequence[Tenure]:
    """Return all who ever held a seat, the present holder first."""
    return session.exec(
        select(Tenure)
        .where(col(Tenure.game_id) == game_id, col(Tenure.seat) == seat)
        .order_by(col(Tenure.id).desc())
    ).all()
