"""``corr game import``: a record is read back."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from corr.cli.common import (
    AsJson,
    ConfigFile,
    Language,
    harmless,
    opened,
    pairs,
    refuse,
    show,
    worded,
)
from corr.service.lobby import Invited
from corr.service.restore import restore

MOST_BYTES = 1 << 20
"""No record is longer: a whole library of cards takes some thousands."""


def import_command(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="The record, also as it is quoted in a letter; - reads standard input.")
    ],
    seat: Annotated[
        list[str] | None,
        typer.Option(help="NAME=ADDRESS of who plays on, once for each seat, in order; you vouch for them."),
    ] = None,
    lang: Annotated[Language, typer.Option(help="Language of new players.")] = "en",
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Set a game up again from its record: to keep it, or, with --seat, to play on."""
    players = [Invited(*pair) for pair in pairs(seat or [], "NAME=ADDRESS")]
    text = _text(file)
    with opened(ctx) as server:
        done = restore(server.office, text, players, lang)
    if not isinstance(done, tuple):
        refuse(harmless(worded(done)))
    if as_json:
        show(done._asdict())
    elif done.status == "running":
        typer.echo(f"{done.code}: goes on at position {done.position}; its letters go out with the next run")
    else:
        typer.echo(f"{done.code}: kept as it ended ({done.status})")


def _text(file: Path) -> str:
    """Return what a file says; refuse one that is not there, or is no text."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as source:
            raw = source.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            refuse(f"{file}: larger than {MOST_BYTES >> 20} MB, so it is no record")
        return raw.decode("utf-8-sig")
    except OSError as error:
        refuse(f"{file}: {error.strerror or error}")
    except UnicodeDecodeError as error:
        refuse(f"{file}: {error}: save the record as text in UTF-8")
