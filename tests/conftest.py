"""A migrated, empty database for each test that asks for one, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from corr.store.session import Database
from tests.databases import Postgresql, Source, Sqlite, postgresql_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-transcripts",
        action="store_true",
        help="write down what corr says now; read the difference before you commit it",
    )


def pytest_configure() -> None:
    """Hear Ctrl-C, as do the programs that tests start: a shell's background jobs are born deaf to it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return Sqlite(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgresql() -> Generator[Source]:
    with ExitStack() as stack:
        try:
            url = stack.enter_context(postgresql_server())
        except Exception as error:
            if "CI" in os.environ:
                raise
            pytest.skip(f"PostgreSQL cannot be started here: {error}")
        yield Postgresql(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def source(request: pytest.FixtureRequest) -> Source:
    """Give the maker of databases, once of each kind."""
    made: Source = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def database(source: Source, tmp_path: Path) -> Generator[Database]:
    """Give an empty database, once of each kind."""
    with source.ready(tmp_path) as ready:
        yield ready
