"""The server of the command line's tests, with passwords that stand nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corr.demo.player import MailHost
from corr.mail.embedded import EmbeddedServers
from tests.cli.conftest import DOMAINS, Desk, desk, folder, plain_environment, write_settings
from tests.daemon.conftest import player

__all__ = ["desk", "folder", "plain_environment", "player"]

PASSWORD = "Pa55-of-the-mailbox"


@pytest.fixture
def servers() -> Iterator[EmbeddedServers]:
    """Real IMAP and SMTP servers on loopback."""
    with EmbeddedServers(DOMAINS, PASSWORD) as running:
        yield running


@pytest.fixture
def host(servers: EmbeddedServers) -> MailHost:
    """Give the servers as players see them."""
    return MailHost(servers.imap_port, servers.smtp_port, PASSWORD)


@pytest.fixture
def served(desk: Desk, servers: EmbeddedServers) -> Desk:
    """Give a server whose mail servers run."""
    write_settings(desk.folder, servers)
    desk.environment = {"CORR_IMAP_PASSWORD": PASSWORD}
    return desk
