"""What all commands share: the settings file, clear refusals, lists for people and for scripts."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeAlias

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.exc import DatabaseError

from corr import settings as settings_file
from corr.bootstrap import Server, build
from corr.daemon.lock import AlreadyServed
from corr.daemon.ready import RulesMissing
from corr.mail.errors import LoginRefused, Unreachable
from corr.render.catalogue import word
from corr.settings import BadSettings, Settings
from corr.store.session import DatabaseUnusable
from engines.api import Phrase, Seat

MENDABLE = (BadSettings, DatabaseUnusable, AlreadyServed, RulesMissing, Unreachable, LoginRefused)
"""Errors whose message says what to do."""

Language: TypeAlias = Literal["en", "ja"]
"""The languages that corr writes."""

WIDEST = 400
"""Columns of a list that no terminal cuts: scripts read it line by line."""


def _keep(ctx: typer.Context, value: Path | None) -> Path | None:
    """Remember the file, wherever on the line it was named."""
    if value is not None:
        ctx.find_root().obj = value
    return value


ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", callback=_keep, help="The settings file; else CORR_CONFIG, else ./corr.toml."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def refuse(message: str) -> NoReturn:
    """Say on stderr why not, and end with 1."""
    typer.echo(message, err=True)
    raise typer.Exit(1)


def language() -> Language:
    """Return the language of whoever sits at the terminal, as the locale variables name it."""
    variables = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "ja" if next(filter(None, variables), "").lower().startswith("ja") else "en"


def worded(phrase: Phrase, names: Mapping[Seat, str] | None = None, lang: str | None = None) -> str:
    """Put a phrase of corr in words for whoever sits at the terminal."""
    return word(phrase, lang or language(), names or {})


@contextmanager
def reported() -> Generator[None]:
    """Turn what a person can mend into one clear message and exit code 1."""
    try:
        yield
    except MENDABLE as error:
        refuse(str(error))
    except DatabaseError as error:
        first = str(error.orig).partition("\n")[0]
        refuse(f"the database refuses: {first}: nothing was changed; see to it and run this again")


def load_settings(ctx: typer.Context) -> Settings:
    """Read the settings file that applies."""
    return settings_file.load(settings_file.find(ctx.find_root().obj))


@contextmanager
def opened(ctx: typer.Context) -> Generator[Server]:
    """Put the server together for one command, with its errors reported."""
    with reported():
        server = build(load_settings(ctx))
        try:
            yield server
        finally:
            server.close()


def log_to_stderr(*, verbose: bool = False) -> None:
    """Let corr's own log be read where people and journals look; libraries only warn."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("corr").setLevel(logging.DEBUG if verbose else logging.INFO)


def show(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Print JSON, in ASCII where the output takes no more."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    typer.echo(json.dumps(value, ensure_ascii=not unicode, indent=2, default=_plain))


def listed(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool) -> None:
    """Print rows as a table for people, or as JSON."""
    rows = list(rows)
    if as_json:
        show(rows)
        return
    console = Console(width=None if sys.stdout.isatty() else WIDEST)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    console.print(table)


def _cell(value: object) -> Text:
    """Word a value on one line; what letters bring along is text, not markup."""
    if isinstance(value, datetime):
        return Text(f"{value:%Y-%m-%d %H:%M}")
    return Text("" if value is None else harmless(str(value)))


def _plain(value: object) -> object:
    return value.isoformat(timespec="seconds") if isinstance(value, datetime) else str(value)


def harmless(text: str) -> str:
    """Return text that cannot steer a terminal: lines stay, other controls go."""
    return "\n".join(
        "".join(char if char.isprintable() else " " for char in line) for line in text.split("\n")
    )


def pairs(given: Sequence[str], what: str) -> list[tuple[str, str]]:
    """Split ``KEY=VALUE`` arguments; a usage error names the one that is none."""
    split = [item.partition("=") for item in given]
    for item, (key, equals, value) in zip(given, split, strict=True):
        if not (key.strip() and equals and value.strip()):
            raise typer.BadParameter(f"{item!r} is not of the form {what}")
    return [(key.strip(), value.strip()) for key, _, value in split]
