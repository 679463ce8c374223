"""Rows become objects without the queries of the ORM, which take ten times as long as a row.

The objects are the same as those of such queries: a session knows them by their keys,
notices what is changed about them, and writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, inspect
from sqlalchemy.orm import Mapper, configure_mappers, make_transient_to_detached
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
        known = self.known(session, row[self._key])
        if known is None:
            known = self.detached(row)
            session.add(known)
        return known

    def known(self, session: Session, number: int) -> T | None:
        """Return the object that a session has already."""
        return session.identity_map.get(self._mapper.identity_key_from_primary_key((number,)))

    def detached(self, row: Sequence[Any]) -> T:
        """Return an object of no session: what is changed about it is written by nobody."""
        made = self._mapper.class_manager.new_instance()
        vars(made).update(zip(self._names, row, strict=True))
        make_transient_to_detached(made)
        return made
