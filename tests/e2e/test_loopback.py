"""Nobody waits long for a letter that is there, however it came: a game by mail is many short waits."""

from __future__ import annotations

import socket
import threading
from socket import SocketIO
from time import monotonic

from corr.demo.player import MailHost
from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.imap import ImapInbox
from tests.mail.scripted import ScriptedImap

LETTER = b"From: a@players.test\r\nTo: b@players.test\r\nSubject: hello\r\n\r\nhello\r\n"


def test_a_letter_that_came_just_before_a_client_idles_is_told_at_once() -> None:
    """RFC 2177: the server sends what the client has not heard of, not only what comes later."""
    with (
        EmbeddedServers({"players.test"}, "secret") as mail,
        socket.create_connection(("127.0.0.1", mail.imap_port), timeout=5) as line,
        line.makefile("rwb", buffering=0) as imap,
    ):
        for command in (b"a LOGIN b@players.test secret", b"b SELECT INBOX"):
            imap.write(command + b"\r\n")
            heard_until(imap, command[:2])
        MailHost(mail.imap_port, mail.smtp_port, "secret").post("a@players.test", "b@players.test", LETTER)
        imap.write(b"c IDLE\r\n")
        heard_until(imap, b"* 1 EXISTS")  # else the time runs out


def heard_until(imap: SocketIO, words: bytes) -> None:
    """Read what the server says up to a line that begins with *words*."""
    while not (said := imap.readline()).startswith(words):
        assert said, "the server hung up"


def test_a_word_that_comes_with_the_answer_to_idle_costs_seconds_not_minutes() -> None:
    """It lies in the reader's buffer, where no poll finds it; the first looks follow each other soon."""
    with ScriptedImap({"IDLE": "+ idling\r\n* 2 EXISTS"}) as server:
        account = Account("imap", "127.0.0.1", server.port, "play", "INBOX", "plain")
        with ImapInbox(account, "secret") as inbox:
            assert list(inbox.arrivals(1)) == []
            threading.Timer(0.2, server.say, ["UID SEARCH", "* SEARCH 2"]).start()
            start = monotonic()
            assert inbox.wait(60, threading.Event())
            assert monotonic() - start < 10
