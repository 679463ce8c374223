"""Dovecot and Postfix as a fixture, for the tests of this folder and for whole games."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.mail.certificates import make_certificate
from tests.real.stack import RealServers, missing

DOMAINS = ("corr.test", "players.test")


@pytest.fixture(scope="session")
def real_servers() -> Generator[RealServers]:
    """Run Dovecot and Postfix; skip where they cannot run, but never when CI is set.

    Not under pytest's folders, which the users of the servers cannot enter.
    """
    if why := missing():
        if "CI" in os.environ:
            pytest.fail(why)
        pytest.skip(why)
    with tempfile.TemporaryDirectory(prefix="corr-mail-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with RealServers(folder, DOMAINS, make_certificate(folder)) as servers:
            yield servers
