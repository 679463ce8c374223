"""What other IMAP servers do, from a script."""

import re
import socket
import threading
from pathlib import Path
from time import monotonic

import pytest

from corr.mail.account import Account, Security
from corr.mail.errors import ConnectionLost, LoginRefused, Unreachable
from corr.mail.imap import ImapInbox
from tests.mail.scripted import Act, Half, ScriptedImap

PATIENT = 10.0  # seconds
HEAD = 'RFC822.SIZE 9 INTERNALDATE "30-Nov-2026 21:00:00 +0900"'


def open_inbox(server: ScriptedImap, timeout: float = PATIENT, security: Security = "plain") -> ImapInbox:
    host = "127.0.0.1" if security == "plain" else "localhost"
    return ImapInbox(Account("imap", host, server.port, "play", "INBOX", security), "secret", timeout=timeout)


def body(uid: int) -> str:
    return f"* {uid} FETCH (UID {uid} BODY[] {{9}}\r\nletter {uid:2})"


def head(uid: int) -> str:
    return f"* {uid} FETCH (UID {uid} {HEAD})"


@pytest.mark.parametrize("end", [Act.HANG_UP, "* BYE Autologout; idle for too long"])
def test_a_connection_that_ends_while_waiting_is_lost_at_once(end: str | Act) -> None:
    """The client library returns nothing, thousands of times a second, and says no word."""
    with ScriptedImap({"IDLE": end}) as server, open_inbox(server) as inbox:
        start = monotonic()
        # leaving the context closes a connection that is gone: no second error
        with pytest.raises(ConnectionLost, match=str(server.port)):
            inbox.wait(60, threading.Event())
        assert monotonic() - start < 5


def test_a_letter_announced_together_with_the_answer_to_idle_is_not_overlooked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It lies in the client's buffer, where no poll of the socket finds it: the next round does."""
    monkeypatch.setattr("corr.mail.imap._ROUND", 0.3)
    with ScriptedImap({"IDLE": "+ idling\r\n* 2 EXISTS"}) as server, open_inbox(server) as inbox:
        assert list(inbox.arrivals(1)) == []
        timer = threading.Timer(0.1, server.say, ["UID SEARCH", "* SEARCH 2"])
        timer.start()
        assert inbox.wait(30, threading.Event())
        timer.join()


@pytest.mark.parametrize("end", [Half("* 2 EXI"), Half("* 2 FETCH (FLAGS (\\Seen")])
def test_half_a_line_while_waiting_means_connect_again(end: Half) -> None:
    """The client library reads without waiting, and gives up on a line that comes in two pieces."""
    with (
        ScriptedImap({"IDLE": end}) as server,
        open_inbox(server) as inbox,
        pytest.raises(Unreachable, match="unterminated line"),
    ):
        inbox.wait(30, threading.Event())


def test_half_a_letter_is_no_letter() -> None:
    """The connection ended within a letter: what came of it is not taken for the whole."""
    script: dict[str, str | Act] = {
        "UID SEARCH": "* SEARCH 1",
        "UID FETCH 1 (RFC822.SIZE INTERNALDATE)": head(1),
        "UID FETCH 1 (BODY.PEEK[])": Half("* 1 FETCH (UID 1 BODY[] {9}\r\nlett"),
    }
    with ScriptedImap(script) as server, open_inbox(server) as inbox:
        batches = inbox.arrivals(0)
        with pytest.raises(Unreachable):
            next(batches)


def test_a_password_beyond_ascii_is_sent_as_utf8() -> None:
    with ScriptedImap() as server:
        account = Account("imap", "127.0.0.1", server.port, "play", "INBOX", "plain")
        with ImapInbox(account, "合言葉", timeout=PATIENT):
            assert "\0play\0合言葉" in server.commands


def test_noise_while_waiting_is_no_letter() -> None:
    with (
        ScriptedImap({"IDLE": "* OK Still here\r\n* 1 FETCH (FLAGS (\\Seen))"}) as server,
        open_inbox(server) as inbox,
    ):
        assert not inbox.wait(0.2, threading.Event())


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "LIST", "SELECT"])
def test_a_server_that_falls_silent_on_the_way_in_is_unreachable(command: str) -> None:
    with ScriptedImap({command: Act.SILENCE}) as server:
        inbox = open_inbox(server, timeout=0.3)
        with pytest.raises(Unreachable, match="timed out"):
            inbox.__enter__()


def test_a_server_that_falls_silent_while_waiting_is_unreachable() -> None:
    """Nothing comes in an ordinary wait either: the end of the wait tells."""
    with ScriptedImap({"IDLE": Act.SILENCE}) as server, open_inbox(server, timeout=0.3) as inbox:
        start = monotonic()
        with pytest.raises(Unreachable, match="timed out"):
            inbox.wait(0.3, threading.Event())
        assert monotonic() - start < 5


