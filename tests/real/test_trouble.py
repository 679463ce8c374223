"""Dovecot's processes are killed, stopped or told to go: what a reader makes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from signal import SIGCONT, SIGKILL, SIGSTOP
from time import monotonic
from typing import Any

import pytest

from corr.mail.errors import ConnectionLost, LoginRefused, Unreachable
from tests.real.letters import open_inbox, postman, send, written
from tests.real.stack import RealServers

ENDS: dict[str, Callable[[RealServers, str], object]] = {
    "a goodbye": lambda servers, address: servers.doveadm("kick", address),
    "no word": lambda servers, address: servers.signal(address, SIGKILL),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_connection_that_ends_while_waiting_is_lost_at_once(
    real_servers: RealServers, address: str, end: Callable[[RealServers, str], object]
) -> None:
    with open_inbox(real_servers, address) as inbox:
        timer = threading.Timer(0.3, end, [real_servers, address])
        timer.start()
        start = monotonic()
        with pytest.raises(ConnectionLost):
            inbox.wait(60, threading.Event())
        assert monotonic() - start < 10
        timer.join()
    with open_inbox(real_servers, address) as again:
        assert list(again.leftovers()) == []


def test_a_connection_that_ends_in_the_midst_of_a_fetch_is_unreachable(
    real_servers: RealServers, address: str, other: Any
) -> None:
    """The server has the question, and dies over the answer; the letters come at the next connection."""
    for number in range(60):
        other.append("INBOX", written(str(number)))
    other.logout()
    with open_inbox(real_servers, address) as inbox:
        batches = inbox.leftovers()
        assert len(next(batches)) == 50
        real_servers.signal(address, SIGSTOP)
        timer = threading.Timer(0.3, real_servers.signal, [address, SIGKILL])
        timer.start()
        with pytest.raises(Unreachable):
            next(batches)
        timer.join()
    with open_inbox(real_servers, address) as again:
        assert [len(batch) for batch in again.leftovers()] == [50, 10]


@pytest.mark.parametrize("while_", ["reading", "waiting", "filing"])
def test_a_server_that_falls_silent_is_waited_for_only_so_long(
    real_servers: RealServers, address: str, while_: str
) -> None:
    with open_inbox(real_servers, address, timeout=0.5) as inbox:
        acts: dict[str, Callable[[], object]] = {
            "reading": lambda: list(inbox.leftovers()),
            "waiting": lambda: inbox.wait(1, threading.Event()),
            "filing": lambda: inbox.file([1]),
        }
        if while_ == "waiting":  # it still answers when IDLE begins
            threading.Timer(0.3, real_servers.signal, [address, SIGSTOP]).start()
        else:
            real_servers.signal(address, SIGSTOP)
        try:
            with pytest.raises(Unreachable, match="timed out"):
                acts[while_]()
        finally:
            real_servers.signal(address, SIGCONT)


def test_a_wrong_password_is_refused_by_both(real_servers: RealServers, address: str) -> None:
    with pytest.raises(LoginRefused, match=address), open_inbox(real_servers, address, password="wrong"):
        pass
    with pytest.raises(LoginRefused, match="535"):
        postman(real_servers, user=address, password="wrong").check()


def test_too_many_connections_are_no_matter_of_the_password(real_servers: RealServers, address: str) -> None:
    """The operator is not told to check a password that is right."""
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(open_inbox(real_servers, address))
        with pytest.raises(Unreachable, match="LIMIT"), open_inbox(real_servers, address):
            pass


def test_a_login_and_a_batch_over_several_connections(real_servers: RealServers, address: str) -> None:
    """A recipient elsewhere is refused for good, and holds up none of the others."""
    recipients = [*[address] * 5, "somebody@elsewhere.test", *[address] * 5]
    ends = send(postman(real_servers, user=address), recipients)
    refused = ends.pop(5)
    assert (refused.status, refused.code) == ("failed", 550)
    assert {end.status for end in ends} == {"sent"}
