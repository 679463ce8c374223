"""Databases for tests of the store."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from corr.store.session import Database
from tests.databases import Source


@pytest.fixture
def shared(postgresql: Source, tmp_path: Path) -> Generator[Database]:
    """Give a database on which several transactions run at once."""
    with postgresql.ready(tmp_path) as ready:
        yield ready
