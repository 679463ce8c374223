"""Letters in, from a real server in memory."""

import threading
from collections.abc import Iterator
from datetime import UTC
from itertools import chain
from time import monotonic
from typing import Any

import pytest
from imapclient import IMAPClient

from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.errors import LoginRefused, Unreachable
from corr.mail.imap import Arrival, ImapInbox
from corr.mail.presets import Limits
from corr.mail.smtp import Delivery, Envelope, SmtpPostman

ADDRESS = "play@game.test"


def open_inbox(servers: EmbeddedServers) -> ImapInbox:
    return ImapInbox(Account("imap", "127.0.0.1", servers.imap_port, ADDRESS, "INBOX", "plain"), "secret")


def send(servers: EmbeddedServers, *subjects: str, recipient: str = ADDRESS) -> None:
    account = Account("smtp", "127.0.0.1", servers.smtp_port, None, "", "plain")
    batch = [
        Envelope(n, "aoi@players.test", recipient, f"Subject: {subject}\r\n\r\nd4\r\n".encode())
        for n, subject in enumerate(subjects)
    ]
    done: list[Delivery] = []
    SmtpPostman(account, limits=Limits(connections=1)).deliver(batch, lambda _: None, done.append)
    assert [delivery.status for delivery in done] == ["sent"] * len(batch)


@pytest.fixture
def other(embedded: EmbeddedServers) -> Iterator[Any]:
    """Log another client, the operator's, into the same mailbox."""
    with IMAPClient("127.0.0.1", embedded.imap_port, ssl=False) as client:
        client.login(ADDRESS, "secret")
        yield client


def subjects(arrivals: list[Arrival]) -> list[str]:
    return [arrival.raw.decode().partition("Subject: ")[2].partition("\r\n")[0] for arrival in arrivals]


def test_letters_come_in_order_with_uid_and_the_time_the_server_took_them(embedded: EmbeddedServers) -> None:
    send(embedded, "one", "two", "three")
    with open_inbox(embedded) as inbox:
        (batch,) = inbox.arrivals(0)
        assert subjects(batch) == ["one", "two", "three"]
        assert [a.uid for a in batch] == sorted({a.uid for a in batch})
        assert {a.uidvalidity for a in batch} == {inbox.uidvalidity} != {0}
        assert {a.received_at.tzinfo for a in batch} == {UTC}


def test_only_what_is_above_the_last_uid_is_new(embedded: EmbeddedServers) -> None:
    """IMAP's ``n:*`` always names the newest letter, so a naive reader takes it for ever."""
    send(embedded, "one", "two")
    with open_inbox(embedded) as inbox:
        (batch,) = inbox.arrivals(0)
        first, last = (arrival.uid for arrival in batch)
        assert [subjects(b) for b in inbox.arrivals(first)] == [["two"]]
        assert list(inbox.arrivals(last)) == []
        assert list(inbox.arrivals(last + 1000)) == []
        send(embedded, "three")
        assert [subjects(b) for b in inbox.arrivals(last)] == [["three"]]


def test_reading_does_not_mark_a_letter_as_seen(embedded: EmbeddedServers, other: Any) -> None:
    send(embedded, "one", "two")
    with open_inbox(embedded) as inbox:
        assert len(list(chain.from_iterable(inbox.leftovers()))) == 2
    other.select_folder("INBOX")
    assert all(b"\\Seen" not in flags for flags in other.get_flags(other.search()).values())


def test_a_letter_that_somebody_opened_is_read_all_the_same(embedded: EmbeddedServers, other: Any) -> None:
    send(embedded, "one")
    other.select_folder("INBOX")
    other.add_flags(other.search(), [b"\\Seen"])
    with open_inbox(embedded) as inbox:
        assert [subjects(batch) for batch in inbox.arrivals(0)] == [["one"]]


def test_many_letters_come_fifty_at_a_time(embedded: EmbeddedServers) -> None:
    names = [f"letter {n}" for n in range(120)]
    send(embedded, *names)
    with open_inbox(embedded) as inbox:
        batches = [subjects(batch) for batch in inbox.leftovers()]
    assert [len(batch) for batch in batches] == [50, 50, 20]
    assert list(chain.from_iterable(batches)) == names


