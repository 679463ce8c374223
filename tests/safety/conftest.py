"""The server of the command line's tests, with passwords that stand nowhere else."""

from __future__ import annotations

import pytest

from corr.mail.embedded import EmbeddedServers
from tests.cli.conftest import Desk, desk, folder, host, plain_environment, servers, write_settings
from tests.daemon.conftest import player

__all__ = ["desk", "folder", "host", "plain_environment", "player", "servers"]

PASSWORD = "Pa55-of-the-mailbox"


@pytest.fixture
def password() -> str:
    """Give the password of every mailbox."""
    return PASSWORD


@pytest.fixture
def served(desk: Desk, servers: EmbeddedServers) -> Desk:
    """Give a server whose mail servers run."""
    write_settings(desk.folder, servers)
    desk.environment = {"CORR_IMAP_PASSWORD": PASSWORD}
    return desk
