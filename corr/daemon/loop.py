"""Loops that fetch letters, work on them, watch the time, and send what came of it.

Each unit of work is one transaction, so stopping between two leaves nothing
half done.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from sqlalchemy.exc import OperationalError

from corr.bootstrap import Server
from corr.daemon.lock import only_daemon
from corr.daemon.ready import ready, take_over
from corr.mail.errors import LoginRefused, Unreachable
from corr.mail.retries import Trouble
from corr.mail.smtp import Delivery
from corr.service.expire import fire
from corr.service.fetch import fetch
from corr.service.heartbeat import Heart
from corr.service.receive import work
from corr.service.send import send

IDLE_SECONDS = 1.0  # between looks for work that another process may have brought
LONGEST_BACKOFF = 60.0  # seconds
BEAT_SECONDS = 60.0  # between looks at whether letters still come in
LOGIN_AGAIN = 300.0  # seconds: many servers shut out who tries a wrong password often

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Tally:
    """What one round did."""

    fetched: int = 0
    handled: int = 0
    fired: int = 0
    sent: int = 0
    waiting: int = 0  # tried, and not delivered
    troubles: list[str] = field(default_factory=list[str])  # servers that were no help, and what to do


def worker_name(server: Server) -> str:
    """Name whoever takes the next batch, for its leases.

    Never twice the same: in a container, a process that was killed and the next one
    have one number, and what the first had in its hands is not the other's.
    """
    return f"{os.uname().nodename}:{os.getpid()}:{server.office.entropy(6).hex()}"


def advice(error: Exception | str) -> str:
    """Say what an operator can do about a mail server."""
    if isinstance(error, LoginRefused):
        return f"{error}: check the user in the URL and the password; `corr doctor` tries them"
    return f"{error}: check that the server runs and that the URL is right; `corr doctor` tries it"


def pause(failures: int) -> float:
    """Return the seconds to wait after so many failures (from 1) without a success between."""
    return min(LONGEST_BACKOFF, 2.0 ** min(failures - 1, 10))


def once(server: Server) -> Tally:
    """Run each loop until it is empty.

    An inbox that cannot be reached holds up neither the letters that are here nor
    those that wait to go out.  Raises AlreadyServed, BadSettings and RulesMissing.
    """
    ready(server)
    tally = Tally()
    with only_daemon(server.settings.database) as alone:
        if alone:
            take_over(server)
        seen: datetime | None = server.office.clock.now()
        try:
            with server.inbox() as inbox:
                tally.fetched = fetch(server.office, inbox, server.mailbox)
        except (Unreachable, LoginRefused) as error:
            tally.troubles.append(advice(error))
            seen = None
        settle(server, tally, seen)
        while ends := send(server.office, server.postman(), worker_name(server)):
            _count(tally, ends)
    return tally


def settle(server: Server, tally: Tally, seen: datetime | None) -> None:
    """Work on letters until none is left, then on deadlines up to *seen*.

    An inbox that could not be read (None) may hold letters that came in time.
    """
    while work(server.office):
        tally.handled += 1
    while seen is not None:
        try:
            if not fire(server.office, seen):
                return
            tally.fired += 1
        except OperationalError:
            raise
        except Exception as error:
            _log.exception("a deadline could not have its effect")
            tally.troubles.append(f"a deadline could not have its effect: {_line(error)}")


def _count(tally: Tally, ends: list[Delivery]) -> None:
    tally.sent += sum(end.status == "sent" for end in ends)
    tally.waiting += sum(end.status != "sent" for end in ends)
    if (halt := _halt(ends)) is not None:
        error = _error(halt)
        tally.troubles.append(
            advice(error) if error else f"the account may send nothing for now: {halt.text}"
        )


def _halt(ends: list[Delivery]) -> Delivery | None:
    """Return the first that shows that no letter can go out at present."""
    return next((end for end in ends if end.halts), None)


def _error(halt: Delivery) -> Unreachable | LoginRefused | None:
    """Return why no letter could go out, where that is not only for the time to mend."""
    if halt.trouble in {Trouble.RATE, Trouble.QUOTA}:
        return None
    return LoginRefused(halt.text) if halt.trouble is Trouble.LOGIN else Unreachable(halt.text)


class Daemon:
    """The loops of one process, as threads that wake each other."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.stop = threading.Event()
        self._letters = threading.Event()  # something may be there to work on
        self._outbox = threading.Event()  # something may be there to send
        self._seen: datetime | None = None  # up to here the inbox has been read
        self._failures: dict[str, int] = {}  # of each loop, since it last did well

    def run(self) -> None:
        """Serve until *stop* is set; raises AlreadyServed, BadSettings and RulesMissing."""
        ready(self.server)
        with only_daemon(self.server.settings.database) as alone:
            if alone:
                take_over(self.server)
            loops = {"fetch": self._fetch, "work": self._work, "time": self._watch, "send": self._send}
            if (heart := self.server.heart()) is not None:
                loops["heart"] = partial(self._beat, heart)
            threads = [
                threading.Thread(target=self._guard, args=loop, name=f"corr {loop[0]}")
                for loop in loops.items()
            ]
            for thread in threads:
                thread.start()
            _log.info("serving %s; SIGTERM or Ctrl-C ends it", self.server.settings.address)
            self.stop.wait()
            self._letters.set()
            self._outbox.set()
            for thread in threads:
                thread.join()
            _log.info("stopped; nothing was left half done")

    def _guard(self, name: str, loop: Callable[[], None]) -> None:
        """Run a loop again and again; wait longer each time it fails without success between."""
        while not self.stop.is_set():
            try:
                loop()
                self._failures[name] = 0
            except LoginRefused as error:
                _log.error("%s: %s", name, advice(error))
                self.stop.wait(LOGIN_AGAIN)
            except Unreachable as error:
                self._fail(name, advice(error), error.wait)
            except OperationalError as error:
                self._fail(name, f"the database refuses: {_line(error.orig)}; nothing is lost")
            except Exception as error:
                _log.exception("%s failed; it goes on", name)
                self._fail(name, _line(error))

    def _fail(self, name: str, why: str, at_least: float = 0.0) -> None:
        """Log a failure in one line, and wait: so many seconds *at least*."""
        failures = self._failures[name] = self._failures.get(name, 0) + 1
        seconds = max(pause(failures), at_least)
        _log.warning("%s: %s; tried again in %d s", name, why, seconds)
        self.stop.wait(seconds)

    def _fetch(self) -> None:
        """Hold one connection: take what is there, then wait for more."""
        with self.server.inbox() as inbox:
            while not self.stop.is_set():
                seen = self.server.office.clock.now()
                if count := fetch(self.server.office, inbox, self.server.mailbox):
                    _log.info("fetch: %d new", count)
                    self._letters.set()
                self._seen = seen
                self._failures["fetch"] = 0
                inbox.wait(self.server.settings.poll, self.stop)

    def _work(self) -> None:
        if work(self.server.office):
            self._outbox.set()
            return
        self._letters.wait(IDLE_SECONDS)
        self._letters.clear()

    def _watch(self) -> None:
        """Let deadlines have their effect: apart from letters, so that none holds up the other."""
        if self._seen is not None and fire(self.server.office, self._seen):
            self._outbox.set()
            return
        self.stop.wait(IDLE_SECONDS)

    def _send(self) -> None:
        if ends := send(self.server.office, self.server.postman(), worker_name(self.server)):
            sent = sum(end.status == "sent" for end in ends)
            _log.info("send: %d sent, %d not", sent, len(ends) - sent)
            if (halt := _halt(ends)) is not None and (error := _error(halt)) is not None:
                raise error
            return
        self._outbox.wait(IDLE_SECONDS)
        self._outbox.clear()

    def _beat(self, heart: Heart) -> None:
        """See whether letters still come in, apart from those who fetch and send."""
        heart.beat(self._seen)
        self.stop.wait(BEAT_SECONDS)


def _line(error: object) -> str:
    """Return the first line: drivers add more below."""
    return str(error).partition("\n")[0]
