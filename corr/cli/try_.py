"""``corr engine try``: a game in the terminal, every seat played by hand, without mail."""

from __future__ import annotations

import io
import secrets
import sys
from contextlib import suppress
from itertools import islice
from typing import Annotated

import typer

from corr.cli.common import Language, language, pairs, refuse, worded
from corr.cli.engine import Name, found, seeded
from corr.cli.files import filled
from corr.core.commands import word
from corr.core.fold import fold
from corr.core.mailing import ORDERS_SHOWN, story
from corr.core.page import Fate, Line
from corr.core.turn import AnyEngine, Luck, Turn, start, status, take
from corr.registry import game_of
from corr.render import catalogue
from corr.render.letters import render_view
from corr.service.lobby import wrong_number
from engines.api import Outcome, Phase, Phrase, Problem, Seat, name

QUIT = {"quit", "exit", "終了"}


def try_command(
    game: Name,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, KEY=VALUE.")] = None,
    players: Annotated[int | None, typer.Option(help="How many seats; else as few as it takes.")] = None,
    lang: Annotated[Language | None, typer.Option(help="Language; else that of the terminal.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same number gives the same luck.")] = None,
) -> None:
    """Play a game in the terminal, every seat by hand, without mail."""
    lang = lang or language()
    engine, luck = found(game), seeded(secrets.randbits(32) if seed is None else seed)
    turn = _begun(engine, filled(engine, dict(pairs(option or (), "KEY=VALUE"))), players, luck, lang)
    if isinstance(source := sys.stdin, io.TextIOWrapper):
        source.reconfigure(errors="replace")  # a pipe may bring anything
    with suppress(EOFError, KeyboardInterrupt):
        _Hands(engine, turn, luck, lang).play()


def _begun(
    engine: AnyEngine, options: dict[str, str], players: int | None, luck: Luck, lang: Language
) -> Turn:
    """Open the game, or say why it cannot be."""
    seats, known = engine.info.seats, engine.info.options
    count = seats[0] if players is None else players
    problem = wrong_number(engine, count)
    if problem is None and (unknown := sorted(options.keys() - known.keys())):
        problem = Problem("lobby.no-option", {"option": unknown[0], "known": ", ".join(sorted(known))})
    facts = problem or engine.setup(count, options, luck("setup"))
    if isinstance(facts, Problem):
        refuse(worded(facts, lang=lang))
    return start(engine, facts, luck)


class _Hands:
    """The table, and whoever plays all its seats."""

    def __init__(self, engine: AnyEngine, opening: Turn, luck: Luck, lang: Language) -> None:
        self._engine, self._luck, self._lang = engine, luck, lang
        self._now = opening.after
        self._history = list(opening.steps)
        self._told: dict[Seat, int] = {}  # how much of the history each seat has been told

    def play(self) -> None:
        """Ask for orders until the game is over; EOFError ends it before."""
        self._say(Phrase("try.welcome"))
        self._show()
        while isinstance(phase := status(self._engine, self._now), Phase):
            seat = _mover(phase)
            prompt = f"{self._worded(name(seat))}> " if sys.stdin.isatty() else ""
            self._heed(seat, fold(input(prompt)))
        self._end(phase)

    def _heed(self, seat: Seat, line: str) -> None:
        """Do what a line asks: a word, or an order of *seat*."""
        asked = word(line)
        if line.casefold().removeprefix("/") in QUIT:
            raise EOFError
        if asked is None:
            self._order(seat, line)
        elif asked.name == "help":
            self._say(Phrase("try.help"))
            self._list_orders(seat)
        elif asked.name == "board":
            self._show()
        else:
            self._say(Phrase("word.unavailable", {"word": line}))

    def _order(self, seat: Seat, line: str) -> None:
        if not line:
            return
        turn = take(self._engine, self._now, seat, [line], self._luck, lang=self._lang)
        if turn.lines[0].fate is not Fate.TAKEN:
            self._refuse(seat, turn.lines[0])
            return
        self._now = turn.after
        self._history += turn.steps
        if isinstance(status(self._engine, self._now), Phase):
            self._show()

    def _refuse(self, seat: Seat, line: Line) -> None:
        """Say why not, and what would be legal."""
        if line.reason is not None:
            self._say(line.reason)
        if line.choices:
            typer.echo("  " + "  ".join(line.choices))
        else:
            self._list_orders(seat)

    def _list_orders(self, seat: Seat) -> None:
        state = self._now.state
        legal = list(islice(self._engine.orders(state, seat), 1_000))
        spelt = (self._engine.spell(state, seat, order, self._lang) for order in legal[:ORDERS_SHOWN])
        typer.echo("  " + "  ".join(spelt))
        if len(legal) > ORDERS_SHOWN:
            self._say(Phrase("moves.more", {"n": len(legal) - ORDERS_SHOWN}))

    def _show(self) -> None:
        """Show the seat that is to act what it may know: what happened, and the position."""
        phase = status(self._engine, self._now)
        assert isinstance(phase, Phase)
        seat = _mover(phase)
        self._tell(seat)
        typer.echo(render_view(self._engine.view(self._now.state, seat), self._lang))
        self._say(Phrase("try.turn", {"by": name(seat)}))

    def _tell(self, seat: Seat) -> None:
        for phrase in story(self._engine, self._history[self._told.get(seat, 0) :], seat):
            self._say(phrase)
        self._told[seat] = len(self._history)

    def _end(self, outcome: Outcome) -> None:
        """Show all seats' last news, the last position and who won."""
        seat = min(self._told)
        self._tell(seat)
        typer.echo(render_view(self._engine.view(self._now.state, seat), self._lang))
        winners = tuple(map(name, sorted(outcome.winners)))
        self._say(Phrase("outcome.won", {"winners": winners}) if winners else Phrase("outcome.drawn"))
        typer.echo(catalogue.reason(outcome, game_of(self._engine), self._lang))

    def _say(self, phrase: Phrase) -> None:
        typer.echo(self._worded(phrase))

    def _worded(self, phrase: Phrase) -> str:
        return worded(phrase, lang=self._lang)


def _mover(phase: Phase) -> Seat:
    """Return who is asked next: who is waited for, in the order of the seats."""
    return min(phase.waiting or phase.open)
