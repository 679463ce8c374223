"""What ``corr demo`` shows: a game between bots, or one with whoever sits at the terminal."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from corr.bootstrap import Server
from corr.cli.common import Language, refuse, worded
from corr.core.commands import spelt
from corr.demo.clients import CLIENTS, text_of
from corr.demo.player import MailHost, MailPlayer
from corr.demo.table import ADDRESS, PASSWORD, PLAYERS, Bot, invite, server_on_loopback
from corr.service import admin
from engines.api import Phrase, Problem, Seat, Value, name

NAMES = ("Aoi", "Ben", "Chika", "Dan", "Emi", "Finn", "Goro", "Hana", "Ivo", "Jun", "Kei", "Lena")
LONGEST = 100.0  # seconds for a game between bots
EVERY = 10  # letters from one line to the next, where no terminal shows each

Watch = Callable[[MailPlayer, str], None]


def perform(game: str, players: int, lang: Language) -> None:
    """Run the servers, invite the players, and let them play."""
    with (
        tempfile.TemporaryDirectory(prefix="corr-demo-") as folder,
        server_on_loopback(Path(folder)) as (server, host),
    ):
        seated = _players(host, players, lang)
        code = invite(server, game, seated, lang)
        if isinstance(code, Problem):
            refuse(worded(code, lang=lang))
        _Stage(server, host, game, code, seated, lang).play(with_you=sys.stdin.isatty())


def _players(host: MailHost, count: int, lang: str) -> list[MailPlayer]:
    """Seat players whose mail programs differ."""
    clients = CLIENTS[lang]
    return [
        MailPlayer(alias, f"{alias.lower()}@{PLAYERS}", host, clients[number % len(clients)])
        for number, alias in enumerate(NAMES[:count])
    ]


class _Stage:
    """One game, and what is said about it."""

    def __init__(
        self,
        server: Server,
        host: MailHost,
        game: str,
        code: str,
        players: Sequence[MailPlayer],
        lang: Language,
    ) -> None:
        self._server, self._host, self._players = server, host, players
        self._game, self._code = game, code
        self._names = {Seat(number): player.name for number, player in enumerate(players, 1)}
        self._lang, self._console = lang, Console(highlight=False, soft_wrap=True)

    def play(self, *, with_you: bool) -> None:
        if with_you:
            self._with_you()
        else:
            self._between_bots()

    def _say(self, key: str, **values: Value) -> None:
        self._console.print(self._worded(key, **values), markup=False)

    def _worded(self, key: str, **values: Value) -> str:
        return worded(Phrase(key, values), self._names, self._lang)

    def _seats(self, first: int = 1) -> tuple[Phrase, ...]:
        return tuple(name(seat) for seat in self._names if seat >= first)

    def _cast(self, watch: Watch, first: int) -> _Cast:
        """Give the seats from *first* on to bots."""
        seats = enumerate(self._players[first - 1 :], first)
        bots = [Bot(self._server, self._code, Seat(seat), player, self._lang) for seat, player in seats]
        return _Cast(bots, watch)

    def _between_bots(self) -> None:
        """Let bots play to the end, and print the last letter."""
        self._say("demo.bots", code=self._code, names=self._seats())
        watch = _Letters(self._console, self._worded)
        with watch.progress, self._cast(watch, first=1) as cast:
            over = cast.wait(LONGEST)
        if cast.errors or not over:
            why = str(cast.errors[0]) if cast.errors else f"> {LONGEST:.0f} s"
            refuse(self._worded("demo.broken", why=why))
        self._say("demo.over", n=watch.count)
        self._show_last_letter(self._players[0])
        replayed = next(admin.replay(self._server.office, self._code))
        if replayed.problem:
            refuse(self._worded("demo.broken", why=replayed.problem))
        self._say("demo.replayed", n=replayed.facts)

    def _show_last_letter(self, player: MailPlayer) -> None:
        self._console.rule(self._worded("demo.last-letter", by=player.name))
        self._console.print(text_of(player.letters[-1]), markup=False)
        self._console.rule()

    def _with_you(self) -> None:
        """Let a person play the first seat with any mail program, bots the others."""
        self._explain()
        try:
            with self._cast(self._tell, first=2) as cast:
                cast.wait()
            if cast.errors:
                refuse(self._worded("demo.broken", why=str(cast.errors[0])))
            self._say("demo.enter")
            sys.stdin.readline()
        except KeyboardInterrupt:
            self._say("demo.ended")

    def _tell(self, player: MailPlayer, words: str) -> None:
        self._say("demo.wrote", by=player.name, words=words)

    def _explain(self) -> None:
        """Say what runs, and how to take part."""
        you, host, settings = self._players[0], self._host, self._server.settings
        self._say("demo.runs", address=ADDRESS, database=settings.database, others=self._seats(2))
        self._say("demo.account", address=you.address, password=PASSWORD)
        self._say("demo.ports", imap=host.imap_port, smtp=host.smtp_port)
        yes = spelt("yes", self._lang)
        self._say("demo.begin", by=you.name, code=self._code, yes=yes, game=self._game)


class _Cast:
    """Bots at play, each in a thread of its own while the context lasts."""

    def __init__(self, bots: Sequence[Bot], watch: Watch) -> None:
        self.errors: list[Exception] = []
        self._stop, self._watch = threading.Event(), watch
        self._threads = [
            threading.Thread(target=self._play, args=(bot,), name=bot.player.name) for bot in bots
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait(self, seconds: float = float("inf")) -> bool:
        """Wait until all have played to the end or one has failed; false when time is up."""
        end = monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) and not self._stop.is_set():
            if monotonic() > end:
                return False
            self._stop.wait(0.1)
        return True

    def _play(self, bot: Bot) -> None:
        try:
            bot.play(self._stop, self._watch)
        except Exception as error:
            self.errors.append(error)
            self._stop.set()


class _Letters:
    """Shows how far the game has come: a moving line on a terminal, plain lines elsewhere."""

    def __init__(self, console: Console, worded: Callable[..., str]) -> None:
        self.count = 0
        self._console, self._worded = console, worded
        self.progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self.progress.add_task(worded("demo.waiting"), total=None)

    def __call__(self, player: MailPlayer, words: str) -> None:
        self.count += 1
        line = self._worded("demo.letter", number=self.count, by=player.name, words=words)
        if self._console.is_terminal:
            self.progress.update(self._task, description=line)
        elif self.count % EVERY == 1:
            self._console.print(line, markup=False)
