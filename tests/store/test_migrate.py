"""Making the tables, and refusing a database that is not this corr's."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from corr.store import migrate
from corr.store.session import Database, DatabaseAltered, DatabaseOutdated, DatabaseTooNew
from corr.store.tables import metadata
from tests.databases import Source


def run(database: Database, command: str) -> None:
    with database.session() as session:
        session.connection().execute(text(command))


def test_a_migrated_database_is_accepted(database: Database) -> None:
    migrate.check(database)


def test_upgrading_twice_is_upgrading_once(database: Database) -> None:
    migrate.upgrade(database)
    migrate.check(database)


def test_a_database_without_tables_is_refused_and_the_command_named(source: Source, tmp_path: Path) -> None:
    with source.blank(tmp_path) as blank:
        with pytest.raises(DatabaseOutdated, match="corr db upgrade"):
            migrate.check(blank)
        migrate.upgrade(blank)
        migrate.check(blank)


def test_an_upgrade_that_fails_leaves_nothing_half_done(source: Source, tmp_path: Path) -> None:
    with source.blank(tmp_path) as blank:
        run(blank, "CREATE TABLE audit (id INTEGER)")  # the last table of the migration is in the way
        with pytest.raises(Exception, match="already exists"):
            migrate.upgrade(blank)
        with blank.engine.connect() as connection:
            assert inspect(connection).get_table_names() == ["audit"]


def test_a_database_of_a_newer_corr_is_refused(database: Database) -> None:
    run(database, "UPDATE alembic_version SET version_num = '9999'")
    for act in (migrate.check, migrate.upgrade):
        with pytest.raises(DatabaseTooNew, match="9999"):
            act(database)


def test_a_database_that_lost_a_column_is_refused(database: Database) -> None:
    run(database, "ALTER TABLE posts DROP COLUMN body")
    with pytest.raises(DatabaseAltered, match="add_column posts body"):
        migrate.check(database)


def test_an_index_of_the_operators_own_does_no_harm(database: Database) -> None:
    run(database, "CREATE INDEX mine ON posts (at)")
    migrate.check(database)
    assert migrate.differences(database) != []


def test_migrating_says_nothing(
    source: Source, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with source.blank(tmp_path) as blank:
        migrate.upgrade(blank)
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_every_table_of_the_models_is_made(database: Database) -> None:
    with database.engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
