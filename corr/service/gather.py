"""What a player has: the games, as letters list them."""

from __future__ import annotations

from sqlmodel import Session

from corr.core.page import Table
from corr.service.sitting import table_of
from corr.store import chairs, games


def tables_of(session: Session, player_id: int) -> tuple[Table, ...]:
    """Return the games of a player that are not over."""
    rows = games.games_of(session, player_id)
    return tuple(
        table_of(game, {seat: holder.alias for seat, holder in chairs.holders(session, game.id).items()})
        for game in rows
    )
