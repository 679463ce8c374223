"""The record of a running game tells its reader nothing that the reader could not know."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from corr.core.chance import SeededChance
from corr.core.fold import fold
from corr.core.scribe import Scribe
from corr.core.turn import Entry, Position, Step
from engines.api import Problem, Seat, Viewer, Watcher
from tests.core.recorded import ENGINES, Recorded, recorded
from tests.laws.laws import tried

SEEDS = (1, 3)  # in the second, cards of Bakenushi are played face down
WORLDS = 3
"""Imagined in place of the real one, for each order of another that a reader may read."""


def steps(game: Recorded) -> Iterator[tuple[Entry, Position, tuple[Step, ...]]]:
    """Yield each entry behind the setup, with the position before it and where its facts led."""
    at, before = 0, game.turn.before
    for entry in game.turn.entries:
        led = game.turn.steps[at : at + len(entry.facts)]
        at += len(led)
        if entry.cause != "setup":
            yield entry, before, led
        before = led[-1].after


@pytest.mark.parametrize("rules", ENGINES)
def test_an_order_of_another_is_shown_only_where_its_reader_could_name_it(rules: str) -> None:
    """In no world that the reader can imagine could another order have looked the same."""
    for game in (recorded(ENGINES[rules], seed, verbs=("order",)) for seed in SEEDS):
        viewers: list[Viewer] = [*game.header.names, Watcher.PUBLIC]
        for viewer in viewers:
            scribe = Scribe(game.engine, game.header, viewer, "en")
            for entry, before, led in steps(game):
                if entry.seat not in {None, viewer} and scribe.may_know(entry, led):
                    check_named(game, entry, before, viewer)


def check_named(game: Recorded, entry: Entry, before: Position, viewer: Viewer) -> None:
    """Check that *viewer* can tell an order from all that may have been given in its place."""
    engine, seat = game.engine, entry.seat
    assert seat is not None
    read = engine.parse(before.state, seat, fold(entry.words or ""))
    assert not isinstance(read, Problem)
    real = tried(engine, before.state, seat, read[0], viewer)
    for number in range(WORLDS):
        chance = SeededChance(b"imagined", f"{entry.phase}/{viewer}/{number}")
        world = engine.imagine(before.state, viewer, chance)
        for order in itertools.islice(engine.orders(world, seat), 40):
            same = tried(engine, world, seat, order, viewer) == real
            assert not same or order == read[0], f"{viewer} reads {entry.words}, but it may be {order}"
        if world is before.state:  # nothing is secret: one look is enough
            break


@pytest.mark.parametrize("rules", ENGINES)
def test_every_seat_reads_its_own_orders(rules: str) -> None:
    game = recorded(ENGINES[rules], 1, verbs=("order",))
    for seat in game.header.names:
        own = [f"{game.header.names[seat]}: {entry.words}" for entry in given(game, seat)]
        assert own
        assert [line.partition(". ")[2] for line in moves(game, seat) if f"{seat}: " in line] == own


def given(game: Recorded, seat: Seat) -> list[Entry]:
    """Return the orders of a seat."""
    return [entry for entry in game.turn.entries if entry.seat == seat]


def moves(game: Recorded, viewer: Viewer) -> list[str]:
    """Return the moves of a record as *viewer* reads them."""
    return [line for line in game.text(viewer=viewer).splitlines() if line[0].isdigit()]
