"""A house on each kind of database."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from corr.bootstrap import build
from corr.demo.player import MailHost
from corr.mail.embedded import EmbeddedServers
from corr.settings import load
from corr.store.session import Database
from tests.cli.conftest import DOMAINS, PASSWORD, plain_environment, write_settings
from tests.databases import Source
from tests.kill.house import House

__all__ = ["plain_environment"]


@contextmanager
def housed(folder: Path, database: Database) -> Generator[House]:
    """Run mail servers beside a database, and put the server together in this process too."""
    url = database.engine.url.render_as_string(hide_password=False)
    with EmbeddedServers(DOMAINS, PASSWORD) as mail:
        settings = load(write_settings(folder, mail, database=url, poll=1))
        host = MailHost(mail.imap_port, mail.smtp_port, PASSWORD)
        with closing(build(settings)) as server:
            yield House(server, host, folder, {"CORR_IMAP_PASSWORD": PASSWORD})


@pytest.fixture
def house(source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[House]:
    """Give a house in which nothing has happened yet."""
    monkeypatch.setenv("CORR_IMAP_PASSWORD", PASSWORD)
    with source.ready(tmp_path) as database, housed(tmp_path, database) as house:
        yield house
