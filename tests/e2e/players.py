"""Players who know only their mail programs, and what they wrote."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from itertools import cycle

from sqlmodel import Session

from corr.bootstrap import Server
from corr.demo.clients import CLIENTS
from corr.demo.player import MailHost, MailPlayer
from corr.demo.table import PLAYERS, Bot
from corr.store.people import enrol
from engines.api import Seat

PATIENCE = 180.0  # seconds for a whole game; Dovecot takes half a second to tell of a letter


@dataclass(frozen=True, slots=True)
class Written:
    """One reply: who wrote what to which letter."""

    seat: Seat
    words: str
    letter: EmailMessage
    client: str


@dataclass(slots=True)
class Table:
    """The players of one game in the order of their seats, and all that they wrote in order."""

    server: Server
    players: list[MailPlayer] = field(default_factory=list[MailPlayer])
    langs: list[str] = field(default_factory=list[str])
    written: list[Written] = field(default_factory=list[Written])

    def seat(self, host: MailHost, name: str, lang: str) -> MailPlayer:
        """Give a player the next seat; each of his replies comes from another program."""
        seat, programs = Seat(len(self.players) + 1), cycle(CLIENTS[lang])

        def write(words: str, letter: EmailMessage) -> EmailMessage:
            program = next(programs)
            # Noted before it is sent: an answer cannot overtake it.
            self.written.append(Written(seat, words, letter, program.__name__))
            return program(words, letter)

        player = MailPlayer(name, f"{name.lower()}@{PLAYERS}", host, write)
        self.players.append(player)
        self.langs.append(lang)
        return player

    def know(self, session: Session) -> None:
        """Enter the players with their own languages before anybody invites them."""
        for player, lang in zip(self.players, self.langs, strict=True):
            now = self.server.office.clock.now()
            enrol(session, player.name, player.address, locale=lang, timezone="UTC", now=now)

    def play(self, code: str) -> None:
        """Let bots hold the pens until each has the last letter; raises what one of them raised."""
        bots = [
            Bot(self.server, code, Seat(seat), player, lang)
            for seat, (player, lang) in enumerate(zip(self.players, self.langs, strict=True), 1)
        ]
        with patience() as stop:
            run(bots, stop)


@contextmanager
def patience() -> Generator[threading.Event]:
    """Give an event that is set when a game takes too long, or when the context ends."""
    stop = threading.Event()
    timer = threading.Timer(PATIENCE, stop.set)
    timer.start()
    try:
        yield stop
        assert not stop.is_set(), "the game took too long"
    finally:
        timer.cancel()
        stop.set()


def run(bots: Sequence[Bot], stop: threading.Event) -> None:
    """Run each bot in a thread of its own; an error in one stops all, and is raised here."""
    errors: list[Exception] = []

    def play(bot: Bot) -> None:
        try:
            bot.play(stop, lambda _player, _words: None)
        except Exception as error:
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=play, args=(bot,), name=bot.player.name) for bot in bots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
