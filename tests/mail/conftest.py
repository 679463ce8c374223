from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.mail.embedded import EmbeddedServers
from tests.mail.certificates import make_certificate

DOMAINS = ("game.test", "players.test")
PASSWORD = "secret"


@pytest.fixture
def embedded() -> Iterator[EmbeddedServers]:
    """Real IMAP and SMTP servers on loopback; the password of every mailbox is ``secret``."""
    with EmbeddedServers(DOMAINS, PASSWORD) as servers:
        yield servers


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a key and certificate for localhost in one file; OpenSSL trusts it for one test."""
    pem = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    return pem
