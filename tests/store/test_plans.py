"""However many letters lie in the database, one that comes looks at few of them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import Session

from corr.store.claim import next_inbound
from corr.store.letters import earlier
from corr.store.session import Database
from tests.databases import Source
from tests.store.rows import NOW, a_letter


@pytest.fixture
def on_sqlite(sqlite: Source, tmp_path: Path) -> Generator[Database]:
    """Give a database that tells how it looks for things."""
    with sqlite.ready(tmp_path) as ready:
        yield ready


@contextmanager
def explained(session: Session) -> Generator[list[str]]:
    """Note how SQLite looks for what is asked."""
    steps: list[str] = []

    def note(_: object, cursor: Any, statement: str, given: Any, *_rest: object) -> None:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}", given)
        steps.extend(row[3] for row in cursor.fetchall())

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", note)
    yield steps
    event.remove(connection, "before_cursor_execute", note)


def plan(session: Session, query: Callable[[], object]) -> str:
    with explained(session) as steps:
        query()
    assert steps
    return "\n".join(steps)


def test_a_copy_is_looked_for_by_its_key_and_the_letters_of_a_sender_by_an_index_alone(
    on_sqlite: Database,
) -> None:
    with on_sqlite.session() as session:
        letter = a_letter(session)
        steps = plan(session, lambda: earlier(session, letter, timedelta(hours=1)))
    assert "ix_inbound_content_key (content_key=?" in steps
    assert "COVERING INDEX ix_inbound_sender_received_at_status" in steps
    assert "SCAN" not in steps.replace("SCAN CONSTANT ROW", "")


def test_the_oldest_new_letter_is_found_without_sorting_those_that_wait(on_sqlite: Database) -> None:
    with on_sqlite.session() as session:
        steps = plan(session, lambda: next_inbound(session))
    assert "ix_inbound_status_id (status=?)" in steps
    assert "TEMP B-TREE" not in steps


@pytest.mark.parametrize("status", ["done", "refused"])
def test_a_letter_that_was_answered_before_is_known_whoever_sent_it_and_however_long_ago(
    database: Database, status: str
) -> None:
    with database.session() as session:
        a_letter(session, content_key="same", status=status, sender="b@example.org")
        again = a_letter(session, content_key="same", received_at=NOW + timedelta(days=400))
        other = a_letter(session, content_key="other", received_at=NOW + timedelta(days=400))
        assert earlier(session, again, timedelta(hours=1)) == (1, 0, True)
        assert earlier(session, other, timedelta(hours=1)) == (2, 0, False)


def test_a_letter_that_waits_or_was_ignored_makes_none_a_copy(database: Database) -> None:
    with database.session() as session:
        a_letter(session, content_key="same")
        a_letter(session, content_key="same", status="ignored")
        again = a_letter(session, content_key="same")
        assert not earlier(session, again, timedelta(hours=1)).same
