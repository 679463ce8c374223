"""One small server on SQLite in a folder of its own, and the command line in that folder."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from corr.cli.main import app
from corr.demo.clients import CLIENTS, reply_to
from corr.demo.player import MailHost
from corr.mail.embedded import EmbeddedServers
from tests.databases import Source

CORR = Path(sys.executable).with_name("corr")
DOMAINS = ("corr.test", "players.test")
PASSWORD = "secret"
SEATS = ("--seat", "Aoi=aoi@players.test", "--seat", "Ben=ben@players.test")


@dataclass
class Desk:
    """An operator's folder."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    def __call__(self, *words: str, fed: str | bytes = "", env: Mapping[str, str] | None = None) -> Result:
        """Run a command in this process; what it raises fails the test."""
        settings = {**self.environment, **(env or {})}
        return CliRunner().invoke(app, list(words), input=fed, env=settings, catch_exceptions=False)

    def apart(
        self, *words: str, env: Mapping[str, str] | None = None, fed: bytes | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a process of its own, where nobody sits."""
        done = subprocess.run(
            [str(CORR), *words],
            cwd=self.folder,
            env={**os.environ, **self.environment, **(env or {})},
            input=fed or b"",
            capture_output=True,
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    def json(self, *words: str) -> Any:
        """Run a command that must go well, and read its JSON, which is all that it prints."""
        done = self(*words, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def new_game(self, *words: str) -> str:
        """Make a game of Ukulele between Aoi and Ben that has begun, Aoi moving first."""
        return str(self.json("game", "new", "ukulele", *SEATS, "--now", "--first", "1", *words)["code"])

    def newest_letter(self, address: str) -> EmailMessage:
        """Return the newest letter in the outbox to an address."""
        number = [row["id"] for row in self.json("outbox", "list") if row["address"] == address][-1]
        return message_from_bytes(self("outbox", "show", str(number), "--raw").stdout_bytes, policy=default)

    def reply(self, address: str, words: str) -> bytes:
        """Write a reply to the newest letter to an address."""
        letter = self.newest_letter(address)
        reply = reply_to(letter, words, address, CLIENTS["en"][0])
        reply["Message-ID"] = f"<reply-to-{str(letter['Message-ID'])[1:]}"
        return reply.as_bytes(policy=SMTP)


def write_settings(folder: Path, servers: EmbeddedServers | None = None, **changes: str | int) -> Path:
    """Write corr.toml for servers on loopback; where none run, nobody listens at the ports."""
    settings: dict[str, str | int] = {
        "address": "play@corr.test",
        "imap": f"imap://play%40corr.test@127.0.0.1:{servers.imap_port if servers else 9}/INBOX",
        "smtp": f"smtp://127.0.0.1:{servers.smtp_port if servers else 9}",
        "database": "sqlite:///corr.db",
    }
    path = folder / "corr.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in (settings | changes).items()))
    return path


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep settings and languages of whoever runs the tests out of them."""
    for variable in [name for name in os.environ if name.startswith(("CORR_", "LC_", "LANG"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def password() -> str:
    """Give the password of every mailbox."""
    return PASSWORD


@pytest.fixture
def servers(password: str) -> Iterator[EmbeddedServers]:
    """Real IMAP and SMTP servers on loopback."""
    with EmbeddedServers(DOMAINS, password) as running:
        yield running


@pytest.fixture
def host(servers: EmbeddedServers, password: str) -> MailHost:
    """Give the servers as players see them."""
    return MailHost(servers.imap_port, servers.smtp_port, password)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def desk(folder: Path, sqlite: Source) -> Desk:
    """Give a server with settings and tables, and no mail servers."""
    write_settings(folder)
    with sqlite.ready(folder):
        pass
    return Desk(folder, {"CORR_IMAP_PASSWORD": PASSWORD})


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Give back the collector of cycles as it was: the daemon's commands set it for their process."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.fixture
def served(desk: Desk, servers: EmbeddedServers) -> Desk:
    """Give a server whose mail servers run."""
    write_settings(desk.folder, servers)
    return desk
