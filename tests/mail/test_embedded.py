"""The servers of the demo behave as a real mail host does."""

import smtplib
import threading
from typing import Any

import pytest
from imapclient import IMAPClient

from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.imap import Arrival, ImapInbox


def send(servers: EmbeddedServers, *recipients: str) -> None:
    with smtplib.SMTP("127.0.0.1", servers.smtp_port) as client:
        client.sendmail("aoi@players.test", recipients, b"Subject: order\r\n\r\nd4\r\n")


def mailbox(servers: EmbeddedServers, owner: str) -> list[Arrival]:
    account = Account("imap", "127.0.0.1", servers.imap_port, owner, "INBOX", "plain")
    with ImapInbox(account, "secret") as inbox:
        return [arrival for batch in inbox.leftovers() for arrival in batch]


def test_every_address_has_a_mailbox_at_first_use(embedded: EmbeddedServers) -> None:
    assert mailbox(embedded, "nobody.yet@players.test") == []
    send(embedded, "aoi@players.test", "Ben@Players.test")
    assert [len(mailbox(embedded, f"{who}@players.test")) for who in ("aoi", "ben", "carol")] == [1, 1, 0]


def test_a_plus_address_is_the_same_mailbox_and_stands_in_the_head(embedded: EmbeddedServers) -> None:
    send(embedded, "play+K7QX.14.3.5.h4nd@game.test")
    (letter,) = mailbox(embedded, "play@game.test")
    assert letter.raw.split(b"\r\n") == [
        b"Return-Path: <aoi@players.test>",
        b"X-Original-To: play+K7QX.14.3.5.h4nd@game.test",
        b"Delivered-To: play@game.test",
        b"Subject: order",
        b"",
        b"d4",
        b"",
    ]


def test_other_domains_are_refused_and_counted(embedded: EmbeddedServers) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(embedded, "aoi@elsewhere.test")
    send(embedded, "aoi@players.test", "ben@players.test")
    assert embedded.counts == {"accepted": 2, "refused": 1}


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_smtp_takes_a_login_by_either_mechanism(embedded: EmbeddedServers, mechanism: str) -> None:
    for password, code in (("secret", 235), ("wrong", 535)):
        with smtplib.SMTP("127.0.0.1", embedded.smtp_port) as client:
            client.ehlo()
            client.user, client.password = "aoi@players.test", password
            try:
                answer = client.auth(mechanism, getattr(client, f"auth_{mechanism.lower()}"))[0]
            except smtplib.SMTPAuthenticationError as refusal:
                answer = refusal.smtp_code
            assert answer == code


def test_two_pairs_of_servers_know_nothing_of_each_other(embedded: EmbeddedServers) -> None:
    with EmbeddedServers({"players.test"}, "secret") as others:
        send(others, "aoi@players.test")
        assert len(mailbox(others, "aoi@players.test")) == 1
    assert mailbox(embedded, "aoi@players.test") == []


def test_the_servers_stop_although_somebody_is_connected() -> None:
    """A client that idles and one in the middle of a letter are cut off; no thread stays."""
    before = set(threading.enumerate())
    with EmbeddedServers({"players.test"}, "secret") as servers:
        idler: Any = IMAPClient("127.0.0.1", servers.imap_port, ssl=False)
        idler.login("aoi@players.test", "secret")
        idler.select_folder("INBOX")
        idler.idle()
        sender = smtplib.SMTP("127.0.0.1", servers.smtp_port)
        sender.ehlo()
        sender.mail("aoi@players.test")
    idler.shutdown()
    sender.close()
    assert set(threading.enumerate()) == before
    with pytest.raises(ConnectionRefusedError):
        smtplib.SMTP("127.0.0.1", servers.smtp_port)
