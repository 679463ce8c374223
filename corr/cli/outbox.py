"""``corr outbox``: letters that go out."""

from __future__ import annotations

import sys
from email import message_from_bytes
from email.policy import default
from typing import Annotated, Any

import typer
from sqlmodel import col, select

from corr.cli.common import AsJson, ConfigFile, listed, opened, refuse, show, worded
from corr.demo.clients import text_of
from corr.store.tables import Game, Outbox
from corr.store.types import OutboxStatus
from engines.api import Problem

app = typer.Typer(no_args_is_help=True, help="Letters that go out: list, show.")

COLUMNS = ("id", "game", "seat", "kind", "address", "status", "attempts", "due", "last")


@app.command("list")
def list_letters(
    ctx: typer.Context,
    status: Annotated[OutboxStatus | None, typer.Option(help="Only those with this status.")] = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """List the letters that go out, and how far each has come."""
    query = select(Outbox, Game).join(Game, col(Game.id) == col(Outbox.game_id), isouter=True)
    if status is not None:
        query = query.where(col(Outbox.status) == status)
    with opened(ctx) as server, server.office.database.session() as session:
        rows = [_row(row, game) for row, game in session.exec(query.order_by(col(Outbox.id)))]
    listed(rows, COLUMNS, as_json=as_json)


def _row(row: Outbox, game: Game | None) -> dict[str, Any]:
    answer = f"{row.last_code or ''} {row.last_text or ''}".strip()
    return {
        "id": row.id,
        "game": game.code if game else None,
        "seat": row.seat,
        "kind": row.kind,
        "address": row.address,
        "status": row.status,
        "attempts": row.attempts,
        "due": row.due_at,
        "last": answer or None,
    }


@app.command("show")
def show_letter(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(help="The number of the letter.")],
    raw: Annotated[bool, typer.Option("--raw", help="The bytes as they are sent.")] = False,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Show a letter as its reader sees its text part."""
    if raw and as_json:
        raise typer.BadParameter("--raw writes bytes, --json words: choose one")
    with opened(ctx) as server, server.office.database.session() as session:
        row = session.get(Outbox, number)
        if row is None:
            refuse(worded(Problem("lobby.no-letter", {"number": number})))
        game = session.get(Game, row.game_id) if row.game_id else None
        if raw:
            sys.stdout.buffer.write(row.raw)
            return
        letter = message_from_bytes(row.raw, policy=default)
        shown = _row(row, game) | {"message_id": row.message_id, "subject": letter["Subject"]}
        text = text_of(letter)
    if as_json:
        show(shown | {"text": text})
        return
    for key in ("address", "subject", "message_id", "status"):
        typer.echo(f"{key}: {shown[key]}")
    typer.echo(f"\n{text}")
