"""Rows for tests, with what the test does not care about filled in."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlmodel import Session

from corr.store.tables import Game, Inbound, Outbox, OutboxText, Player, SeatRow

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

R = TypeVar("R")

_numbers = itertools.count(1)


def a_player(session: Session) -> Player:
    handle = f"player{next(_numbers)}"
    player = Player(handle=handle, display_name="Aoi", locale="ja", timezone="Asia/Tokyo", created_at=NOW)
    return _stored(session, player)


def a_game(session: Session, **columns: Any) -> Game:
    given: dict[str, Any] = {
        "code": f"G{next(_numbers)}",
        "engine": "ukulele",
        "rules": "ukulele/1",
        "created_at": NOW,
    }
    return _stored(session, Game(**(given | columns)))


def a_seat(session: Session, game: Game, number: int) -> SeatRow:
    return _stored(session, SeatRow(game_id=game.id, number=number, alias="Aoi"))


def a_letter(session: Session, **columns: Any) -> Inbound:
    """Store a letter that came in."""
    given: dict[str, Any] = {
        "source": "pipe",
        "content_key": f"key{next(_numbers)}",
        "lane": "K7QX",
        "sender": "a@example.org",
        "raw": b"",
        "received_at": NOW,
    }
    return _stored(session, Inbound(**(given | columns)))


def a_mail(session: Session, **columns: Any) -> Outbox:
    """Store a letter that is to go out."""
    given: dict[str, Any] = {
        "address": "a@example.org",
        "message_id": f"<{next(_numbers)}@corr>",
        "kind": "turn",
        "text": OutboxText(raw=b""),
        "due_at": NOW,
    }
    return _stored(session, Outbox(**(given | columns)))


def _stored(session: Session, row: R) -> R:
    session.add(row)
    session.flush()
    return row
