"""Opening a database, its transactions, and the instants in it."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import freezegun
import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlmodel import col, func, select

from corr.core.clock import SystemClock
from corr.store.driver import ask, tell
from corr.store.session import Database, DatabaseUnavailable, open_database
from corr.store.tables import Game, Player
from tests.store.rows import NOW, a_game, a_player


def stored_names(database: Database) -> int:
    with database.session() as session:
        return session.exec(select(func.count(col(Player.id)))).one()


def test_what_a_transaction_did_is_there_when_it_ends(database: Database) -> None:
    with database.session() as session:
        a_player(session)
    assert stored_names(database) == 1


def test_a_transaction_that_raises_leaves_nothing(database: Database) -> None:
    def stumble() -> None:
        with database.session() as session:
            a_player(session)
            raise LookupError

    with pytest.raises(LookupError):
        stumble()
    assert stored_names(database) == 0


def test_a_row_can_be_read_after_its_transaction(database: Database) -> None:
    with database.session() as session:
        player = a_player(session)
    assert player.locale == "ja"


def test_a_naive_instant_is_refused(database: Database) -> None:
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(StatementError, match="timezone"), database.session() as session:
        a_game(session, created_at=naive)
    with pytest.raises(StatementError, match="timezone"), database.session() as session:
        session.exec(select(Game).where(col(Game.created_at) <= naive)).all()


def test_an_instant_comes_back_as_aware_utc_whatever_its_zone(database: Database) -> None:
    tokyo = datetime(2026, 3, 1, 21, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    with database.session() as session:
        a_game(session, created_at=tokyo)
    with database.session() as session:
        read = session.exec(select(Game)).one().created_at
    assert read == tokyo
    assert read.tzinfo is UTC


def test_instants_are_ordered_by_time_whatever_their_zone(database: Database) -> None:
    early = datetime(2026, 3, 1, 20, 59, 59, tzinfo=timezone(timedelta(hours=9)))  # 11:59:59 UTC
    with database.session() as session:
        a_game(session, code="LATE", created_at=NOW)
        a_game(session, code="SOON", created_at=early)
        a_game(session, code="LAST", created_at=NOW + timedelta(microseconds=1))
    with database.session() as session:
        until_now = select(Game.code).where(col(Game.created_at) <= NOW).order_by(col(Game.created_at))
        assert session.exec(until_now).all() == ["SOON", "LATE"]


def test_a_frozen_clock_can_be_stored_and_compared(database: Database) -> None:
    with freezegun.freeze_time("2026-03-01 12:00:00"), database.session() as session:
        a_game(session, created_at=SystemClock().now())
    with freezegun.freeze_time("2026-03-02 12:00:00"), database.session() as session:
        now = SystemClock().now()
        game = session.exec(select(Game).where(col(Game.created_at) < now)).one()
        assert game.created_at == NOW
        assert now - game.created_at == timedelta(days=1)


def test_a_transaction_that_reads_first_can_still_write_beside_another(database: Database) -> None:
    """Each adds one to what it read; with SQLite's plain BEGIN the later one fails at once."""
    with database.session() as session:
        game = a_game(session)

    def step(_n: int) -> None:
        with database.session() as session:
            locked = session.get_one(Game, game.id, with_for_update=True)
            locked.seq += 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(step, range(20)))
    with database.session() as session:
        assert session.get_one(Game, game.id).seq == 20


def test_an_sqlite_file_is_opened_safely(tmp_path: Path) -> None:
    with (
        closing(open_database(f"sqlite:///{tmp_path / 'corr.db'}")) as database,
        database.session() as session,
    ):
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
        found = [session.connection().execute(text(f"PRAGMA {name}")).scalar() for name in names]
        assert found == ["wal", 2, 1, 30000, 1]


def test_every_sqlite_transaction_takes_the_write_lock_first(tmp_path: Path) -> None:
    file = tmp_path / "corr.db"
    with closing(open_database(f"sqlite:///{file}")) as database, database.session() as session:
        session.connection()
        with (
            closing(sqlite3.connect(file, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


def test_transactions_wait_for_the_disk_and_what_can_be_done_again_does_not(database: Database) -> None:
    asked = {"sqlite": "PRAGMA synchronous", "postgresql": "SHOW synchronous_commit"}
    words = text(asked[database.engine.dialect.name])
    with database.session() as session, database.relaxed.connect() as relaxed:
        answers = [connection.execute(words).scalar_one() for connection in (session.connection(), relaxed)]
    assert answers in ([2, 1], ["on", "off"])  # FULL and NORMAL


def test_a_relaxed_statement_is_a_transaction_of_its_own(database: Database) -> None:
    with database.session() as session:
        a_player(session)
    with database.relaxed.connect() as relaxed:
        tell(relaxed, "UPDATE players SET locale = 'en'", {})
        with database.session() as session:
            assert session.exec(select(Player.locale)).one() == "en"


def test_nobody_notices_that_the_server_was_started_anew(shared: Database) -> None:
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with shared.session() as first, shared.session() as second, shared.relaxed.connect() as third:
        for connection in (first.connection(), second.connection(), third):
            connection.execute(text("SELECT 1"))
    with shared.engine.connect() as killer:
        killer.execute(text(f"{others} AND datname = current_database()"))
    with shared.session() as first, shared.session() as second, shared.relaxed.connect() as third:
        for connection in (first.connection(), second.connection(), third):
            ask(connection, "SELECT 1", {})


def test_options_of_the_server_hold_for_all_connections(shared: Database) -> None:
    url = shared.engine.url.update_query_dict({"options": "-c work_mem=77MB"})
    with closing(open_database(url.render_as_string(hide_password=False))) as opened:
        for engine in (opened.engine, opened.relaxed):
            with engine.connect() as connection:
                assert connection.execute(text("SHOW work_mem")).scalar_one() == "77MB"


def test_a_database_in_memory_keeps_its_rows_between_sessions() -> None:
    with closing(open_database("sqlite://")) as database:
        with database.session() as session:
            session.connection().execute(text("CREATE TABLE t AS SELECT 7 AS n"))
        with database.session() as session:
            assert session.connection().execute(text("SELECT n FROM t")).scalar() == 7


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite:////no/such/folder/corr.db", "unable to open database file"),
        ("postgresql://corr:hush@127.0.0.1:1/corr", "Connection refused"),
        ("mysql://corr:hush@127.0.0.1/corr", "neither sqlite nor postgresql"),
        ("corr.db", "parse"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named_without_its_password(url: str, why: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=why) as caught:
        open_database(url)
    assert "Check the setting `database`" in str(caught.value)
    assert "ご確認ください" in str(caught.value)
    assert "hush" not in str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Aoi, " * 200)
    with pytest.raises(DatabaseUnavailable, match="not a database"):
        open_database(f"sqlite:///{letter}")
    assert letter.read_text() == "Dear Aoi, " * 200


def test_only_its_owner_reads_an_sqlite_file(tmp_path: Path) -> None:
    """It holds letters, seeds and the keys of marks."""
    open_database(f"sqlite:///{tmp_path / 'corr.db'}").close()
    assert (tmp_path / "corr.db").stat().st_mode & 0o777 == 0o600
