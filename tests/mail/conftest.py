import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.mail.embedded import EmbeddedServers

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
    if shutil.which("openssl") is None and "CI" not in os.environ:
        pytest.skip("the openssl command makes the certificate, and it is not here")
    pem = tmp_path / "localhost.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "crt")),
        ],
        check=True,
        capture_output=True,
    )
    pem.write_bytes((tmp_path / "key").read_bytes() + (tmp_path / "crt").read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    return pem
