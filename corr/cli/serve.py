"""``corr serve`` and ``corr once``: the daemon."""

from __future__ import annotations

from typing import Annotated

import typer

from corr.cli.common import AsJson, ConfigFile, log_to_stderr, opened, refuse, show
from corr.daemon.loop import Daemon, once
from corr.daemon.ready import spare_the_collector
from corr.daemon.signals import stop_on_signals

Verbose = Annotated[bool, typer.Option("--verbose", help="Log more.")]


def serve_command(ctx: typer.Context, verbose: Verbose = False, config: ConfigFile = None) -> None:
    """Fetch, work and send until told to stop (SIGTERM finishes the work in hand)."""
    log_to_stderr(verbose=verbose)
    with opened(ctx) as server:
        spare_the_collector()
        daemon = Daemon(server)
        stop_on_signals(daemon.stop)
        daemon.run()


def once_command(
    ctx: typer.Context, verbose: Verbose = False, as_json: AsJson = False, config: ConfigFile = None
) -> None:
    """Fetch, work and send until nothing is left, and end: for cron.

    Exit code 1 when a mail server was no help; what could be done is done.
    """
    log_to_stderr(verbose=verbose)
    with opened(ctx) as server:
        spare_the_collector()
        tally = once(server)
    counts = {
        "fetched": tally.fetched,
        "handled": tally.handled,
        "deadlines": tally.fired,
        "sent": tally.sent,
        "not_sent": tally.waiting,
    }
    if as_json:
        show(counts)
    else:
        typer.echo(", ".join(f"{count} {what.replace('_', ' ')}" for what, count in counts.items()))
    if tally.troubles:
        refuse("\n".join(tally.troubles))
