"""Opening the database; one session is one transaction."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import sessionmaker
from sqlmodel import Session

from corr.store import driver
from corr.store.memory import Memory, learned, unlearn

SQLITE_SETTINGS = (
    "PRAGMA busy_timeout = 30000",  # milliseconds; first, for the next line may have to wait
    "PRAGMA journal_mode = WAL",
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
    """An open database.  Close it at the end.

    What is committed by *engine* survives a power cut.  By *relaxed*, each statement is a
    transaction of its own and survives the end of this process at any moment, but a power cut
    may take back the last of them: for what can be done again, as the disk is not waited for.
    """

    def __init__(self, engine: Engine, relaxed: Engine) -> None:
        self.engine, self.relaxed = engine, relaxed
        self.memory = Memory()  # of the games in this database
        self._sessions = sessionmaker(engine, class_=Session, expire_on_commit=False)
        event.listen(self._sessions, "after_commit", self._remember)
        event.listen(self._sessions, "after_soft_rollback", _forget)

    @contextmanager
    def session(self) -> Generator[Session]:
        """Give one transaction: committed at the end, rolled back if something is raised.

        Rows can still be read afterwards: a letter is sent when its lease is committed.
        """
        with self._sessions.begin() as session:
            yield session

    def _remember(self, session: Session) -> None:
        if not session.in_nested_transaction():  # a savepoint is no commit
            self.memory.keep(learned(session).pasts)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self.relaxed.dispose()


def _forget(session: Session, _transaction: object) -> None:
    unlearn(session)


def open_database(url: str) -> Database:
    """Open the database at *url*: ``sqlite:///file``, ``sqlite://`` or ``postgresql://…``.

    Raises DatabaseUnavailable when it cannot be reached.
    """
    try:
        place = make_url(url)
        engine = _engine(place, lasting=True)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise _unavailable(error) from error
    try:
        with engine.connect():
            relaxed = engine if _is_in_memory(engine.url) else _engine(place, lasting=False)
            return Database(engine, relaxed)
    except DBAPIError as error:
        engine.dispose()
        raise _unavailable(f"{error.orig} ({engine.url.render_as_string()})") from error


def _engine(url: URL, *, lasting: bool) -> Engine:
    """Make an engine for transactions that wait for the disk, or for statements that do not."""
    backend = url.get_backend_name()
    if backend == "postgresql":
        return _postgresql(url, lasting=lasting)
    if backend != "sqlite":
        raise ArgumentError(f"{backend} is neither sqlite nor postgresql")
    return _sqlite(url, lasting=lasting)


# An error tells the statement, not its values: seeds, keys and facts stay out of logs.
_COMMON: Mapping[str, Any] = {
    "json_serializer": partial(json.dumps, ensure_ascii=False),
    "hide_parameters": True,
}


def _postgresql(url: URL, *, lasting: bool) -> Engine:
    """Each connection is tried before it is used: nobody notices that a server was started anew."""
    relaxed = {} if lasting else {"isolation_level": "AUTOCOMMIT"}
    url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url, pool_pre_ping=True, **relaxed, **_COMMON)
    if lasting:
        driver.attach(engine)
    else:
        event.listen(engine, "connect", _do_not_wait)
    return engine


def _do_not_wait(connection: Any, _record: object) -> None:
    connection.execute("SET synchronous_commit TO off")
    connection.commit()


def _sqlite(url: URL, *, lasting: bool) -> Engine:
    # Every connection to memory would be a database of its own.
    lone: dict[str, Any] = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
    engine = create_engine(url, paramstyle="named", **(lone if _is_in_memory(url) else {}), **_COMMON)
    if not _is_in_memory(url):
        with suppress(OSError):  # it is there already, or SQLite says why it cannot be
            Path(str(url.database)).touch(mode=0o600, exist_ok=False)  # it holds letters and seeds
    synchronous = "FULL" if lasting else "NORMAL"
    event.listen(engine, "connect", partial(_prepare_sqlite, f"PRAGMA synchronous = {synchronous}"))
    if lasting:
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _is_in_memory(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}


def _prepare_sqlite(synchronous: str, connection: Any, _record: object) -> None:
    """Take the transactions out of the driver's hands: it would begin them late."""
    connection.isolation_level = None
    for setting in (*SQLITE_SETTINGS, synchronous):
        connection.execute(setting)


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock first.

    A transaction that reads before it writes fails at once, whatever the timeout, when
    another has written in between.
    """
    driver.tell(connection, "BEGIN IMMEDIATE", {})


def _unavailable(reason: object) -> DatabaseUnavailable:
    return DatabaseUnavailable(
        f"The database cannot be opened: {reason}\n"
        "Check the setting `database`.  SQLite: does the folder exist, and can it be written?  "
        "PostgreSQL: does the server run, and is `corr-games[postgres]` installed?\n"
        "データベースを開けませんでした。設定項目 `database` をご確認ください。"
        "SQLite ではフォルダーがあり書き込めること、PostgreSQL ではサーバーが動いていて "
        "`corr-games[postgres]` が入っていることをお確かめください。"
    )
