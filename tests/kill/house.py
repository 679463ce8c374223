"""Two games, the people who play them, mail servers, and a corr that may be killed at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import cycle
from pathlib import Path
from typing import TypeVar

from sqlmodel import col, select

from corr.bootstrap import Server
from corr.core.clock import SystemClock
from corr.daemon.loop import once
from corr.demo.clients import CLIENTS
from corr.demo.player import MailHost, MailPlayer
from corr.service.lobby import Invited, Wish, new_game
from corr.service.send import LEASE
from corr.store.claim import RESEND_AFTER
from corr.store.tables import Deadline, Event, Game, Outbox, Row
from tests.kill.victim import Plan, run

TRACES = 3  # header lines that the mail server puts above a letter that it delivers

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Later:
    """A clock that is ahead: nobody can wait for the end of a lease."""

    ahead: timedelta

    def now(self) -> datetime:
        return SystemClock().now() + self.ahead


@dataclass
class House:
    """One corr server, its mail, and what people wrote to it."""

    server: Server
    host: MailHost
    folder: Path
    environment: dict[str, str]
    players: dict[str, MailPlayer] = field(default_factory=dict[str, MailPlayer])
    written: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # by whom, Message-ID

    def __post_init__(self) -> None:
        self._programs = cycle(CLIENTS["en"])

    # What people do

    def game(self, *names: str) -> str:
        """Begin a game of Ukulele in which the first moves first; returns its code."""
        seats = [Invited(name, address(name)) for name in names]
        wish = Wish(engine="ukulele", seats=seats, at_once=True, options={"first_player": "1"})
        code = new_game(self.server.office, wish)
        assert isinstance(code, str), code
        return code

    def letters(self, name: str) -> list[EmailMessage]:
        """Return what lies in somebody's mailbox, the oldest first."""
        return [message_from_bytes(raw, policy=default) for raw in self.mailbox(address(name))]

    def reply(self, name: str, words: str, letter: EmailMessage) -> None:
        """Let somebody reply by mail."""
        if name not in self.players:
            self.players[name] = MailPlayer(name, address(name), self.host, next(self._programs))
        reply = self.players[name].reply(letter, words)
        self.written.append((address(name), str(reply["Message-ID"])))

    def write(self, name: str, words: str) -> None:
        """Let somebody write a letter that replies to nothing."""
        office, own_id = self.server.office, f"<hello-{len(self.written)}@players.test>"
        letter = EmailMessage(policy=SMTP)
        letter["From"], letter["To"], letter["Subject"] = address(name), office.address, "Hello"
        letter["Message-ID"] = own_id
        letter.set_content(words)
        self.host.post(address(name), office.address, letter.as_bytes())
        self.written.append((address(name), own_id))

    def time_for_a_reminder(self, code: str) -> None:
        """Let most of the time for a move be gone."""
        with self.server.office.database.session() as session:
            query = select(Deadline).join(Game, col(Game.id) == col(Deadline.game_id))
            for row in session.exec(query.where(col(Game.code) == code, col(Deadline.kind) == "remind")):
                row.due_at = self.server.office.clock.now()
                session.add(row)

    # What happens to corr

    def die(self, plan: Plan, command: str = "once") -> int:
        """Run a process by *plan*; returns its exit code."""
        return run((command,), self.folder, self.environment, plan)

    def once(self, ahead: timedelta = timedelta()) -> None:
        """Run everything until it is empty, after some time."""
        office = replace(self.server.office, clock=Later(ahead))
        tally = once(replace(self.server, office=office))
        assert tally.troubles == []

    def recover(self) -> None:
        """Run again at once, when leases are over, and when what is unknown may be sent again."""
        self.once()
        self.once(LEASE)
        self.once(LEASE + RESEND_AFTER)

    # What became of it

    def rows(self, table: type[R]) -> Sequence[R]:
        with self.server.office.database.session() as session:
            return session.exec(select(table).order_by(col(table.id))).all()

    def entries(self) -> dict[int, list[str | None]]:
        """Return the words of each entry that a letter put into the log of a game, by the letter's id."""
        orders = {(e.game_id, e.entry): (e.inbound_id, e.words) for e in self.rows(Event) if e.inbound_id}
        found: dict[int, list[str | None]] = {}
        for letter, words in orders.values():
            assert letter is not None
            found.setdefault(letter, []).append(words)
        return found

    def status(self, letter: int) -> str:
        """Return how far a letter of the outbox has come."""
        with self.server.office.database.session() as session:
            return session.get_one(Outbox, letter).status

    def mailbox(self, owner: str) -> list[bytes]:
        """Return the letters that lie in an inbox, the oldest first."""
        with self.host.inbox(owner) as inbox:
            return [arrival.raw for batch in inbox.leftovers() for arrival in batch]

    def copies(self) -> Counter[int]:
        """Count, by its id, how often each letter of the outbox arrived.

        What arrived must be in the outbox byte for byte, Message-ID and all.
        """
        rows = self.rows(Outbox)
        arrived = Counter(
            (owner, raw.split(b"\r\n", TRACES)[TRACES])
            for owner in {row.address for row in rows}
            for raw in self.mailbox(owner)
        )
        assert arrived.keys() <= {(row.address, row.raw) for row in rows}
        return Counter({row.id: arrived[row.address, row.raw] for row in rows})


def address(name: str) -> str:
    return f"{name.lower()}@players.test"
