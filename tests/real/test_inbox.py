"""An inbox on Dovecot: what RFC 3501 allows, and what other programs do meanwhile."""

from __future__ import annotations

import threading
from itertools import chain
from time import monotonic
from typing import Any

import pytest

from corr.mail.errors import Unreachable
from tests.real.letters import open_inbox, postman, send, subjects, written
from tests.real.stack import HOST, PLAIN_HOST, RealServers

either = pytest.mark.parametrize("host", [HOST, PLAIN_HOST], ids=["all extensions", "no IDLE, no MOVE"])


def fill(other: Any, count: int) -> None:
    """Put so many letters into the inbox; their subjects are numbers from 1."""
    for number in range(1, count + 1):
        other.append("INBOX", written(str(number)))
    other.noop()


def test_only_what_is_above_the_last_uid_is_new(real_servers: RealServers, address: str, other: Any) -> None:
    """``n:*`` names the newest letter also where n is above it; a naive reader takes it for ever."""
    fill(other, 2)
    newest = max(other.search())
    assert other.search(["UID", f"{newest + 1}:*"]) == [newest]
    with open_inbox(real_servers, address) as inbox:
        assert list(inbox.arrivals(newest)) == []
        assert [subjects(batch) for batch in inbox.arrivals(newest - 1)] == [["2"]]


def test_a_flag_that_another_program_sets_meanwhile_is_no_letter(
    real_servers: RealServers, address: str, other: Any
) -> None:
    """The server tells of it in the midst of a FETCH."""
    fill(other, 60)
    uids = other.search()
    with open_inbox(real_servers, address) as inbox:
        batches = inbox.leftovers()
        assert len(next(batches)) == 50
        other.add_flags([uids[3], uids[55]], [b"\\Flagged"])
        assert subjects(next(batches)) == [str(number) for number in range(51, 61)]


def test_a_letter_that_another_program_deletes_meanwhile_does_not_hold_up_the_others(
    real_servers: RealServers, address: str, other: Any
) -> None:
    fill(other, 60)
    with open_inbox(real_servers, address) as inbox:
        batches = inbox.leftovers()
        next(batches)
        other.delete_messages([other.search()[54]])
        other.expunge()
        assert subjects(next(batches)) == [str(number) for number in range(51, 61) if number != 55]


@either
def test_a_filed_letter_leaves_the_inbox_and_no_other_does(
    real_servers: RealServers, address: str, other: Any, host: str
) -> None:
    """What the operator has marked as deleted, and may want back, is not taken along."""
    fill(other, 3)
    first, _, third = other.search()
    other.delete_messages([third])
    with open_inbox(real_servers, address, host=host) as inbox:
        inbox.file([first])
        inbox.file([first])  # gone already
        assert [subjects(batch) for batch in inbox.leftovers()] == [["2", "3"]]
    other.select_folder("INBOX.Processed")
    assert len(other.search()) == 1


def test_reading_marks_nothing_as_seen(real_servers: RealServers, address: str, other: Any) -> None:
    fill(other, 3)
    with open_inbox(real_servers, address) as inbox:
        assert len(list(chain.from_iterable(inbox.leftovers()))) == 3
    other.noop()
    assert other.search(["SEEN"]) == []


def test_large_letters_come_whole_and_huge_ones_cut(
    real_servers: RealServers, address: str, other: Any
) -> None:
    sizes = {"small": 10, "large": 300_000, "huge": 11_000_000, "last": 30}
    for subject, size in sizes.items():
        other.append("INBOX", written(subject, size))
    with open_inbox(real_servers, address) as inbox:
        arrivals = list(chain.from_iterable(inbox.leftovers()))
    assert subjects(arrivals) == list(sizes)
    assert [arrival.truncated for arrival in arrivals] == [False, False, True, False]
    assert len(arrivals[1].raw) > 300_000
    assert len(arrivals[2].raw) == 256 * 1024


def test_a_letter_wakes_the_one_who_waits(real_servers: RealServers, address: str) -> None:
    """From the player's program to the waiting reader: Postfix, Dovecot, IDLE."""
    with open_inbox(real_servers, address) as inbox:
        tagged = address.replace("@", "+K7QX.14.3.5.h4nd@")
        timer = threading.Timer(0.3, send, [postman(real_servers), [tagged]])
        timer.start()
        start = monotonic()
        assert inbox.wait(30, threading.Event())
        assert 0.2 < monotonic() - start < 10
        timer.join()
        ((arrival,),) = inbox.arrivals(0)
    assert f"To: {tagged}".encode() in arrival.raw  # the tag survives


def test_without_idle_the_wait_ends_in_time_and_finds_what_came(
    real_servers: RealServers, address: str, other: Any
) -> None:
    with open_inbox(real_servers, address, host=PLAIN_HOST) as inbox:
        assert not inbox.wait(0.2, threading.Event())
        fill(other, 1)
        assert inbox.wait(0.2, threading.Event())


def test_after_a_wait_the_connection_takes_commands(
    real_servers: RealServers, address: str, other: Any
) -> None:
    """IDLE is left before anything else is asked, whether time, a stop or a letter ended the wait."""
    stop = threading.Event()
    with open_inbox(real_servers, address) as inbox:
        assert not inbox.wait(0.2, stop)
        threading.Timer(0.2, stop.set).start()
        assert not inbox.wait(30, stop)
        threading.Timer(0.2, fill, [other, 1]).start()
        assert inbox.wait(30, threading.Event())
        assert [subjects(batch) for batch in inbox.leftovers()] == [["1"]]


def test_the_number_of_the_mailbox_changes_with_the_mailbox(
    real_servers: RealServers, address: str, other: Any
) -> None:
    """The server was restored from a copy: the same letters under other numbers."""
    fill(other, 2)
    with open_inbox(real_servers, address) as inbox:
        before = inbox.uidvalidity
    other.unselect_folder()
    real_servers.doveadm("mailbox", "update", "--uid-validity", str(before + 1), "-u", address, "INBOX")
    with open_inbox(real_servers, address) as inbox:
        (batch,) = inbox.leftovers()
        assert {arrival.uidvalidity for arrival in batch} == {inbox.uidvalidity} == {before + 1}
        assert subjects(batch) == ["1", "2"]


def test_a_mailbox_that_is_made_anew_under_an_open_connection_ends_it(
    real_servers: RealServers, address: str, other: Any
) -> None:
    """No letter is ever given under a number that is no longer the mailbox's."""
    fill(other, 1)
    with open_inbox(real_servers, address) as inbox:
        before = inbox.uidvalidity
        real_servers.doveadm("mailbox", "update", "--uid-validity", str(before + 1), "-u", address, "INBOX")
        with pytest.raises(Unreachable):
            list(inbox.leftovers())
    with open_inbox(real_servers, address) as again:
        assert {arrival.uidvalidity for batch in again.leftovers() for arrival in batch} == {before + 1}
