"""``corr demo``: a whole server on this machine, and a game on it."""

from __future__ import annotations

from typing import Annotated

import typer

from corr.cli.common import Language, language, refuse, reported


def demo_command(
    game: Annotated[str, typer.Option(help="The game to play.")] = "ukulele",
    players: Annotated[int, typer.Option(min=1, max=12, help="How many take part.")] = 2,
    lang: Annotated[Language | None, typer.Option(help="Language; else that of the terminal.")] = None,
) -> None:
    """Play a game by mail on this machine: with you on a terminal, else between bots."""
    try:
        from corr.cli.stage import perform  # noqa: PLC0415  the mail servers are an extra
    except ModuleNotFoundError:
        refuse("the demo needs its mail servers: pip install 'corr-games[demo]'")
    with reported():
        perform(game, players, lang or language())
