"""``corr init``: write the settings of a new server."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from corr import settings as settings_file
from corr.cli.common import refuse, reported
from corr.mail.presets import PRESETS
from corr.settings import FILE
from corr.store import migrate
from corr.store.session import DatabaseUnusable, open_database

_HEAD = """\
# Settings of one corr server.  Passwords do not belong here: set CORR_IMAP_PASSWORD
# (and CORR_SMTP_PASSWORD where it differs), or name a file with imap_password_file.
"""


def init_command(
    folder: Annotated[Path, typer.Argument(help="Where corr.toml goes.")] = Path(),
    address: Annotated[str | None, typer.Option(help="Where players write to: play@example.org")] = None,
    preset: Annotated[str | None, typer.Option(help=f"The mail provider: {', '.join(PRESETS)}.")] = None,
    imap: Annotated[str | None, typer.Option(help="imaps://user@host/INBOX")] = None,
    smtp: Annotated[str | None, typer.Option(help="smtp://user@host:587")] = None,
    database: Annotated[str, typer.Option(help="SQLite or PostgreSQL.")] = "sqlite:///corr.db",
    timezone: Annotated[str, typer.Option(help="Of players who have not named theirs.")] = "UTC",
    password_file: Annotated[Path | None, typer.Option(help="A file that holds the password.")] = None,
) -> None:
    """Write corr.toml and make the tables; asks for what is not given."""
    path = folder / FILE
    if path.exists():
        refuse(f"{path} is there already: edit it, or move it away first")
    given = {
        "address": address or _asked("--address", "Address that players write to"),
        **_accounts(preset, imap, smtp),
        "database": database,
        "timezone": timezone,
    }
    if password_file is not None:
        given["imap_password_file"] = str(password_file.absolute())
    with reported():
        settings = settings_file.check(given, path)
    _write(path, given)
    typer.echo(f"wrote {path}")
    _make_tables(settings.database)
    if settings.preset and (note := PRESETS[settings.preset].note):
        typer.echo(f"{settings.preset}: {note}")
    if not (password_file or "CORR_IMAP_PASSWORD" in os.environ):
        typer.echo("next: set CORR_IMAP_PASSWORD (the password of the mailbox)")
    typer.echo("next: `corr doctor`, then `corr game new`, then `corr serve`")


def _accounts(preset: str | None, imap: str | None, smtp: str | None) -> dict[str, str]:
    """Return the settings of the accounts; a preset answers what is not given."""
    if preset is None:
        return {
            "imap": imap or _asked("--imap", "IMAP account (imaps://user@host/INBOX)"),
            "smtp": smtp or _asked("--smtp", "SMTP account (smtp://user@host:587)"),
        }
    given = {"preset": preset, "imap": imap, "smtp": smtp}
    return {key: value for key, value in given.items() if value}


def _asked(option: str, question: str) -> str:
    """Ask whoever sits there; a script is told which option is missing."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("is missing, and nobody is there to ask", param_hint=option)
    return str(typer.prompt(question))


def _write(path: Path, given: dict[str, str]) -> None:
    """Write the file so that only its owner reads it."""
    # A string of JSON is one of TOML.
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in given.items()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        refuse(f"cannot make {error.filename or path}: {error.strerror}")
    try:
        path.write_text(_HEAD + "".join(lines), encoding="utf-8")
    except OSError as error:
        path.unlink()
        refuse(f"cannot write {path}: {error.strerror}")


def _make_tables(url: str) -> None:
    """Make the tables; where the database is not there yet, say what to do when it is."""
    try:
        with closing(open_database(url)) as database:
            migrate.upgrade(database)
    except DatabaseUnusable as error:
        typer.echo(f"{error}\nThen run `corr db upgrade`.", err=True)