def test_a_dead_peer_is_noticed_and_no_command_lingers() -> None:
    """Keepalive finds who vanished without a word; Nagle's algorithm would hold small commands back."""
    with ScriptedImap() as server, open_inbox(server) as inbox:
        line = vars(inbox)["_client"].socket()
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert line.gettimeout() == PATIENT


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        ("NO Request is throttled. Suggested Backoff Time: 51566 milliseconds", 51.566),
        ("NO Request is throttled. Suggested Backoff Time: 999999999 milliseconds", 3600.0),
        ("NO [LIMIT] UID FETCH Rate limit hit.", 0.0),
        ("NO [OVERQUOTA] Account exceeded command or bandwidth limits.", 0.0),
        ("BAD [UNAVAILABLE] Try later", 0.0),
    ],
)
def test_a_server_that_asks_for_peace_is_left_in_peace(answer: str, wait: float) -> None:
    """No letter is tried one by one, and the time that the server names goes with the error."""
    script: dict[str, str | Act] = {
        "UID SEARCH": "* SEARCH 1 2",
        "UID FETCH 1,2 (RFC822.SIZE INTERNALDATE)": f"{head(1)}\r\n{head(2)}",
        "UID FETCH": answer,
    }
    with ScriptedImap(script) as server, open_inbox(server) as inbox:
        batches = inbox.arrivals(0)
        with pytest.raises(Unreachable, match=re.escape(answer.partition(" ")[2])) as refused:
            next(batches)
        assert refused.value.wait == wait
        assert sum("BODY" in command for command in server.commands) == 1


def test_a_server_that_falls_silent_is_unreachable() -> None:
    with ScriptedImap({"NOOP": Act.SILENCE}) as server, open_inbox(server, timeout=0.3) as inbox:
        arrivals = inbox.arrivals(0)
        with pytest.raises(Unreachable, match="timed out"):
            next(arrivals)


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "LIST", "SELECT"])
def test_a_server_that_hangs_up_on_the_way_in_is_unreachable(command: str) -> None:
    with ScriptedImap({command: Act.HANG_UP}) as server, pytest.raises(Unreachable), open_inbox(server):
        pass


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("NO [AUTHENTICATIONFAILED] Wrong password", LoginRefused),
        ("NO Login failed", LoginRefused),
        ("NO [UNAVAILABLE] The directory is down", Unreachable),
        ("NO [LIMIT] Too many connections", Unreachable),
        ("NO Request is throttled. Suggested Backoff Time: 2000 milliseconds", Unreachable),
    ],
)
def test_a_wrong_password_is_told_from_a_server_in_trouble(answer: str, error: type[Exception]) -> None:
    with ScriptedImap({"LOGIN": answer}) as server, pytest.raises(error, match=re.escape(answer[3:])):
        open_inbox(server).__enter__()


def test_a_letter_that_is_listed_and_not_given_does_not_hold_up_the_others() -> None:
    """Exchange does so, and other clients' changes come in between as answers without a body."""
    script: dict[str, str | Act] = {
        "UID SEARCH": "* SEARCH 3 1 2 4",
        "UID FETCH 1,2,3,4 (RFC822.SIZE INTERNALDATE)": f"{head(1)}\r\n{head(2)}\r\n{head(4)}",
        "UID FETCH 1,2,4 (BODY.PEEK[])": f"{body(1)}\r\n* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n"
        f"{body(4)}\r\n* 9 FETCH (UID 9 FLAGS (\\Seen))",  # of a letter that nobody asked for
    }
    with ScriptedImap(script) as server, open_inbox(server) as inbox:
        (batch,) = inbox.arrivals(0)
    assert [(a.uid, a.raw) for a in batch] == [(1, b"letter  1"), (4, b"letter  4")]
    assert {a.received_at.isoformat() for a in batch} == {"2026-11-30T12:00:00+00:00"}