def test_a_large_letter_comes_alone_and_a_huge_one_cut(embedded: EmbeddedServers, other: Any) -> None:
    sizes = {"small": 10, "large": 300_000, "again": 20, "huge": 11_000_000, "last": 30}
    for subject, size in sizes.items():
        lines = b"x" * 998 + b"\r\n"
        letter = f"Subject: {subject}\r\n\r\n".encode() + lines * (size // 1000)
        other.append("INBOX", letter)
    with open_inbox(embedded) as inbox:
        batches = list(inbox.leftovers())
    assert [subjects(batch) for batch in batches] == [["small"], ["large"], ["again"], ["huge"], ["last"]]
    arrivals = {subjects([a])[0]: a for a in chain.from_iterable(batches)}
    assert {subject for subject, arrival in arrivals.items() if arrival.truncated} == {"huge"}
    assert len(arrivals["large"].raw) > 300_000
    assert len(arrivals["huge"].raw) == 256 * 1024


@pytest.mark.parametrize("folder", ["Processed", "Failed"])
def test_a_filed_letter_leaves_the_inbox_for_a_folder(
    embedded: EmbeddedServers, other: Any, folder: str
) -> None:
    send(embedded, *"abc")
    with open_inbox(embedded) as inbox:
        (batch,) = inbox.arrivals(0)
        inbox.file([batch[0].uid, batch[2].uid], folder)
        assert [subjects(left) for left in inbox.leftovers()] == [["b"]]
        inbox.file([batch[0].uid], folder)  # gone already
        inbox.file([], folder)
    other.select_folder(folder)
    filed = other.fetch(other.search(), ["BODY.PEEK[]"]).values()
    assert [line for body in filed for line in body[b"BODY[]"].split(b"\r\n") if b"Subject" in line] == [
        b"Subject: a",
        b"Subject: c",
    ]


def test_a_letter_wakes_the_one_who_waits(embedded: EmbeddedServers) -> None:
    with open_inbox(embedded) as inbox:
        timer = threading.Timer(0.2, send, [embedded, "wake up"])
        timer.start()
        start = monotonic()
        assert inbox.wait(30, threading.Event())
        assert inbox.wait(30, threading.Event())  # until somebody fetches it
        assert 0.1 < monotonic() - start < 5
        timer.join()
        assert [subjects(batch) for batch in inbox.arrivals(0)] == [["wake up"]]


def test_what_came_before_the_wait_ends_it_at_once(embedded: EmbeddedServers) -> None:
    """A letter that the server announced while another was being filed is announced only once."""
    send(embedded, "one")
    with open_inbox(embedded) as inbox:
        (batch,) = inbox.arrivals(0)
        send(embedded, "two")
        inbox.file([batch[0].uid])
        start = monotonic()
        assert inbox.wait(30, threading.Event())
        assert monotonic() - start < 5


def test_a_wait_without_letters_ends_in_time_and_can_be_repeated(embedded: EmbeddedServers) -> None:
    send(embedded, "old")
    with open_inbox(embedded) as inbox:
        assert len(list(inbox.arrivals(0))) == 1
        for _ in range(2):
            start = monotonic()
            assert not inbox.wait(0.3, threading.Event())
            assert 0.3 <= monotonic() - start < 5


def test_a_stop_ends_the_wait_within_about_a_second(embedded: EmbeddedServers) -> None:
    stop = threading.Event()
    with open_inbox(embedded) as inbox:
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        start = monotonic()
        assert not inbox.wait(60, stop)
        assert monotonic() - start < 2
        assert list(inbox.leftovers()) == []  # the connection is still good
        timer.join()


def test_uidvalidity_is_the_same_at_the_next_connection(embedded: EmbeddedServers, other: Any) -> None:
    with open_inbox(embedded) as first:
        pass
    with open_inbox(embedded) as second:
        pass
    assert first.uidvalidity == second.uidvalidity == other.select_folder("INBOX")[b"UIDVALIDITY"]


def test_a_wrong_password_is_refused(embedded: EmbeddedServers) -> None:
    account = Account("imap", "127.0.0.1", embedded.imap_port, ADDRESS, "INBOX", "plain")
    with pytest.raises(LoginRefused, match=ADDRESS), ImapInbox(account, "wrong"):
        pass


def test_a_folder_that_is_not_there_is_said() -> None:
    with EmbeddedServers({"game.test"}, "secret") as servers:
        account = Account("imap", "127.0.0.1", servers.imap_port, ADDRESS, "Games", "plain")
        with pytest.raises(Unreachable, match=f"{servers.imap_port}.*select"), ImapInbox(account, "secret"):
            pass


def test_a_server_that_goes_away_is_unreachable() -> None:
    with EmbeddedServers({"game.test"}, "secret") as servers:
        inbox = open_inbox(servers)
        inbox.__enter__()
    with pytest.raises(Unreachable, match=str(servers.imap_port)):
        list(inbox.leftovers())
    inbox.__exit__(Unreachable, Unreachable(), None)
    with pytest.raises(Unreachable, match=str(servers.imap_port)), open_inbox(servers):
        pass
