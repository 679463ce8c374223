"""A whole server on loopback: mail servers in memory, SQLite, the daemon, players who write mail."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from email.message import EmailMessage
from itertools import repeat
from pathlib import Path
from typing import Any, cast

from pydantic import SecretStr

from corr.bootstrap import Server, build
from corr.core.chance import SeededChance
from corr.core.commands import spelt
from corr.daemon.loop import Daemon
from corr.demo.player import MailHost, MailPlayer, offered
from corr.mail.embedded import EmbeddedServers
from corr.service import lobby
from corr.service.sitting import Sitting
from corr.settings import Settings
from corr.store import games
from corr.store.letters import letter_to, next_number
from corr.store.migrate import upgrade
from corr.store.session import open_database
from engines.api import Outcome, Phase, Problem, Seat, Suggests

ADDRESS = "play@corr.test"
PLAYERS = "players.test"
PASSWORD = "demo"  # noqa: S105  of servers on loopback that live as long as the demo


@contextmanager
def server_on_loopback(folder: Path) -> Generator[tuple[Server, MailHost]]:
    """Run mail servers and the daemon while the context lasts; the database lies in *folder*."""
    with EmbeddedServers({"corr.test", PLAYERS}, PASSWORD) as mail:
        host = MailHost(mail.imap_port, mail.smtp_port, PASSWORD)
        with server_at(host, folder) as server:
            yield server, host


@contextmanager
def server_at(host: MailHost, folder: Path) -> Generator[Server]:
    """Run the daemon at mail servers that are there; the database lies in *folder*."""
    user = ADDRESS.replace("@", "%40")
    settings = Settings(
        address=ADDRESS,
        imap=f"imap://{user}@127.0.0.1:{host.imap_port}/INBOX",
        smtp=f"smtp://127.0.0.1:{host.smtp_port}",
        database=f"sqlite:///{folder / 'corr.db'}",
        imap_password=SecretStr(host.password),
        poll=2,  # as often as the players look
    )
    database = open_database(settings.database)
    upgrade(database)
    database.close()
    with closing(build(settings)) as server, _serving(server):
        yield server


@contextmanager
def _serving(server: Server) -> Generator[None]:
    """Run the daemon in a thread."""
    daemon = Daemon(server)
    thread = threading.Thread(target=daemon.run, name="corr")
    thread.start()
    try:
        yield
    finally:
        daemon.stop.set()
        thread.join()


def invite(server: Server, engine: str, players: Sequence[MailPlayer], lang: str) -> str | Problem:
    """Make a game for the players; returns its code, or why it cannot be."""
    seats = [lobby.Invited(player.name, player.address) for player in players]
    return lobby.new_game(server.office, lobby.Wish(engine=engine, seats=seats, locale=lang))


class Bot:
    """Plays one seat by mail: says yes, then chooses among the moves that its letters offer."""

    def __init__(self, server: Server, code: str, seat: Seat, player: MailPlayer, lang: str) -> None:
        self.player = player
        self._server, self._code, self._seat, self._lang = server, code, seat, lang
        self._moves = 0

    def play(self, stop: threading.Event, watch: Callable[[MailPlayer, str], None]) -> None:
        """Answer every letter until the last has come; *watch* hears what the bot wrote."""
        for letter in self.player.arrivals(stop):
            words = self._answer(letter)
            if words is not None:
                self.player.reply(letter, words)
                watch(self.player, words)
            if self.is_last(letter):
                return

    def is_last(self, letter: EmailMessage) -> bool:
        """Tell whether the game is over and *letter* the last one to this seat."""
        with self._server.office.database.session() as session:
            game = games.game_by_code(session, self._code)
            if game is None or game.status not in {"over", "void"}:
                return False
            number = next_number(session, game.id, self._seat) - 1
            last = letter_to(session, game.id, self._seat, number)
            return last is not None and last.message_id == str(letter["Message-ID"]).strip()

    def _answer(self, letter: EmailMessage) -> str | None:
        links = offered(letter)
        yes = spelt("yes", self._lang)
        if yes in links:
            return yes
        return self._choice(links)

    def _choice(self, links: Sequence[str]) -> str | None:
        """Choose by the engine's own bot, on an imagined world; None when nobody waits for us."""
        with self._server.office.database.session() as session:
            game = games.game_by_code(session, self._code)
            if game is None or game.status != "running":
                return None
            sitting = Sitting(session, self._server.office, game)
            phase = sitting.status
            if isinstance(phase, Outcome) or self._seat not in phase.waiting:
                return None
            words = self._suggested(sitting, phase)
        return words if words in links else None  # a letter that was overtaken offers no move

    def _suggested(self, sitting: Sitting, phase: Phase) -> str:
        engine, state = sitting.engine, sitting.position.state
        self._moves += 1
        luck = SeededChance(bytes(32), f"{self._code}/{phase.key}/{self._seat}/{self._moves}")
        if isinstance(engine, Suggests):
            bot = cast("Suggests[Any, Any]", engine)
            worlds = (engine.imagine(state, self._seat, luck) for _ in repeat(None))
            order = bot.suggest(worlds, self._seat, luck)
        else:
            order = luck.pick("order", tuple(engine.orders(state, self._seat)))
        return engine.spell(state, self._seat, order, self._lang)
