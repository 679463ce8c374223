"""``corr db``: the tables."""

from __future__ import annotations

from contextlib import closing

import typer

from corr.cli.common import ConfigFile, load_settings, reported
from corr.store import migrate
from corr.store.session import open_database

app = typer.Typer(no_args_is_help=True, help="The database: upgrade, check.")


@app.command()
def upgrade(ctx: typer.Context, config: ConfigFile = None) -> None:
    """Make the tables, or bring them up to this version of corr."""
    with reported(), closing(open_database(load_settings(ctx).database)) as database:
        migrate.upgrade(database)
    typer.echo("the tables are those of this corr")


@app.command()
def check(ctx: typer.Context, config: ConfigFile = None) -> None:
    """Tell whether the tables are those of this version of corr."""
    with reported(), closing(open_database(load_settings(ctx).database)) as database:
        migrate.check(database)
    typer.echo("the tables are those of this corr")
