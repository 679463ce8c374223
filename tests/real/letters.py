"""Letters to and from Dovecot and Postfix."""

from __future__ import annotations

from collections.abc import Iterable

from corr.mail.account import Account, Security
from corr.mail.imap import Arrival, ImapInbox
from corr.mail.smtp import Delivery, Envelope, SmtpPostman
from tests.real.stack import HOST, PASSWORD, RealServers


def open_inbox(
    servers: RealServers,
    address: str,
    *,
    host: str = HOST,
    security: Security = "plain",
    password: str = PASSWORD,
    timeout: float = 30.0,
) -> ImapInbox:
    """Return the inbox of *address*, not connected yet."""
    port = servers.imaps_port if security == "tls" else servers.imap_port
    return ImapInbox(Account("imap", host, port, address, "INBOX", security), password, timeout=timeout)


def postman(
    servers: RealServers,
    *,
    user: str | None = None,
    host: str = HOST,
    security: Security = "plain",
    password: str = PASSWORD,
) -> SmtpPostman:
    """Return a postman for Postfix."""
    port = servers.smtps_port if security == "tls" else servers.smtp_port
    return SmtpPostman(Account("smtp", host, port, user, "", security), password, 10.0)


def send(carrier: SmtpPostman, recipients: Iterable[str]) -> list[Delivery]:
    """Send a letter to each recipient; returns what became of it, in order."""
    batch = [
        Envelope(n, "aoi@players.test", recipient, f"Subject: {n}\r\nTo: {recipient}\r\n\r\nd4\r\n".encode())
        for n, recipient in enumerate(recipients)
    ]
    done: list[Delivery] = []
    carrier.deliver(batch, lambda _: None, done.append)
    return sorted(done, key=lambda delivery: delivery.id)


def written(subject: str, size: int = 0) -> bytes:
    """Return a letter of about *size* bytes."""
    return f"Subject: {subject}\r\n\r\n".encode() + (b"x" * 70 + b"\r\n") * (size // 72 + 1)


def subjects(arrivals: Iterable[Arrival]) -> list[str]:
    """Return what letters are about."""
    return [arrival.raw.decode().partition("Subject: ")[2].partition("\r\n")[0] for arrival in arrivals]
