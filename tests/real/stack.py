"""Dovecot and Postfix on loopback, in a folder of their own: the mail servers that people run.

Postfix takes letters and hands them to Dovecot, which keeps the mailboxes.  Neither
touches the services of the system: all that they read, write or listen at is theirs.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Event
from time import monotonic
from types import TracebackType
from typing import Self

from tests.real.config import DOVECOT, MAIN, MASTER, Values

HOST = "127.0.0.1"
PLAIN_HOST = "127.0.0.2"  # the same Dovecot, as one of the servers without IDLE and MOVE
PASSWORD = "secret"

_PATIENCE = 30  # seconds for what must happen
_MASTER = Path("/usr/lib/postfix/sbin/master")  # itself, not its start script: so its end can be awaited
_DOVECOT = Path("/usr/lib/dovecot")
# Passes a wish to end on, and awaits the end.  Postfix itself would not hear of our death: the
# kernel drops that signal when a process changes its user.
_KEEPER = '"$@" & trap "kill $!" INT TERM; wait; wait'
_PROGRAMS = ("dovecot", "doveadm", "postfix", "setpriv", "openssl")


def missing() -> str:
    """Say why the servers cannot run here; empty when they can."""
    if os.geteuid() != 0:
        return "Postfix and Dovecot want root"
    absent = [name for name in _PROGRAMS if shutil.which(name) is None]
    absent += [f"dovecot's {name}" for name in ("imap", "lmtp") if not (_DOVECOT / name).exists()]
    return f"not installed: {', '.join(absent)} (make debian)" if absent else ""


def _free_ports() -> Iterator[int]:
    """Yield ports below those that the kernel gives to outgoing connections, so that none takes them."""
    for port in range(10_000 + os.getpid() % 2_000 * 10, 32_000):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                continue
        yield port


class RealServers:
    """Both servers, running while the context lasts.

    Every address of *domains* has a mailbox, made at its first use and opened by
    ``secret``; ``play+tag@…`` is ``play@…``.  Folders lie below ``INBOX.``, as with
    many hosts.  *certificate* is a PEM file with a key; whoever trusts it may use
    TLS.  The plain ports offer STARTTLS.
    """

    def __init__(self, folder: Path, domains: Collection[str], certificate: Path) -> None:
        self._folder, self.certificate = folder, certificate
        self.imap_port, self.imaps_port, self.smtp_port, self.smtps_port = islice(_free_ports(), 4)
        self._values = Values(
            folder=str(folder),
            domains=", ".join(domains),
            certificate=str(certificate),
            imap=self.imap_port,
            imaps=self.imaps_port,
            smtp=self.smtp_port,
            smtps=self.smtps_port,
            plain_host=PLAIN_HOST,
            password=PASSWORD,
        )
        self._servers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._configure()
        try:
            self._start("dovecot", "-F", "-c", str(self._folder / "dovecot.conf"))
            subprocess.run(
                ("postfix", "-c", str(self._folder / "etc"), "check"), check=True
            )  # makes its queue
            self._start(str(_MASTER), "-s", "-c", str(self._folder / "etc"))
            for port in (self.imap_port, self.imaps_port, self.smtp_port, self.smtps_port):
                self._await(port)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stop()

    def doveadm(self, *words: str) -> str:
        """Run a command of Dovecot's administration; returns what it prints."""
        command = ("doveadm", "-c", str(self._folder / "dovecot.conf"), *words)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def sessions(self, user: str) -> list[int]:
        """Return the ids of the processes that serve *user* over IMAP."""
        lines = self.doveadm("-f", "tab", "who", "-1", user).splitlines()[1:]
        return [int(line.split("\t")[2]) for line in lines]

    def signal(self, user: str, number: signal.Signals) -> int:
        """Send a signal to the processes that serve *user*; returns to how many."""
        reached = 0
        for session in self.sessions(user):
            with suppress(ProcessLookupError):  # it ended by itself
                os.kill(session, number)
                reached += 1
        return reached

    def forget(self) -> None:
        """Empty all mailboxes, which nobody may have open."""
        for domain in (self._folder / "mail").iterdir():
            shutil.rmtree(domain)

    def log(self) -> str:
        """Return what both servers logged."""
        return "".join(file.read_text(errors="replace") for file in sorted(self._folder.glob("*.log")))

    def _configure(self) -> None:
        for name in ("etc", "queue", "run"):
            (self._folder / name).mkdir()
        for name, owner in (("data", "postfix"), ("mail", "mail")):
            (self._folder / name).mkdir(mode=0o700)
            shutil.chown(self._folder / name, owner, owner)
        (self._folder / "dovecot.conf").write_text(DOVECOT.substitute(self._values))
        (self._folder / "etc" / "main.cf").write_text(MAIN.substitute(self._values))
        (self._folder / "etc" / "master.cf").write_text(MASTER.substitute(self._values))
        for name in ("postfix-files", "dynamicmaps.cf"):  # looked for beside main.cf
            shutil.copy(Path("/etc/postfix") / name, self._folder / "etc" / name)

    def _start(self, *command: str) -> None:
        """Start a server that is asked to end when this process ends, however that ends."""
        with (self._folder / "start.log").open("ab") as log:
            self._servers.append(
                subprocess.Popen(
                    ("setpriv", "--pdeathsig", "TERM", "sh", "-c", _KEEPER, "sh", *command),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def _await(self, port: int) -> None:
        end = monotonic() + _PATIENCE
        while True:
            try:
                with socket.create_connection((HOST, port), timeout=1):
                    return
            except OSError as error:
                if monotonic() > end or any(server.poll() is not None for server in self._servers):
                    raise RuntimeError(f"port {port} does not open: {self.log()}") from error
            Event().wait(0.05)

    def _stop(self) -> None:
        """End both; what a server started ends with it."""
        for server in self._servers:
            server.terminate()
        for server in self._servers:
            server.wait(_PATIENCE)
