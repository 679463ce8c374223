"""How fast corr is, as ratios within one run: the machine is the same for all lines of the table.

Every task runs once in each round, so that a slow moment of the machine hits all alike;
a line gives the median of the rounds.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import count, cycle
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from rich.console import Console
from rich.table import Table
from sqlmodel import Session, col, select

from corr.core.chance import SeededChance
from corr.core.clock import SystemClock
from corr.core.commands import word
from corr.core.letter import read_letter
from corr.core.mailing import situation
from corr.core.page import Kind, Page
from corr.core.playout import opened, perft, playout
from corr.core.turn import AnyEngine
from corr.demo.clients import CLIENTS, reply_to
from corr.demo.player import offered
from corr.registry import Registry
from corr.render.letters import render
from corr.service import lobby
from corr.service.office import Office
from corr.service.receive import Origin, store_letter, work
from corr.service.sitting import Sitting
from corr.store import games
from corr.store.migrate import upgrade
from corr.store.session import open_database
from corr.store.tables import Inbound, Outbox
from engines.api import Problem, Seat

ROUNDS = 7
LETTERS = 12  # a round
DEPTH = 3

pytestmark = pytest.mark.bench


@dataclass(slots=True)
class Gauge:
    """What one task took: seconds for each unit, a figure a round."""

    unit: str
    against: str | None = None  # the task whose cost is the floor of this one
    costs: list[float] = field(default_factory=list[float])

    @contextmanager
    def timed(self, units: Callable[[], int]) -> Generator[None]:
        """Time what happens inside; *units* is asked afterwards how much that was."""
        start = perf_counter()
        yield
        spent = perf_counter() - start
        self.costs.append(spent / units())

    @property
    def cost(self) -> float:
        """Seconds for one unit, in the median round."""
        return median(self.costs)


class Bench:
    """A game of Ukulele that goes on from round to round, and the gauges."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.gauges = {
            "perft": Gauge("leaves"),
            "playout": Gauge("orders"),
            "parse and commit": Gauge("letters"),
            "letter through the service": Gauge("letters", "parse and commit"),
            "render": Gauge("letters", "parse and commit"),
        }
        self._engine = self._ukulele()
        self._programs, self._numbers = cycle(CLIENTS["en"]), count()
        self._code = ""

    def _ukulele(self) -> AnyEngine:
        engine = self.office.engines.newest("ukulele")
        assert engine is not None
        return engine

    def perft(self) -> None:
        """Count every line of some legal orders."""
        state, leaves = opened(self._engine, {}, _luck), 0
        with self.gauges["perft"].timed(lambda: leaves):
            leaves = perft(self._engine, state, DEPTH, _luck)

    def playout(self) -> None:
        """Play a game at random."""
        state, orders = opened(self._engine, {}, _luck), 0
        with self.gauges["playout"].timed(lambda: orders):
            orders = playout(self._engine, state, _luck, _dice, 100).orders

    def letters(self) -> None:
        """Handle letters with moves, beside the least that any server must do with a letter."""
        floor, whole = 0.0, 0.0
        for _ in range(LETTERS):
            raw = self._reply()
            start = perf_counter()
            self._floor(raw)
            middle = perf_counter()
            number = store_letter(self.office, raw, Origin("cli"), self.office.clock.now())
            assert work(self.office)
            whole += perf_counter() - middle
            floor += middle - start
            assert self._status(number) == "done"
        self.gauges["parse and commit"].costs.append(floor / LETTERS)
        self.gauges["letter through the service"].costs.append(whole / LETTERS)

    def _floor(self, raw: bytes) -> None:
        """Parse a letter and commit one row, and do nothing with it."""
        letter, now = read_letter(raw), self.office.clock.now()
        with self.office.database.session() as session:
            session.add(
                Inbound(
                    source="cli",
                    content_key=letter.content_key,
                    lane="bench",
                    sender=letter.sender,
                    raw=raw,
                    status="ignored",
                    received_at=now,
                )
            )

    def _reply(self) -> bytes:
        """Write the next move as a mail program does; a game that is over makes room for the next."""
        letter = self._newest() or self._begun()
        move = next(words for words in offered(letter) if word(words) is None)
        reply = reply_to(letter, move, str(letter["To"]), next(self._programs))
        reply["Message-ID"] = f"<{next(self._numbers)}@players.test>"
        return reply.as_bytes(policy=SMTP)

    def _newest(self) -> EmailMessage | None:
        """Return the newest letter that offers moves, if the game still runs."""
        with self.office.database.session() as session:
            game = games.game_by_code(session, self._code)
            if game is None or game.status != "running":
                return None
            query = select(Outbox.raw).where(col(Outbox.game_id) == game.id).order_by(col(Outbox.id).desc())
            letters = [message_from_bytes(raw, policy=default) for raw in session.exec(query.limit(2))]
        return next(letter for letter in letters if any(word(words) is None for words in offered(letter)))

    def _begun(self) -> EmailMessage:
        seats = [lobby.Invited(name, f"{name.lower()}@players.test") for name in ("Aoi", "Ben")]
        code = lobby.new_game(self.office, lobby.Wish("ukulele", seats, at_once=True))
        assert not isinstance(code, Problem)
        self._code = code
        letter = self._newest()
        assert letter is not None
        return letter

    def _status(self, number: int | None) -> str:
        with self.office.database.session() as session:
            return session.get_one(Inbound, number).status

    def render(self) -> None:
        """Write the letter that says "your move", in both languages."""
        with self.office.database.session() as session:
            page = self._page(session)
        with self.gauges["render"].timed(lambda: 10):
            for locale in ("en", "ja") * 5:
                render(page, locale=locale, zone="UTC", now=NOW, reply_to="play@corr.test")

    def _page(self, session: Session) -> Page:
        game = games.game_by_code(session, self._code)
        assert game is not None
        sitting = Sitting(session, self.office, game)
        seat = Seat(1)
        shown = situation(sitting.engine, sitting.position, seat, sitting.readers())
        return Page(kind=Kind.TURN, seat=seat, table=sitting.table, situation=shown)

    def told(self) -> list[dict[str, object]]:
        """Return the figures, one row a task."""
        return [self._row(task, gauge) for task, gauge in self.gauges.items()]

    def _row(self, task: str, gauge: Gauge) -> dict[str, object]:
        floor = self.gauges[gauge.against] if gauge.against else None
        return {
            "task": task,
            "unit": gauge.unit,
            "per_second": round(1 / gauge.cost, 1),
            "milliseconds": round(1_000 * gauge.cost, 4),
            "times_the_floor": round(gauge.cost / floor.cost, 2) if floor else None,
        }


NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _luck(phase: str) -> SeededChance:
    return SeededChance(bytes(32), f"bench/{phase}")


def _dice(order: str) -> SeededChance:
    return SeededChance(bytes(32), f"dice/{order}")


def test_how_fast_corr_is(tmp_path: Path) -> None:
    """Print a table for people and the same as JSON for machines."""
    with closing(open_database(f"sqlite:///{tmp_path / 'corr.db'}")) as database:
        upgrade(database)
        registry, clock = Registry.installed(), SystemClock()
        office = Office(database, registry, clock, secrets.token_bytes, "play@corr.test", "corr", "UTC")
        bench = Bench(office)
        for _ in range(ROUNDS):
            bench.letters()
            bench.perft()
            bench.playout()
            bench.render()
        rows = bench.told()
    table = Table("task", "unit", "per second", "ms each", "times the floor", title="corr")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    Console().print(table)
    Console().print_json(json.dumps(rows))
    assert all(gauge.costs for gauge in bench.gauges.values())
