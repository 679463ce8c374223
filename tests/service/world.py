"""A small world for the use cases: one office over a real database, and players who write letters."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from hashlib import sha256
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from sqlmodel import Session, col, select

from corr.core.clock import SystemClock
from corr.core.turn import AnyEngine
from corr.demo.clients import Client, gmail, reply_to, text_of
from corr.registry import Registry
from corr.service.expire import fire
from corr.service.lobby import Invited, Wish, new_game
from corr.service.office import Office
from corr.service.receive import Origin, store_letter, work
from corr.store import games
from corr.store.session import Database
from corr.store.tables import Event, Game, Inbound, Outbox
from engines.api import Problem
from tests.games import guess, tictactoe

ADDRESS = "play@corr.test"
AOI, BEN = "aoi@players.test", "ben@players.test"
NAMES = {AOI: "Aoi", BEN: "Ben"}
FOLDERS = (Path(__file__).parents[1] / "games", Path(__file__).parent / "templates")


def entropy() -> Callable[[int], bytes]:
    """Return bytes that are the same in every run, and never twice the same in one."""
    numbers = itertools.count()
    return lambda size: sha256(f"entropy {next(numbers)}".encode()).digest()[:size]


class World:
    """One office, its clock, and what people send to it and get from it."""

    def __init__(self, database: Database, frozen: FrozenDateTimeFactory) -> None:
        self.frozen = frozen
        self.office = Office(
            database=database,
            engines=Registry([*Registry.installed(), tictactoe.ENGINE, guess.ENGINE]),
            clock=SystemClock(),
            entropy=entropy(),
            address=ADDRESS,
            name="corr",
            timezone="UTC",
            templates=FOLDERS,
        )
        self._letters = itertools.count(1)

    @property
    def now(self) -> datetime:
        return self.office.clock.now()

    def sleep(self, **span: float) -> None:
        """Let time go by without anybody at work."""
        self.frozen.tick(timedelta(**span))

    def wish(
        self, engine: str = "tictactoe", seats: Sequence[tuple[str, str]] = (), **wishes: Any
    ) -> str | Problem:
        """Ask for a game of Aoi and Ben, or of other *seats* (name, address)."""
        people = [Invited(*seat) for seat in seats or [(NAMES[who], who) for who in (AOI, BEN)]]
        return new_game(self.office, Wish(engine=engine, seats=people, **wishes))

    def game(self, engine: str = "tictactoe", **wishes: Any) -> str:
        """Begin a game of Aoi and Ben at once; returns its code."""
        given: dict[str, Any] = {"at_once": True} | wishes
        code = self.wish(engine, **given)
        assert isinstance(code, str), code
        return code

    def settle(self) -> None:
        """Work on letters and deadlines until there is nothing left."""
        while work(self.office) or fire(self.office, self.office.clock.now()):
            pass

    # What people write

    def receive(self, raw: bytes) -> int:
        """Store a raw letter, as if it had been fetched now; returns its number."""
        number = store_letter(self.office, raw, Origin("pipe"), self.now)
        assert number is not None
        return number

    def written(
        self, who: str, words: str, letter: EmailMessage | None = None, client: Client = gmail
    ) -> EmailMessage:
        """Write a reply to a letter, the newest that *who* has if none is given, without sending it."""
        reply = reply_to(letter or self.newest(who), words, f"{NAMES.get(who, 'X')} <{who}>", client)
        reply["Message-ID"] = f"<{next(self._letters)}@{who.rpartition('@')[2]}>"
        return reply

    def post(self, letter: EmailMessage) -> int:
        """Let a letter come in; nobody works on it yet."""
        return self.receive(letter.as_bytes(policy=SMTP))

    def reply(
        self, who: str, words: str, letter: EmailMessage | None = None, client: Client = gmail
    ) -> Inbound:
        """Reply, let it be worked on, and return what became of the letter."""
        number = self.post(self.written(who, words, letter, client))
        self.settle()
        return self.inbound(number)

    def answer(self, who: str, words: str, letter: EmailMessage | None = None) -> str:
        """Reply, and return the text of the newest letter to the same person."""
        self.reply(who, words, letter)
        return self.text(who)

    def plain(self, who: str, words: str, subject: str = "a question", **headers: str) -> EmailMessage:
        """Write a letter that replies to nothing."""
        letter = EmailMessage(policy=default)
        letter["From"], letter["To"], letter["Subject"] = who, ADDRESS, subject
        letter["Message-ID"] = f"<{next(self._letters)}@plain.test>"
        for name, value in headers.items():
            letter[name.replace("_", "-")] = value
        letter.set_content(words)
        return letter

    # What people read, and what is stored

    def letters(self, who: str) -> list[EmailMessage]:
        """Return every letter that *who* was written, the newest last."""
        return [message_from_bytes(row.raw, policy=default) for row in self.outbox(who)]

    def newest(self, who: str) -> EmailMessage:
        return self.letters(who)[-1]

    def text(self, who: str) -> str:
        """Return the text part of the newest letter to *who*, without its line breaks."""
        return said(self.newest(who))

    def outbox(self, who: str | None = None) -> Sequence[Outbox]:
        query = select(Outbox).order_by(col(Outbox.id))
        with self.office.database.session() as session:
            return session.exec(query if who is None else query.where(col(Outbox.address) == who)).all()

    def inbound(self, number: int) -> Inbound:
        with self.office.database.session() as session:
            return session.get_one(Inbound, number)

    def row(self, code: str) -> Game:
        with self.office.database.session() as session:
            return found(session, code)

    def events(self, code: str) -> Sequence[Event]:
        with self.office.database.session() as session:
            query = select(Event).where(col(Event.game_id) == found(session, code).id)
            return session.exec(query.order_by(col(Event.seq))).all()

    def engine_now(self, *engines: AnyEngine) -> None:
        """Install other engines, under the ids that they have, instead of the present ones."""
        ids = {engine.info.rules for engine in engines}
        kept = (engine for engine in self.office.engines if engine.info.rules not in ids)
        self.office = replace(self.office, engines=Registry([*kept, *engines]))

    def with_templates(self, *folders: Path) -> None:
        """Let further folders stand before those of the games."""
        self.office = replace(self.office, templates=(*folders, *self.office.templates))


def found(session: Session, code: str) -> Game:
    """Return the game of a code."""
    game = games.game_by_code(session, code)
    assert game is not None
    return game


def headline(letter: EmailMessage) -> str:
    """Return what a letter says first, below the marker."""
    return " ".join(re.split(r"(?:\r?\n){2}", text_of(letter))[1].split())


def said(letter: EmailMessage) -> str:
    """Return the text part of a letter, without its line breaks."""
    return " ".join(text_of(letter).split())


def counts(world: World, people: Iterable[str] = (AOI, BEN)) -> tuple[int, ...]:
    """Return how many letters each has been written."""
    return tuple(len(world.outbox(who)) for who in people)
