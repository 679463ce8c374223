"""Rows become objects without the queries of the ORM, which take ten times as long as a row.

The objects are the same as those of such queries: a session knows them by their keys,
notices what is changed about them, and writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, inspect
from sqlalchemy.orm import Mapper, configure_mappers, make_transient_to_detached
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session

from corr.store.tables import Row

T = TypeVar("T", bound=Row)


class Loader(Generic[T]):
    """Makes objects of one table of rows of all its columns, in their order."""

    def __init__(self, table: type[T]) -> None:
        configure_mappers()
        self._mapper: Mapper[T] = inspect(table)
        self.columns: Sequence[ColumnElement[Any]] = tuple(self._mapper.columns)
        self._names = tuple(column.key for column in self._mapper.column_attrs)
        self._key = self._names.index("id")

    def of(self, session: Session, row: Sequence[Any]) -> T:
        """Return the object of a row: the one that the session has already, as it is there, or a new one."""
        return self._known(session, row) or self._added(session, row)

    def anew(self, session: Session, row: Sequence[Any]) -> T:
        """Return the object of a row; one that the session has already becomes as the row is."""
        known = self._known(session, row)
        if known is None:
            return self._added(session, row)
        for name, value in zip(self._names, row, strict=True):
            set_committed_value(known, name, value)
        return known

    def detached(self, row: Sequence[Any]) -> T:
        """Return an object of no session: what is changed about it is written by nobody."""
        made = self._mapper.class_manager.new_instance()
        vars(made).update(zip(self._names, row, strict=True))
        make_transient_to_detached(made)
        return made

    def _known(self, session: Session, row: Sequence[Any]) -> T | None:
        key = self._mapper.identity_key_from_primary_key((row[self._key],))
        return session.identity_map.get(key)

    def _added(self, session: Session, row: Sequence[Any]) -> T:
        made = self.detached(row)
        session.add(made)
        return made
