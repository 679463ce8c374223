from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from imapclient import IMAPClient

from tests.databases import Source
from tests.real.fixtures import real_servers
from tests.real.stack import HOST, PASSWORD, RealServers
from tests.service.conftest import frozen, world

__all__ = ["frozen", "real_servers", "world"]

_NUMBERS = itertools.count(1)


@pytest.fixture
def source(sqlite: Source) -> Source:
    """Keep letters in SQLite: what differs here is the mail server."""
    return sqlite


@pytest.fixture
def address() -> str:
    """Give an address that no other test has."""
    return f"play{next(_NUMBERS)}@corr.test"


@pytest.fixture
def other(real_servers: RealServers, address: str) -> Iterator[Any]:
    """Log another client, the operator's, into the same mailbox; its inbox is open."""
    client: Any = IMAPClient(HOST, real_servers.imap_port, ssl=False)
    with client:
        client.login(address, PASSWORD)
        client.select_folder("INBOX")
        yield client
