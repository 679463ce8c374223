"""Commands at a real terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from tests.cli.conftest import CORR

PATIENCE = 60  # seconds


class Terminal:
    """What a person sees and types, while a command runs."""

    def __init__(self, child: subprocess.Popen[bytes], side: int) -> None:
        self._child, self._side = child, side
        self.shown = ""

    def until(self, words: str) -> None:
        """Wait until *words* are shown."""
        end = monotonic() + PATIENCE
        while words not in self.shown:
            assert monotonic() < end, self.shown
            assert self._child.poll() is None or self._read(), self.shown
            self._read()

    def write(self, line: str) -> None:
        """Type a line."""
        os.write(self._side, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, no faster than a person: Python misses one between its prompt and its reading."""
        sleep(0.3)
        os.write(self._side, b"\x03")

    def end(self) -> int:
        """Wait until the command ends; returns its exit code."""
        end = monotonic() + PATIENCE
        while self._child.poll() is None:
            assert monotonic() < end, self.shown
            self._read()
        while self._read():
            pass
        return self._child.returncode

    def _read(self) -> bool:
        """Take what was written, for a moment; false when nothing was."""
        ready, _, _ = select.select([self._side], [], [], 0.05)
        try:
            new = os.read(self._side, 65_536) if ready else b""
        except OSError:  # so Linux says that the other side is closed
            return False
        self.shown += new.decode(errors="replace").replace("\r\n", "\n")
        return bool(new)


@contextmanager
def at_terminal(*words: str, folder: Path | None = None) -> Generator[Terminal]:
    """Run ``corr`` at a terminal of its own, and kill it if it outlives the test."""
    side, other = pty.openpty()
    with subprocess.Popen(
        ["setsid", "--ctty", "--wait", CORR, *words],
        cwd=folder,
        stdin=other,
        stdout=other,
        stderr=other,
    ) as child:
        os.close(other)
        try:
            yield Terminal(child, side)
        finally:
            child.kill()
            os.close(side)
