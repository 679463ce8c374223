"""``corr`` in a process of its own that ends itself, as by ``kill -9``, where a test says.

The process is forked from a server that has imported corr already: dozens of them are
started, and the imports would take most of the time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL

from sqlalchemy import Engine, event

from corr.cli.main import app
from corr.faults import EVENT

STATEMENT = "statement"
"""Besides the named points: just before a statement of SQL, or a commit, is sent."""

PATIENCE = 60  # seconds for a process to reach its end

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["pytest", __name__])


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the process ends, and what goes wrong in it before."""

    point: str | None  # a fault point, or STATEMENT; None: it is left alone
    visit: int = 1  # the how-manieth time that it comes by
    broken: str | None = None  # a fault point at which an error is raised every time


class Broken(Exception):
    """What is raised at a point that is broken."""


def run(words: tuple[str, ...], folder: Path, environment: Mapping[str, str], plan: Plan) -> int:
    """Run a command of corr in *folder* by *plan*; returns its exit code, -9 if it was killed."""
    child = _FORKS.Process(target=_corr, args=(words, folder, dict(environment), plan))
    child.start()
    child.join(PATIENCE)
    if child.exitcode is None:  # it never came by: the test must fail, not wait
        child.kill()
        child.join()
        raise TimeoutError(f"{words} did not come by {plan.point}")
    return child.exitcode


def _corr(words: tuple[str, ...], folder: Path, environment: dict[str, str], plan: Plan) -> None:
    os.chdir(folder)
    os.environ.update(environment)
    with (folder / "victim.log").open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    _arm(plan)
    app(list(words))


def _arm(plan: Plan) -> None:
    visits = count(1)

    def come_by(point: str) -> None:
        if point == plan.broken:
            raise Broken(point)
        if point == plan.point and next(visits) == plan.visit:
            os.kill(os.getpid(), SIGKILL)

    def hear(name: str, arguments: tuple[object, ...]) -> None:
        if name == EVENT:
            come_by(str(arguments[0]))

    def say(*_anything: object) -> None:
        come_by(STATEMENT)

    sys.addaudithook(hear)
    event.listen(Engine, "before_cursor_execute", say)
    event.listen(Engine, "commit", say)
