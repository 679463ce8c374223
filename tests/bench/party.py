"""A server with games under way, its players, and a sink that takes its letters."""

from __future__ import annotations

import os
import shutil
import smtplib
import socket
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import count, cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from pydantic import SecretStr
from sqlmodel import Session, col, insert, select

from corr.bootstrap import Server, build
from corr.core.chance import SeededChance
from corr.core.commands import word
from corr.daemon.loop import once
from corr.demo.clients import CLIENTS, reply_to
from corr.demo.player import offered
from corr.mail.embedded import EmbeddedServers
from corr.service.lobby import Invited, Wish, new_game
from corr.service.receive import Found, Origin, store_letters, work
from corr.settings import check
from corr.store import migrate
from corr.store.session import open_database
from corr.store.tables import Game, Inbound, Outbox

DICE = SeededChance(bytes(32), "bench")
PATIENCE = 10.0  # seconds until a sink answers


class Party:
    """The games of one server, and what their players write."""

    def __init__(self, server: Server) -> None:
        self.server, self.office = server, server.office
        self._programs, self._numbers = cycle(CLIENTS["en"]), count()

    def game(self) -> str:
        """Begin a game of Ukulele between two players of its own; returns its code."""
        number = next(self._numbers)
        seats = [Invited(name, f"{name.lower()}{number}@players.test") for name in ("Aoi", "Ben")]
        code = new_game(self.office, Wish("ukulele", tuple(seats), at_once=True))
        assert isinstance(code, str)
        return code

    def reply(self, code: str) -> bytes:
        """Write a move at random, as a mail program does, to the newest letter that offers any."""
        with self.office.database.session() as session:
            newest = [message_from_bytes(raw, policy=default) for raw in _newest(session, code)]
        letter, moves = next((letter, moves) for letter in newest if (moves := _moves(letter)))
        number = str(next(self._numbers))
        reply = reply_to(letter, DICE.pick(number, moves), str(letter["To"]), next(self._programs))
        reply["Message-ID"] = f"<{number}@players.test>"
        return reply.as_bytes(policy=SMTP)

    def store(self, *replies: bytes) -> None:
        """Keep letters as if they had been fetched together."""
        now = self.office.clock.now()
        store_letters(self.office, [Found(reply, Origin("cli"), now) for reply in replies])

    def handle(self, reply: bytes) -> None:
        """Keep a letter and work on it."""
        self.store(reply)
        assert work(self.office)

    def forget(self) -> None:
        """Let the games be read anew, as after a restart."""
        self.office.database.memory.forget()

    def send(self) -> None:
        """Send what waits, untimed."""
        once(self.server)

    def once(self, replies: Sequence[bytes]) -> None:
        """Do all that ``corr once`` does with letters that are there, up to the sink."""
        self.store(*replies)
        tally = once(self.server)
        assert tally.handled == len(replies)
        assert tally.sent == 2 * len(replies), tally
        assert not tally.troubles

    def floor(self, replies: Sequence[bytes], letters: Sequence[Outbox], port: int) -> None:
        """Do the least with the same letters: parse, commit once, and hand the two answers to the sink."""
        with smtplib.SMTP("127.0.0.1", port) as post:
            for number, reply in enumerate(replies):
                message_from_bytes(reply)
                with self.office.database.engine.begin() as connection:
                    connection.execute(insert(Inbound).values(self._row(reply)))
                for letter in letters[2 * number : 2 * number + 2]:
                    post.sendmail("bounce@corr.test", letter.address, letter.raw)

    def _row(self, reply: bytes) -> dict[str, object]:
        key = str(next(self._numbers))
        return {
            "source": "cli",
            "content_key": key,
            "lane": "floor",
            "sender": "floor",
            "raw": reply,
            "status": "ignored",
            "attempts": 0,
            "received_at": self.office.clock.now(),
        }

    def newest(self, many: int) -> Sequence[Outbox]:
        """Return the letters that were written last."""
        with self.office.database.session() as session:
            return session.exec(select(Outbox).order_by(col(Outbox.id).desc()).limit(many)).all()


def _newest(session: Session, code: str) -> Sequence[bytes]:
    letters = select(Outbox).join(Game, col(Game.id) == col(Outbox.game_id)).where(col(Game.code) == code)
    return [row.raw for row in session.exec(letters.order_by(col(Outbox.id).desc()).limit(2))]


def _moves(letter: EmailMessage) -> list[str]:
    return [words for words in offered(letter) if word(words) is None]


@contextmanager
def party(folder: Path, database: str, imap: int, smtp: int) -> Generator[Party]:
    """Set up a server over a new database, as ``corr init`` and ``corr db upgrade`` do."""
    with closing(open_database(database)) as opened:
        migrate.upgrade(opened)
    given = {
        "address": "play@corr.test",
        "preset": "postfix",
        "imap": f"imap://play%40corr.test@127.0.0.1:{imap}/INBOX",
        "smtp": f"smtp://127.0.0.1:{smtp}",
        "database": database,
    }
    settings = check(given, folder / "corr.toml")
    settings.imap_password = SecretStr("secret")
    with closing(build(settings)) as server:
        yield Party(server)


def sink() -> str | None:
    """Find Postfix's ``smtp-sink``; on Debian it lies where the path of a user does not lead."""
    return shutil.which("smtp-sink") or shutil.which("smtp-sink", path="/usr/sbin")


@contextmanager
def inbox() -> Generator[int]:
    """Run an IMAP server in a process of its own, as it is in life; yields its port."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    running = context.Process(target=_keep_inbox, args=(theirs,))
    running.start()
    try:
        yield int(ours.recv())
    finally:
        ours.send(None)
        running.join()


def _keep_inbox(pipe: Connection) -> None:
    """Keep an inbox until word comes."""
    with EmbeddedServers(("corr.test",), "secret") as servers:
        pipe.send(servers.imap_port)
        pipe.recv()


@contextmanager
def smtp_sink() -> Generator[int]:
    """Run Postfix's ``smtp-sink``, which takes letters and drops them; yields its port."""
    program = sink()
    assert program is not None
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = int(free.getsockname()[1])
    user = ("-u", "nobody") if os.geteuid() == 0 else ()  # as root it asks for another user
    running = subprocess.Popen([program, *user, f"127.0.0.1:{port}", "100"])
    try:
        _await(port)
        yield port
    finally:
        running.terminate()
        running.wait()


def _await(port: int) -> None:
    """Wait until somebody answers at a port."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            smtplib.SMTP("127.0.0.1", port).quit()
        except OSError:
            if time.monotonic() > end:
                raise
        else:
            return
