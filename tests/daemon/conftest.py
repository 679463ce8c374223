"""The server of the command line's tests, with its daemon running."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from signal import SIGKILL, SIGTERM

import pytest

from corr.bootstrap import Server, build
from corr.daemon.loop import Daemon
from corr.demo.clients import CLIENTS
from corr.demo.player import MailHost, MailPlayer
from corr.settings import load
from tests.cli.conftest import CORR, Desk, desk, folder, host, password, plain_environment, served, servers

__all__ = ["desk", "folder", "host", "password", "plain_environment", "served", "servers"]

PATIENCE = 120  # seconds for what must happen


class Serving:
    """A running ``corr serve`` and what it logs."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self.lines: list[str] = []
        self._child, self._news = child, threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._child.stderr is not None
        for line in self._child.stderr:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()

    def says(self, words: str) -> str:
        """Wait for a line that holds *words*."""

        def found() -> str | None:
            return next((line for line in self.lines if words in line), None)

        with self._news:
            assert self._news.wait_for(found, PATIENCE), self.lines
            return found() or ""

    def limit_files(self, size: int) -> None:
        """Let no file of the daemon grow beyond so many bytes."""
        _, hard = resource.prlimit(self._child.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._child.pid, resource.RLIMIT_FSIZE, (size, hard))

    def terminate(self) -> int:
        """Ask the daemon to end; returns its exit code."""
        self._child.send_signal(SIGTERM)
        return self._end()

    def kill(self) -> None:
        """End the daemon without asking."""
        self._child.send_signal(SIGKILL)
        self._end()

    def _end(self) -> int:
        code = self._child.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code


@contextmanager
def serving(desk: Desk, *words: str, **environment: str) -> Generator[Serving]:
    """Run ``corr serve`` in a process of its own; it is killed if the test leaves it running."""
    with subprocess.Popen(
        [CORR, "serve", *words],
        cwd=desk.folder,
        env={**os.environ, **desk.environment, **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        daemon = Serving(child)
        try:
            daemon.says("serving play@corr.test")
            yield daemon
        finally:
            daemon.kill()


@contextmanager
def built(desk: Desk) -> Generator[Server]:
    """Put the server together in this process."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in desk.environment.items():
            patch.setenv(name, value)
        settings = load(desk.folder / "corr.toml")
    with closing(build(settings)) as server:
        yield server


@contextmanager
def running(server: Server) -> Generator[Daemon]:
    """Run the daemon in this process, in a thread."""
    daemon = Daemon(server)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            daemon.run()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield daemon
    finally:
        daemon.stop.set()
        thread.join(PATIENCE)
    assert not errors
    assert not thread.is_alive()


@pytest.fixture
def player(host: MailHost) -> Callable[[str], MailPlayer]:
    """Make players by their first names."""
    return lambda name: MailPlayer(name, f"{name.lower()}@players.test", host, CLIENTS["en"][0])


def letter_to(player: MailPlayer, words: str) -> EmailMessage:
    """Wait for a letter whose text holds *words*."""
    stop = threading.Event()
    timer = threading.Timer(PATIENCE, stop.set)
    timer.start()
    try:
        for letter in player.arrivals(stop):
            body = letter.get_body(("plain",))
            if body is not None and words in body.get_content():
                return letter
    finally:
        timer.cancel()
        timer.join()
    raise AssertionError(f"no letter to {player.name} holds {words!r}: {player.letters}")
