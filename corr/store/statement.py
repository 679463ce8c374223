"""Statements that every letter needs, compiled once and handed to the driver as they are.

SQLAlchemy looks a statement up, wraps it and checks it anew each time that it runs: ten to
twenty times the work of the driver.  The words of SQL, and how values are written and read,
are still SQLAlchemy's; so are the connection, its transaction and its errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, Dialect, Insert, Select, Update, bindparam
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import Session

from corr.store.driver import Row, ask, tell

Clause = Select[*tuple[Any, ...]] | Insert | Update
_Process = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement in the words of one kind of database."""

    sql: str
    fixed: Mapping[str, Any]  # values that stand in the statement
    written: Mapping[str, _Process]  # how values become those of the driver
    read: tuple[_Process | None, ...] | None  # how columns come back; None: as they are


class Statement:
    """A query, or a change, whose ``bindparam`` values are given by name when it runs.

    What waits in a session is written before.  An insert names all its columns, for defaults
    of the tables are not looked at; and an ``IN`` has no place here.
    """

    def __init__(self, clause: Clause) -> None:
        self._clause = clause
        self._compiled: dict[str, _Compiled] = {}  # by dialect

    def rows(self, place: Session | Connection, **values: Any) -> list[Row]:
        """Run it, and return what it finds; raises DBAPIError as SQLAlchemy does."""
        connection = _connection(place)
        compiled = self._for(connection.dialect)
        rows = ask(connection, compiled.sql, _given(compiled, values))
        return rows if compiled.read is None else [_row(compiled.read, row) for row in rows]

    def row(self, place: Session | Connection, **values: Any) -> Row | None:
        """Run it, and return the first row."""
        return next(iter(self.rows(place, **values)), None)

    def value(self, place: Session | Connection, **values: Any) -> Any:
        """Run it, and return the first column of the first row; None without a row."""
        row = self.row(place, **values)
        return None if row is None else row[0]

    def run(self, place: Session | Connection, **values: Any) -> None:
        """Run it for what it changes; raises DBAPIError as SQLAlchemy does, now or later."""
        self.run_each(place, [values])

    def run_each(self, place: Session | Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it once for each of *rows*."""
        if rows:
            connection = _connection(place)
            compiled = self._for(connection.dialect)
            tell(connection, compiled.sql, *[_given(compiled, row) for row in rows])

    def _for(self, dialect: Dialect) -> _Compiled:
        known = self._compiled.get(dialect.name)
        if known is None:
            known = self._compiled[dialect.name] = _compile(self._clause, dialect)
        return known


def named(*columns: str) -> dict[str, BindParameter[Any]]:
    """Let values for columns be given by the names of these."""
    return {column: bindparam(column) for column in columns}


def _connection(place: Session | Connection) -> Connection:
    if isinstance(place, Connection):
        return place
    place.flush()
    return place.connection()


def _compile(clause: Clause, dialect: Dialect) -> _Compiled:
    compiled = (clause.inline() if isinstance(clause, Insert) else clause).compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    types = {name: bind.type.dialect_impl(dialect) for name, bind in compiled.binds.items()}
    processes = {name: type_.bind_processor(dialect) for name, type_ in types.items()}
    written = {name: process for name, process in processes.items() if process is not None}
    fixed = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
    columns = (column.type.dialect_impl(dialect) for column in clause.exported_columns)
    read = tuple(type_.result_processor(dialect, None) for type_ in columns)
    return _Compiled(str(compiled), fixed, written, read if any(read) else None)


def _given(compiled: _Compiled, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values of a statement as the driver takes them."""
    given = {**compiled.fixed, **values}
    for name, process in compiled.written.items():
        given[name] = process(given[name])
    return given


def _row(read: tuple[_Process | None, ...], row: Row) -> Row:
    return tuple(process(value) if process else value for process, value in zip(read, row, strict=True))
