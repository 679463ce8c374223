"""How fast corr is, as ratios within one run: the machine is the same for all lines of the table.

Every task runs once in each round, so that a slow moment of the machine hits all alike;
a line gives the median of the rounds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from corr.core.chance import Dice, SeededChance
from corr.core.playout import opened, perft, playout
from corr.daemon.ready import spare_the_collector
from corr.registry import Registry
from tests.bench.gauge import Gauge, publish
from tests.bench.party import Party, inbox, party, sink, smtp_sink
from tests.databases import postgresql_server, statements

ROUNDS = 7
GAMES = 50  # each brings one letter to a round of ``corr once``: as many as one look at an inbox does
SHORT, LONG = 10, 200  # letters of a game
AROUND = 2  # letters on either side of those that are timed with them
DEPTH = 3

pytestmark = pytest.mark.bench


class Whole:
    """``corr once`` with letters waiting, beside the least that any server must do with them."""

    def __init__(self, host: Party, port: int, name: str) -> None:
        self.host, self.port = host, port
        self.codes = [host.game() for _ in range(GAMES)]
        host.send()
        self.floor = Gauge(f"floor, {name}", "letters")
        self.once = Gauge(f"corr once, {name}", "letters", self.floor)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.floor, self.once

    def round(self) -> None:
        """Let every game have its next letter."""
        replies = [self.host.reply(code) for code in self.codes]
        with self.once.timed(lambda: GAMES):
            self.host.once(replies)
        answers = self.host.newest(2 * GAMES)
        with self.floor.timed(lambda: GAMES):
            self.host.floor(replies, answers, self.port)

    def note(self) -> str:
        """Count the statements of one more round, untimed."""
        replies = [self.host.reply(code) for code in self.codes]
        with statements(self.host.office.database) as sent:
            self.host.once(replies)
        return f"{self.once.task}: {len(sent) / GAMES:.1f} statements of SQL for each letter"


class Length:
    """The cost of a letter late in a game, beside one at its beginning."""

    def __init__(self, host: Party) -> None:
        self.host, self.code = host, host.game()
        self.short = Gauge(f"{SHORT}th letter of a game", "letters")
        self.long = Gauge(f"{LONG}th letter", "letters", self.short)
        self.fresh = Gauge(f"{LONG}th letter, game not in memory", "letters", self.short)
        self._play(self.code, LONG - AROUND)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.short, self.long, self.fresh

    def _play(self, code: str, letters: int) -> None:
        for _ in range(letters):
            self.host.handle(self.host.reply(code))

    def round(self) -> None:
        """Play a new game as far as its tenth letter, and go on with the long one."""
        code = self.host.game()
        self._play(code, SHORT - AROUND - 1)
        for _ in range(2 * AROUND + 1):
            self._timed(self.short, code)
            self._timed(self.long, self.code)
            self.host.forget()
            self._timed(self.fresh, self.code)

    def _timed(self, gauge: Gauge, code: str) -> None:
        reply = self.host.reply(code)
        with gauge.timed():
            self.host.handle(reply)


class Rules:
    """The rules alone, without letters."""

    def __init__(self) -> None:
        engine = Registry.installed().newest("ukulele")
        assert engine is not None
        self.engine, self.state = engine, opened(engine, {}, _luck)
        self.perft, self.playout = Gauge("perft", "leaves"), Gauge("random orders", "orders")

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.perft, self.playout

    def round(self) -> None:
        """Count every line of some legal orders; play a game at random."""
        leaves = orders = 0
        with self.perft.timed(lambda: leaves):
            leaves = perft(self.engine, self.state, DEPTH, _luck)
        with self.playout.timed(lambda: orders):
            orders = playout(self.engine, self.state, Dice(bytes(32)), 500).orders


class Start:
    """How long a process takes before it does anything."""

    def __init__(self) -> None:
        self.bare = Gauge("start of Python", "starts")
        self.package = Gauge("import of corr's server", "starts", self.bare)
        self.command = Gauge("corr --version", "starts", self.bare)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.bare, self.package, self.command

    def round(self) -> None:
        """Start each once."""
        tasks = ((self.bare, "pass"), (self.package, "import corr.daemon.loop"))
        for gauge, code in tasks:
            _started(gauge, sys.executable, "-c", code)
        _started(self.command, str(Path(sys.executable).with_name("corr")), "--version")


def _started(gauge: Gauge, *command: str) -> None:
    with gauge.timed():
        subprocess.run(command, check=True, capture_output=True)


def _luck(phase: str) -> SeededChance:
    return SeededChance(bytes(32), f"bench/{phase}")


Task = Whole | Length | Rules | Start


def _tasks(stack: ExitStack, folder: Path, notes: list[str]) -> Generator[Task]:
    """Set up what can be measured here; *notes* say why the rest cannot."""
    yield Rules()
    yield Start()
    imap = stack.enter_context(inbox())
    port = stack.enter_context(smtp_sink()) if sink() else 9
    databases = {"SQLite": f"sqlite:///{folder / 'corr.db'}"} | _postgresql(stack, notes)
    parties = {name: stack.enter_context(party(folder, url, imap, port)) for name, url in databases.items()}
    yield Length(stack.enter_context(party(folder, f"sqlite:///{folder / 'long.db'}", imap, port)))
    if sink():
        yield from (Whole(host, port, name) for name, host in parties.items())
    else:
        notes.append("corr once is not measured: smtp-sink is not here (Debian package postfix)")


def _postgresql(stack: ExitStack, notes: list[str]) -> dict[str, str]:
    """Start PostgreSQL on the disk, as it comes: what it commits survives a power cut."""
    try:
        return {"PostgreSQL": stack.enter_context(postgresql_server(Path(tempfile.gettempdir())))}
    except Exception as error:
        notes.append(f"PostgreSQL is not measured: it cannot be started here ({error})")
        return {}


def test_how_fast_corr_is(tmp_path: Path) -> None:
    """Print a table for people and the same as JSON for machines."""
    notes: list[str] = []
    with ExitStack() as stack:
        spare_the_collector()  # as ``corr once`` does
        tasks = list(_tasks(stack, tmp_path, notes))
        for _ in range(ROUNDS):
            for task in tasks:
                task.round()
        notes.extend(task.note() for task in tasks if isinstance(task, Whole))
    gauges = [gauge for task in tasks for gauge in task.gauges]
    publish(gauges, notes)
    assert all(gauge.costs for gauge in gauges)
