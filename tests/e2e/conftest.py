"""The mail servers by which games are played: in memory, and those that people run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corr.demo.player import MailHost
from corr.demo.table import ADDRESS, PLAYERS
from corr.mail.embedded import EmbeddedServers
from tests.real.fixtures import real_servers
from tests.real.stack import PASSWORD, RealServers

__all__ = ["real_servers"]


@pytest.fixture
def embedded() -> Iterator[MailHost]:
    """Run servers in memory."""
    with EmbeddedServers({ADDRESS.partition("@")[2], PLAYERS}, PASSWORD) as servers:
        yield MailHost(servers.imap_port, servers.smtp_port, PASSWORD)


@pytest.fixture
def real(real_servers: RealServers) -> MailHost:
    """Give Dovecot and Postfix, with empty mailboxes."""
    real_servers.forget()
    return MailHost(real_servers.imap_port, real_servers.smtp_port, PASSWORD)


@pytest.fixture(params=["embedded", "real"])
def mail(request: pytest.FixtureRequest) -> MailHost:
    """Give mail servers, once of each kind."""
    host: MailHost = request.getfixturevalue(request.param)
    return host
