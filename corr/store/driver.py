"""The driver of a database, spoken to beneath SQLAlchemy; its connections, events and errors stay.

PostgreSQL is told of changes without waiting for its answers, for the way there and back takes
longer than the change: from the first change of a transaction on, its connection is a pipeline
(of psycopg and libpq), and the server works while corr goes on.  What is asked waits for all
that was told, and so does the commit; whoever waits first raises what went wrong.  In a
savepoint each change is waited for: psycopg forgets what a pipeline failed to prepare only
when the whole transaction is taken back, and who begins a savepoint wants to hear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError

Row = tuple[Any, ...]
Given = Mapping[str, Any]


def ask(connection: Connection, sql: str, given: Given) -> list[Row]:
    """Run a query, and return its rows.

    Whoever listens to SQLAlchemy's statements hears of this one too.  Raises DBAPIError as
    SQLAlchemy does, also for what was told before.
    """
    cursor = _cursor(connection, "asking")
    connection.dispatch.before_cursor_execute(connection, cursor, sql, given, None, False)
    try:
        cursor.execute(sql, given)
        rows: list[Row] = cursor.fetchall()
    except Exception as error:
        raise _worded(connection, [*_told(connection), sql], error) from error
    return rows


def tell(connection: Connection, sql: str, *given: Given) -> None:
    """Make a change, once for each of *given*; raises DBAPIError as SQLAlchemy does, now or later."""
    cursor, many = _cursor(connection, "telling"), len(given) > 1
    connection.dispatch.before_cursor_execute(connection, cursor, sql, given, None, many)
    try:
        _enter(connection, sql)
        if many:
            cursor.executemany(sql, given)
        else:
            cursor.execute(sql, given[0])
    except Exception as error:
        raise _worded(connection, _told(connection) or [sql], error) from error


def _cursor(connection: Connection, task: str) -> Any:
    """Return a cursor; psycopg's have to learn how values are written and read, so they are kept.

    What is asked has another than what is told, to which answers may be outstanding.
    """
    if not _is_postgresql(connection):
        return connection.connection.cursor()
    cursor = connection.info.get(task)
    if cursor is None:
        driver: Any = connection.connection.dbapi_connection
        cursor = connection.info[task] = driver.cursor(binary=True)
    return cursor


def _is_postgresql(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def attach(engine: Engine) -> None:
    """Let pipelines end where SQLAlchemy looks at answers: at its own statements, and with transactions."""
    event.listen(engine, "before_cursor_execute", _hear)
    event.listen(engine, "commit", _commit)
    event.listen(engine, "rollback", _abandon)


_PIPELINE = "pipeline"  # of a connection, among what is known about it


@dataclass(frozen=True, slots=True)
class _Pipeline:
    """A connection whose answers are not awaited, and what it has been told."""

    context: ExitStack
    told: list[str] = field(default_factory=list[str])


def _told(connection: Connection) -> list[str]:
    pipeline: _Pipeline | None = connection.info.get(_PIPELINE)
    return pipeline.told if pipeline else []


def _enter(connection: Connection, sql: str) -> None:
    """Let a change go into the pipeline of its transaction; without one, it is a transaction of its own."""
    driver: Any = connection.connection.dbapi_connection
    if not _is_postgresql(connection) or driver.autocommit or connection.in_nested_transaction():
        return
    if _PIPELINE not in connection.info:
        pipeline = connection.info[_PIPELINE] = _Pipeline(ExitStack())
        pipeline.context.enter_context(driver.pipeline())
    connection.info[_PIPELINE].told.append(sql)


def _hear(connection: Connection, *given: Any) -> None:
    """Wait for all answers, unless the statement is one of the functions above: these have no context."""
    _, _, _, context, _ = given
    if context is not None and _PIPELINE in connection.info:
        pipeline: _Pipeline = connection.info.pop(_PIPELINE)
        try:
            pipeline.context.close()
        except Exception as error:
            raise _worded(connection, pipeline.told, error) from error


def _commit(connection: Connection) -> None:
    """Let the commit be the last in the pipeline; SQLAlchemy's own then finds nothing to do."""
    pipeline: _Pipeline | None = connection.info.pop(_PIPELINE, None)
    try:
        _end(connection.connection.dbapi_connection, pipeline)
    except Exception as error:
        raise _worded(connection, pipeline.told if pipeline else ["COMMIT"], error) from error


def _end(driver: Any, pipeline: _Pipeline | None) -> None:
    """Commit what was told; whoever commits what has failed is refused, as PostgreSQL would not do."""
    if pipeline is not None:
        try:
            driver.execute("COMMIT", prepare=False)
        except Exception:
            _quit(pipeline)  # by itself it would log what comes of the error as well
            raise
        pipeline.context.close()
    elif driver.info.transaction_status.name == "INERROR":
        driver.execute("SELECT 1")


def _abandon(connection: Connection) -> None:
    """Leave the pipeline, whatever went wrong in it."""
    if not connection.invalidated:
        pipeline: _Pipeline | None = connection.info.pop(_PIPELINE, None)
        if pipeline is not None:
            _quit(pipeline)


def _quit(pipeline: _Pipeline) -> None:
    with suppress(Exception):
        pipeline.context.close()


def _worded(connection: Connection, told: Sequence[str], error: Exception) -> BaseException:
    """Return an error of the driver as SQLAlchemy's, with the statements among which it is.

    A connection that is lost is given up.
    """
    dialect = connection.dialect
    base = dialect.loaded_dbapi.Error
    if not isinstance(error, base):
        return error
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
    if lost:
        connection.invalidate(error)
    sql = "\n".join(told)
    return DBAPIError.instance(
        sql, None, error, base, hide_parameters=True, connection_invalidated=lost, dialect=dialect
    )
