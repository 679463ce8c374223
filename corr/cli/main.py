"""The command line: nouns, then verbs."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from corr import __version__
from corr.cli import db, engine, game, mail, outbox
from corr.cli.common import ConfigFile
from corr.cli.demo import demo_command
from corr.cli.doctor import doctor_command
from corr.cli.init import init_command
from corr.cli.serve import once_command, serve_command
from corr.cli.try_ import try_command

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # they print local variables, and those hold secrets
    help="Correspondence games by mail.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"corr {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Correspondence games by mail.

    Settings come from corr.toml in the current folder, from --config FILE or from
    CORR_CONFIG; the environment wins (CORR_IMAP_PASSWORD, CORR_SMTP_PASSWORD, CORR_DATABASE …).
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # letters hold what terminals cannot show


app.add_typer(game.app, name="game")
app.add_typer(mail.app, name="mail")
app.add_typer(outbox.app, name="outbox")
app.add_typer(engine.app, name="engine")
app.add_typer(db.app, name="db")
engine.app.command("try")(try_command)
app.command("init")(init_command)
app.command("doctor")(doctor_command)
app.command("serve")(serve_command)
app.command("once")(once_command)
app.command("demo")(demo_command)
