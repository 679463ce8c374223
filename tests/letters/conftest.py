from __future__ import annotations

import pytest

from tests.databases import Source
from tests.service.conftest import frozen, world

__all__ = ["frozen", "world"]


@pytest.fixture
def source(sqlite: Source) -> Source:
    """Keep letters in SQLite: what differs here is how they are written."""
    return sqlite
