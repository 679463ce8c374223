"""One daemon for one SQLite file."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from filelock import FileLock, Timeout
from sqlalchemy import make_url

from corr.store.session import DatabaseUnavailable


class AlreadyServed(Exception):
    """Another daemon works on the same SQLite file."""


@contextmanager
def only_daemon(database: str) -> Generator[bool]:
    """Hold the lock beside an SQLite file; tell whether this process is alone with the database.

    PostgreSQL takes several.  The system lets go of the lock when the process dies.
    Raises AlreadyServed, or DatabaseUnavailable when the lock cannot be written.
    """
    url = make_url(database)
    if url.get_backend_name() != "sqlite" or url.database in {None, "", ":memory:"}:
        yield False
        return
    lock = FileLock(f"{url.database}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise AlreadyServed(
            f"another corr already serves {url.database}: stop it first, or use PostgreSQL for several"
        ) from None
    except OSError as error:
        raise DatabaseUnavailable(
            f"cannot write {lock.lock_file}: {error.strerror}: the folder must be writable, and not full"
        ) from error
    try:
        yield True
    finally:
        lock.release()
