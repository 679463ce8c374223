"""Players and their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from corr.core.addresses import normal
from corr.store.tables import Address, Player


def player_at(session: Session, address: str, *, verified: bool = True) -> Player | None:
    """Find the player whose address this is; with *verified*, only by one that was verified."""
    query = (
        select(Player)
        .join(Address, col(Address.player_id) == col(Player.id))
        .where(col(Address.address) == normal(address))
    )
    if verified:
        query = query.where(col(Address.verified_at).is_not(None))
    return session.exec(query).one_or_none()


def enrol(session: Session, name: str, address: str, *, locale: str, timezone: str, now: datetime) -> Player:
    """Find the player at *address*, or add one; the address is not verified by that."""
    if (known := player_at(session, address, verified=False)) is not None:
        return known
    player = Player(
        handle=_free_handle(session, name),
        display_name=name,
        locale=locale,
        timezone=timezone,
        created_at=now,
    )
    session.add(player)
    session.flush()
    session.add(Address(player_id=player.id, address=normal(address), is_primary=True, created_at=now))
    session.flush()
    return player


def _free_handle(session: Session, name: str) -> str:
    """Return the folded name, with a number if another player has it already."""
    base = name.casefold()
    taken = set(
        session.exec(select(Player.handle).where(col(Player.handle).startswith(base, autoescape=True)))
    )
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(handle for handle in (base, *numbered) if handle not in taken)


def primary_of(session: Session, player_id: int) -> Address:
    """Return the address to which a player's letters go."""
    return reachable(addresses_of(session, player_id))


def addresses_of(session: Session, player_id: int) -> Sequence[Address]:
    """Return all addresses of a player, the oldest first."""
    query = select(Address).where(col(Address.player_id) == player_id)
    return session.exec(query.order_by(col(Address.id))).all()


def reachable(addresses: Sequence[Address]) -> Address:
    """Choose of one person's addresses the primary one; if letters to it come back, a verified one."""
    primary = next(address for address in addresses if address.is_primary)
    if primary.state != "bouncing":
        return primary
    others = (one for one in addresses if one.verified_at is not None and one.state != "bouncing")
    return next(others, primary)


def row_of(session: Session, address: str) -> Address | None:
    """Find an address, whosever it is, verified or not."""
    return session.exec(select(Address).where(col(Address.address) == normal(address))).one_or_none()


def may_write(session: Session, player_id: int | None, address: str) -> bool:
    """Tell whether *address* is a verified one of that player."""
    row = row_of(session, address)
    return row is not None and row.player_id == player_id and row.verified_at is not None