def test_a_batch_that_fails_is_fetched_letter_by_letter() -> None:
    script: dict[str, str | Act] = {
        "UID SEARCH": "* SEARCH 1 2 3",
        "UID FETCH 1,2,3 (RFC822.SIZE INTERNALDATE)": f"{head(1)}\r\n{head(2)}\r\n{head(3)}",
        "UID FETCH 1,2,3 (BODY.PEEK[])": "NO [SERVERBUG] Some are broken",
        "UID FETCH 1 (BODY.PEEK[])": body(1),
        "UID FETCH 2 (BODY.PEEK[])": "NO [SERVERBUG] This one",
        "UID FETCH 3 (BODY.PEEK[])": body(3),
    }
    with ScriptedImap(script) as server, open_inbox(server) as inbox:
        (batch,) = inbox.arrivals(0)
    assert [a.uid for a in batch] == [1, 3]


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ("MOVE UIDPLUS", ["UID MOVE 1,2 Processed"]),
        ("UIDPLUS", ["UID COPY 1,2 Processed", "UID STORE 1,2 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 1,2"]),
        ("", ["UID COPY 1,2 Processed", "UID STORE 1,2 +FLAGS.SILENT (\\Deleted)", "EXPUNGE"]),
    ],
)
def test_without_move_a_letter_is_copied_before_it_is_deleted(capabilities: str, expected: list[str]) -> None:
    """A bare EXPUNGE, which takes what others marked as well, is the last resort."""
    with ScriptedImap(capabilities=capabilities) as server, open_inbox(server) as inbox:
        before = len(server.commands)
        inbox.file([1, 2])
        assert [command.replace('"', "") for command in server.commands[before:]] == expected


def test_nothing_is_deleted_when_the_copy_fails() -> None:
    script = {"UID COPY": "NO [OVERQUOTA] Full"}
    with ScriptedImap(script, "UIDPLUS") as server, open_inbox(server) as inbox:
        with pytest.raises(Unreachable, match="Full"):
            inbox.file([1, 2])
        assert not any("STORE" in command or "EXPUNGE" in command for command in server.commands)


def test_folders_are_made_where_the_server_wants_them() -> None:
    script: dict[str, str | Act] = {"NAMESPACE": '* NAMESPACE (("INBOX." ".")) NIL NIL', "LIST": ""}
    with ScriptedImap(script, capabilities="NAMESPACE MOVE") as server, open_inbox(server) as inbox:
        inbox.file([1], "Failed")
    assert [c.replace('"', "") for c in server.commands if c.startswith(("CREATE", "UID MOVE"))] == [
        "CREATE INBOX.Processed",
        "CREATE INBOX.Failed",
        "UID MOVE 1 INBOX.Failed",
    ]


def test_without_idle_the_wait_is_a_pause_that_a_stop_ends() -> None:
    stop = threading.Event()
    with ScriptedImap(capabilities="MOVE") as server, open_inbox(server) as inbox:
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        start = monotonic()
        assert not inbox.wait(60, stop)
        assert monotonic() - start < 2
        timer.join()


def test_without_idle_the_server_is_asked_after_the_pause() -> None:
    script: dict[str, str | Act] = {"UID SEARCH": "* SEARCH 9"}
    with ScriptedImap(script, capabilities="") as server, open_inbox(server) as inbox:
        assert list(inbox.arrivals(9)) == []
        assert not inbox.wait(0.05, threading.Event())
        server.say("UID SEARCH", "* SEARCH 10")
        assert inbox.wait(0.05, threading.Event())


def test_no_password_goes_to_a_server_without_starttls() -> None:
    with ScriptedImap() as server, pytest.raises(Unreachable, match="STARTTLS"):
        open_inbox(server, security="starttls").__enter__()
    assert not any(command.startswith(("LOGIN", "AUTHENTICATE")) for command in server.commands)


def test_a_greeting_that_claims_we_are_logged_in_does_not_talk_us_out_of_tls(certificate: Path) -> None:
    """After PREAUTH there is no STARTTLS: whoever stands between would have us read his letters."""
    script = {"GREETING": "* PREAUTH Welcome back"}
    with ScriptedImap(script, "STARTTLS", certificate) as server, pytest.raises(Unreachable):
        open_inbox(server, security="starttls").__enter__()
    assert not any(command.startswith("SELECT") for command in server.commands)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_letters_come_in_over_tls(security: Security, certificate: Path) -> None:
    script: dict[str, str | Act] = {
        "UID SEARCH": "* SEARCH 1",
        "UID FETCH 1 (RFC822.SIZE INTERNALDATE)": head(1),
        "UID FETCH 1 (BODY.PEEK[])": body(1),
    }
    capabilities = "STARTTLS IDLE" if security == "starttls" else "IDLE"
    with (
        ScriptedImap(script, capabilities, certificate, tls_at_once=security == "tls") as server,
        open_inbox(server, security=security) as inbox,
    ):
        (batch,) = inbox.arrivals(0)
        assert [a.raw for a in batch] == [b"letter  1"]
        server.say("IDLE", "* 2 EXISTS")
        timer = threading.Timer(0.03, server.say, ["UID SEARCH", "* SEARCH 2"])
        timer.start()
        assert inbox.wait(30, threading.Event())
        timer.join()
        assert inbox.uidvalidity == 7


def test_an_unknown_certificate_is_refused(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with ScriptedImap(certificate=certificate, tls_at_once=True) as server:
        inbox = open_inbox(server, security="tls")
        with pytest.raises(Unreachable, match="certificate"):
            inbox.__enter__()
    assert server.commands == []
