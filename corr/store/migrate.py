"""Making the tables, and telling whether a database has the tables of this corr."""

from __future__ import annotations

from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from corr import resources
from corr.store.session import Database, DatabaseAltered, DatabaseOutdated, DatabaseTooNew
from corr.store.tables import metadata


def upgrade(database: Database) -> None:
    """Bring the tables up to this corr, in one transaction.  Where they are, nothing happens.

    Raises DatabaseTooNew when they are those of a newer corr.
    """
    with database.engine.begin() as connection:
        _refuse_newer(connection)
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check(database: Database) -> None:
    """Make sure that the tables are those of this corr; more tables or indexes do no harm.

    Raises DatabaseTooNew, DatabaseOutdated or DatabaseAltered.
    """
    with database.engine.connect() as connection:
        _refuse_newer(connection)
        if _revision(connection) != ScriptDirectory.from_config(_config()).get_current_head():
            raise DatabaseOutdated(
                "The tables of the database are missing, or those of an older corr: run `corr db upgrade`.\n"
                "データベースのテーブルがまだないか、古い版のものです。"
                "`corr db upgrade` を実行してください。"
            )
    if missing := [change for change in differences(database) if not change.startswith("remove_")]:
        raise DatabaseAltered(
            f"The tables of the database have been altered: {'; '.join(missing)}\n"
            "Restore them from a backup, or undo the change.\n"
            "データベースのテーブルが書き換えられています。"
            "バックアップから戻すか、変更を取り消してください。"
        )


def differences(database: Database) -> list[str]:
    """Return what would have to change before the tables are those of the models."""
    with database.engine.connect() as connection:
        return [
            _describe(change) for change in compare_metadata(MigrationContext.configure(connection), metadata)
        ]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.migrations()).replace("%", "%%"))
    return config


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _refuse_newer(connection: Connection) -> None:
    revision = _revision(connection)
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if revision is not None and revision not in known:
        raise DatabaseTooNew(
            f"The tables of the database were made by a newer corr (revision {revision}): install that one, "
            "or restore the backup from before `corr db upgrade`.\n"
            "データベースのテーブルは新しい版の corr で作られています。"
            "その版を導入するか、`corr db upgrade` の前のバックアップに戻してください。"
        )


def _describe(change: Any) -> str:
    """Word one change of Alembic's: a tuple, or a list of them for a column."""
    if isinstance(change, list):
        return _describe(change[0])
    named = (getattr(part, "name", part) for part in change if not isinstance(part, dict))
    return " ".join(str(word) for word in named if word is not None)
