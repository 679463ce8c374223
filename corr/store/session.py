"""Opening the database; one session is one transaction."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlmodel import Session

from corr.store.memory import Memory

SQLITE_SETTINGS = (
    "PRAGMA busy_timeout = 30000",  # milliseconds; first, for the next line may have to wait
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # what was told to a player survives a power cut
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # so that REPLACE cannot delete what DELETE may not
)


class DatabaseUnusable(Exception):
    """Why corr cannot work with a database; the message says, in English and Japanese, what to do."""


class DatabaseUnavailable(DatabaseUnusable):
    """It cannot be opened, or nobody answers."""


class DatabaseOutdated(DatabaseUnusable):
    """Its tables are missing, or those of an older corr."""


class DatabaseTooNew(DatabaseUnusable):
    """Its tables were made by a newer corr."""


class DatabaseAltered(DatabaseUnusable):
    """Its tables are not those that corr made."""


class Database:
    """An open database.  Close it at the end."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.memory = Memory()  # of the games in this database

    @contextmanager
    def session(self) -> Generator[Session]:
        """Give one transaction: committed at the end, rolled back if something is raised.

        Rows can still be read afterwards: a letter is sent when its lease is committed.
        """
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open the database at *url*: ``sqlite:///file``, ``sqlite://`` or ``postgresql://…``.

    Raises DatabaseUnavailable when it cannot be reached.
    """
    try:
        engine = _engine(make_url(url))
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise _unavailable(error) from error
    try:
        with engine.connect():
            return Database(engine)
    except DBAPIError as error:
        engine.dispose()
        raise _unavailable(f"{error.orig} ({engine.url.render_as_string()})") from error


def _engine(url: URL) -> Engine:
    # An error tells the statement, not its values: seeds, keys and facts stay out of logs.
    dumps = partial(json.dumps, ensure_ascii=False)
    if url.get_backend_name() == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
        return create_engine(url, json_serializer=dumps, hide_parameters=True, pool_pre_ping=True)
    if url.get_backend_name() != "sqlite":
        raise ArgumentError(f"{url.get_backend_name()} is neither sqlite nor postgresql")
    if url.database in {None, "", ":memory:"}:
        # Every connection would be a database of its own.
        lone = {"check_same_thread": False}
        engine = create_engine(
            url, json_serializer=dumps, hide_parameters=True, poolclass=StaticPool, connect_args=lone
        )
    else:
        engine = create_engine(url, json_serializer=dumps, hide_parameters=True)
        with suppress(OSError):  # it is there already, or SQLite says why it cannot be
            Path(str(url.database)).touch(mode=0o600, exist_ok=False)  # it holds letters and seeds
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Take the transactions out of the driver's hands: it would begin them late."""
    connection.isolation_level = None
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock first.

    A transaction that reads before it writes fails at once, whatever the timeout, when
    another has written in between.
    """
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _unavailable(reason: object) -> DatabaseUnavailable:
    return DatabaseUnavailable(
        f"The database cannot be opened: {reason}\n"
        "Check the setting `database`.  SQLite: does the folder exist, and can it be written?  "
        "PostgreSQL: does the server run, and is `corr-games[postgres]` installed?\n"
        "データベースを開けませんでした。設定項目 `database` をご確認ください。"
        "SQLite ではフォルダーがあり書き込めること、PostgreSQL ではサーバーが動いていて "
        "`corr-games[postgres]` が入っていることをお確かめください。"
    )
