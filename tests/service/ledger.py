"""What a letter may have changed: all rows that count, and every letter that went out."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session, col, select

from corr.store.tables import (
    Address,
    Ask,
    Audit,
    Deadline,
    Event,
    Game,
    Outbox,
    Plan,
    Player,
    Post,
    Row,
    SeatRow,
    Tenure,
)
from tests.service.world import World

KEPT: tuple[type[Row], ...] = (
    *(Player, Address, Game, SeatRow, Tenure, Event),
    *(Deadline, Ask, Plan, Post, Audit),
)


def ledger(world: World) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table but those of letters."""
    with world.office.database.session() as session:
        return {table.__tablename__: rows(session, table) for table in KEPT}


def rows(session: Session, table: type[Row]) -> list[dict[str, Any]]:
    return [row.model_dump() for row in session.exec(select(table).order_by(col(table.id)))]


def sent_since(world: World, number: int) -> list[tuple[str, str]]:
    """Return address and kind of every letter after the first *number*."""
    return [(row.address, row.kind) for row in world.outbox()[number:]]


def deliver(world: World) -> None:
    """Let all that waits in the outbox be delivered now."""
    with world.office.database.session() as session:
        for row in session.exec(select(Outbox).where(col(Outbox.status) == "queued")):
            row.status, row.sent_at = "sent", world.now


def open_asks(world: World) -> list[Ask]:
    with world.office.database.session() as session:
        return list(session.exec(select(Ask).where(col(Ask.status) == "open")))
