"""A player who knows only a mail program."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import localtime
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborHTMLParser

from corr.demo.clients import Client, html_of, reply_to
from corr.mail.account import Account
from corr.mail.imap import ImapInbox
from corr.mail.smtp import Delivery, Envelope, SmtpPostman

LOOKS_EVERY = 2.0  # seconds: a call that comes as the player begins to listen may not be heard


@dataclass(frozen=True, slots=True)
class MailHost:
    """Where players' mail is: servers on loopback, one password for all."""

    imap_port: int
    smtp_port: int
    password: str

    def inbox(self, address: str) -> ImapInbox:
        """Return the mailbox of *address*, not connected yet."""
        user = address.replace("@", "%40")
        return ImapInbox(Account.parse(f"imap://{user}@127.0.0.1:{self.imap_port}/INBOX"), self.password)

    def post(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a letter to the SMTP server; raises ConnectionError when it is not taken."""
        ends: list[Delivery] = []
        postman = SmtpPostman(Account.parse(f"smtp://127.0.0.1:{self.smtp_port}"))
        postman.deliver([Envelope(1, sender, recipient, raw)], lambda _: None, ends.append)
        if ends[0].status != "sent":
            raise ConnectionError(f"{recipient}: {ends[0].status} {ends[0].text}")


class MailPlayer:
    """Reads letters over IMAP, and replies over SMTP with the letter quoted below."""

    def __init__(self, name: str, address: str, host: MailHost, client: Client) -> None:
        self.name, self.address = name, address
        self.letters: list[EmailMessage] = []  # all that came, the newest last
        self._host, self._client = host, client
        self._replies = 0

    def arrivals(self, stop: threading.Event) -> Iterator[EmailMessage]:
        """Yield letters as they come, until *stop* is set."""
        with self._host.inbox(self.address) as inbox:
            while not stop.is_set():
                yield from self._taken(inbox)
                inbox.wait(LOOKS_EVERY, stop)

    def _taken(self, inbox: ImapInbox) -> Iterator[EmailMessage]:
        for batch in inbox.leftovers():
            inbox.file([arrival.uid for arrival in batch])
            for arrival in batch:
                letter = message_from_bytes(arrival.raw, policy=default)
                self.letters.append(letter)
                yield letter

    def reply(self, letter: EmailMessage, words: str) -> EmailMessage:
        """Send a reply, as this player's program writes it."""
        reply = reply_to(letter, words, f"{self.name} <{self.address}>", self._client)
        self._replies += 1
        digest = sha256(f"{self.address} {self._replies} {letter['Message-ID']}".encode()).hexdigest()[:24]
        reply["Message-ID"] = f"<{digest}@{self.address.rpartition('@')[2]}>"
        reply["Date"] = localtime()
        recipient = str(reply["To"]).rpartition("<")[2].rstrip(">")
        self._host.post(self.address, recipient, reply.as_bytes(policy=SMTP))
        return reply


def offered(letter: EmailMessage) -> tuple[str, ...]:
    """Return the words of the reply links of a letter, in order: one tap, then send."""
    tree = LexborHTMLParser(html_of(letter))
    links = (node.attributes.get("href") or "" for node in tree.css("a[href]"))
    return tuple(dict.fromkeys(words for link in links if (words := _words(link))))


def _words(link: str) -> str | None:
    parts = urlsplit(link)
    body = parse_qs(parts.query).get("body", [""])[0] if parts.scheme == "mailto" else ""
    return body.split("\r\n")[0].strip() or None
