"""Transcripts: a script, and below each of its lines what came of it.

A line of the script begins with ``»``; all others are output, which is written anew.

    » game ukulele Aoi:ja Ben:en first_player=1 pace=3d
    » Aoi writes
    »   はい
    » wait 2d12h

A player replies to the newest letter, each time with another mail program.  The clock
stands still but for ``wait``, and luck comes from a counter: the same script says the
same for ever.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import count, cycle

from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from sqlmodel import Session, col, select

from corr.core import marks
from corr.core.clock import SystemClock
from corr.core.pace import allowance
from corr.demo.clients import CLIENTS, Client, reply_to, text_of
from corr.registry import Registry
from corr.service import lobby
from corr.service.expire import fire
from corr.service.office import Office
from corr.service.receive import Origin, store_letter, work
from corr.store.people import enrol
from corr.store.session import Database
from corr.store.tables import Event, Game, Inbound, Outbox
from engines.api import Problem

INPUT = "»"
BEGINS = "2026-11-30 12:00"


@dataclass(slots=True)
class Act:
    """One line of the script, and the words written with it."""

    line: str
    words: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        """Return the act as it stands in the script."""
        return "\n".join([f"{INPUT} {self.line}", *(f"{INPUT}   {words}" for words in self.words)])


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays, and the programs that write the replies in turn."""

    name: str
    lang: str
    programs: Iterator[Client]

    @property
    def address(self) -> str:
        """Where the letters go."""
        return f"{self.name.lower()}@players.test"


def acts(transcript: str) -> list[Act]:
    """Read the script out of a transcript."""
    found: list[Act] = []
    for line in transcript.splitlines():
        if line.startswith(f"{INPUT}   "):
            found[-1].words.append(line.removeprefix(f"{INPUT}   "))
        elif line.startswith(INPUT):
            found.append(Act(line.removeprefix(INPUT).strip()))
    return found


def replayed(script: Sequence[Act], database: Database) -> str:
    """Run a script on an empty database; returns the whole transcript."""
    with freeze_time(BEGINS) as clock:
        assert isinstance(clock, FrozenDateTimeFactory)
        play = Play(database, clock)
        return "\n".join("\n".join([str(act), "", *play.run(act)]) for act in script)


class Play:
    """A game that a script drives."""

    def __init__(self, database: Database, clock: FrozenDateTimeFactory) -> None:
        self.office = _office(database)
        self.players: list[Player] = []
        self._clock = clock
        self._events, self._letters, self._replies = 0, 0, 0

    def run(self, act: Act) -> Iterator[str]:
        """Do what *act* says; yields what came of it."""
        head, *rest = act.line.split()
        if head == "game":
            self._invite(rest)
        elif head == "wait":
            self._wait(rest[0])
        else:
            yield self._reply(head, "\n".join(act.words))
        with self.office.database.session() as session:
            yield from self._facts(session)
            yield from self._sent(session)

    def _invite(self, words: Sequence[str]) -> None:
        engine, *rest = words
        seats = [word.split(":") for word in rest if ":" in word]
        options = dict(word.split("=") for word in rest if "=" in word)
        self.players = [Player(name, lang, cycle(CLIENTS[lang])) for name, lang in seats]
        with self.office.database.session() as session:
            for player in self.players:
                now = self.office.clock.now()
                enrol(session, player.name, player.address, locale=player.lang, timezone="UTC", now=now)
        chairs = [lobby.Invited(player.name, player.address) for player in self.players]
        pace, timeout = options.pop("pace", None), options.pop("timeout", "loss")
        code = lobby.new_game(self.office, lobby.Wish(engine, chairs, options, pace, timeout))
        assert not isinstance(code, Problem), code

    def _wait(self, span: str) -> None:
        """Move the clock, and let the deadlines that are due have their effect."""
        delta = allowance(span)
        assert not isinstance(delta, Problem), delta
        self._clock.tick(delta)
        while fire(self.office, self.office.clock.now()):
            pass

    def _reply(self, name: str, words: str) -> str:
        """Reply to the newest letter of a player; returns how the server took it."""
        player = next(player for player in self.players if player.name == name)
        program = next(player.programs)
        reply = reply_to(self._newest(player), words, f"{name} <{player.address}>", program)
        self._replies += 1
        reply["Message-ID"] = f"<{self._replies}@players.test>"
        raw = reply.as_bytes(policy=SMTP)
        number = store_letter(self.office, raw, Origin("cli"), self.office.clock.now())
        while work(self.office):
            pass
        with self.office.database.session() as session:
            row = session.get_one(Inbound, number)
            assert row.last_error is None, row.last_error
            return (
                f"letter in, as {program.__name__} writes it: {row.status} {row.problem or ''}".rstrip()
                + "\n"
            )

    def _newest(self, player: Player) -> EmailMessage:
        query = select(Outbox).where(col(Outbox.address) == player.address).order_by(col(Outbox.id).desc())
        with self.office.database.session() as session:
            newest = session.exec(query.limit(1)).one()
        return message_from_bytes(newest.raw, policy=default)

    def _facts(self, session: Session) -> Iterator[str]:
        """Yield the facts that are new."""
        rows = session.exec(select(Event).where(col(Event.id) > self._events).order_by(col(Event.seq))).all()
        for row in rows:
            self._events = row.id
            by = f"seat {row.seat}, {row.cause}, {row.words}" if row.seat else row.cause
            body = json.dumps(row.body, ensure_ascii=False, sort_keys=True)
            yield f"fact {row.seq} {row.kind}/{row.version} {body} ({by}, in {row.phase_key})"
        game = session.exec(select(Game)).one()
        yield f"the game is {game.status}, at position {game.position}\n"

    def _sent(self, session: Session) -> Iterator[str]:
        """Yield the letters that are new, to every seat."""
        names = {player.address: player.name for player in self.players}
        for row in session.exec(
            select(Outbox).where(col(Outbox.id) > self._letters).order_by(col(Outbox.id))
        ):
            self._letters = row.id
            letter = message_from_bytes(row.raw, policy=default)
            mark = next(marks.find([row.message_id])).mark
            yield f"letter to {names[row.address]}: {row.kind}, {mark}"
            yield f"    {letter['Subject']}\n"
            yield from (f"    {line}".rstrip() for line in text_of(letter).splitlines())
            yield ""


def _office(database: Database) -> Office:
    """Return a server whose luck is a counter."""
    numbers = count()

    def entropy(size: int) -> bytes:
        return hashlib.sha256(f"transcript {next(numbers)}".encode()).digest()[:size]

    return Office(database, Registry.installed(), SystemClock(), entropy, "play@corr.test", "corr", "UTC")
