"""The world in which the use cases are tried, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from corr.store.session import Database
from tests.service.talkers import ForThree
from tests.service.world import World

START = "2026-03-02 12:00:00"  # a Monday


@pytest.fixture
def frozen() -> Iterator[FrozenDateTimeFactory]:
    """Stop the clock; real time goes on for asyncio and for pytest alone."""
    with freeze_time(START, real_asyncio=True, ignore=["_pytest"]) as clock:
        assert isinstance(clock, FrozenDateTimeFactory)
        yield clock


@pytest.fixture
def world(database: Database, frozen: FrozenDateTimeFactory) -> World:
    """Give an office without games."""
    return World(database, frozen)


@pytest.fixture
def three(world: World) -> World:
    """Give a world in which three may sit at a table."""
    world.engine_now(ForThree())
    return world
