"""``corr mail``: letters that came in."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlmodel import col, select

from corr.bootstrap import Server
from corr.cli.common import AsJson, ConfigFile, harmless, listed, opened, refuse, show, worded
from corr.core.explain import Explained, explain
from corr.core.letter import read_letter
from corr.service import admin
from corr.service.receive import Origin, answered_text, judged, store_letter
from corr.store.letters import answer_to
from corr.store.tables import Game, Inbound
from corr.store.types import InboundStatus
from engines.api import Problem

app = typer.Typer(no_args_is_help=True, help="Letters that came in: receive, list, show, explain, retry.")

Number = Annotated[int, typer.Argument(help="The number of the letter, as `corr mail list` shows it.")]
COLUMNS = ("id", "received", "sender", "game", "seat", "status", "rule", "problem")


@app.command()
def receive(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="A raw letter (.eml), or - for standard input.")],
    config: ConfigFile = None,
) -> None:
    """Store a raw letter as if it had been fetched."""
    raw = _raw(file)
    with opened(ctx) as server:
        number = store_letter(server.office, raw, Origin("cli"), server.office.clock.now())
        typer.echo(f"stored as letter {number}; `corr once` or the daemon works on it")


def _raw(file: str) -> bytes:
    """Return the bytes of a raw letter."""
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        refuse(f"cannot read {file}: {error.strerror}")
    if not raw.strip():
        refuse(f"{file} is empty: a letter has at least a line")
    return raw


@app.command("list")
def list_letters(
    ctx: typer.Context,
    status: Annotated[InboundStatus | None, typer.Option(help="Only those with this status.")] = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """List the letters that came in."""
    query = select(Inbound, Game.code).join(Game, col(Game.id) == col(Inbound.game_id), isouter=True)
    if status is not None:
        query = query.where(col(Inbound.status) == status)
    with opened(ctx) as server, server.office.database.session() as session:
        found = session.exec(query.order_by(col(Inbound.id)))
        rows = [_row(letter, code) for letter, code in found]
    listed(rows, COLUMNS, as_json=as_json)


def _row(letter: Inbound, code: str | None) -> dict[str, Any]:
    return {
        "id": letter.id,
        "received": letter.received_at,
        "sender": letter.sender,
        "game": code,
        "seat": letter.seat,
        "status": letter.status,
        "rule": letter.rules_hit,
        "problem": letter.problem,
    }


@app.command("show")
def show_letter(
    ctx: typer.Context, number: Number, as_json: AsJson = False, config: ConfigFile = None
) -> None:
    """Show a letter, how it was read and what became of it."""
    with opened(ctx) as server, server.office.database.session() as session:
        row = session.get(Inbound, number)
        if row is None:
            refuse(worded(Problem("lobby.no-letter", {"number": number})))
        game = session.get(Game, row.game_id) if row.game_id else None
        shown = _row(row, game.code if game else None) | _read(row)
    if as_json:
        show(shown)
        return
    for key, value in shown.items():
        if value not in (None, ""):
            typer.echo(harmless(f"{key}:\n{value}" if key in {"text", "error"} else f"{key}: {value}"))


def _read(row: Inbound) -> dict[str, Any]:
    letter = read_letter(row.raw)
    return {
        "subject": letter.subject,
        "message_id": row.message_id,
        "attempts": row.attempts,
        "error": row.last_error,
        "text": letter.text,
    }


@app.command("explain")
def explain_letter(
    ctx: typer.Context,
    letter: Annotated[str, typer.Argument(help="A raw letter (.eml), or the number of one that came in.")],
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Say how a letter is read, line by line, and which rule decides about it; nothing is changed."""
    with opened(ctx) as server:
        raw, stored = _found(server, letter)
        explained = explain(raw, read_letter(raw), answered_text(server.office, raw))
        shown = asdict(explained) | {"stored": stored, "judged": None if stored else _judged(server, raw)}
    if as_json:
        show(shown)
    else:
        _print(explained, shown)


def _found(server: Server, letter: str) -> tuple[bytes, dict[str, Any] | None]:
    """Return a letter, and what became of it if it was received."""
    if not letter.isdecimal():
        return _raw(letter), None
    with server.office.database.session() as session:
        row = session.get(Inbound, int(letter))
        if row is None:
            refuse(worded(Problem("lobby.no-letter", {"number": letter})))
        game = session.get(Game, row.game_id) if row.game_id else None
        answer = answer_to(session, row)
        answered = {"answer": answer.id if answer else None}
        return row.raw, _row(row, game.code if game else None) | answered


def _judged(server: Server, raw: bytes) -> dict[str, str]:
    standing, rule, verdict = judged(server.office, raw)
    return {"writer": standing.value, "rule": rule, "verdict": verdict.value}


def _print(explained: Explained, shown: dict[str, Any]) -> None:
    """Print each step for people."""
    typer.echo(f"{explained.bytes} bytes" + (f", not read: {explained.flaw}" if explained.flaw else ""))
    headers = [{"header": name, "value": value} for name, value in explained.headers]
    found = [{"mark": mark, "found in": place} for mark, place in explained.marks]
    lines = [{"cut by": rule, "text": text} for text, rule in explained.lines if text.strip()]
    read = [{"read as": kind, "words": text} for text, kind in explained.read]
    for rows in (headers, found, lines, read):
        if rows:
            typer.echo()
            listed(rows, tuple(rows[0]), as_json=False)
    typer.echo()
    decided: dict[str, Any] = shown["stored"] or shown["judged"]
    for key, value in decided.items():
        if value is not None:
            typer.echo(harmless(f"{key}: {value}"))


@app.command()
def retry(ctx: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Let a failed letter be worked on again."""
    with opened(ctx) as server:
        problem = admin.retry_inbound(server.office, number)
        if problem is not None:
            refuse(worded(problem))
        typer.echo(f"letter {number} is new again")
