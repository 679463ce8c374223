"""Where the mail is: an account on an IMAP or SMTP server, written as a URL."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit

Security = Literal["tls", "starttls", "plain"]

_PORTS = {"imap": 143, "imaps": 993, "smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Account:
    """One account; its password is kept elsewhere and never in the URL."""

    scheme: str  # "imap", "imaps", "smtp" or "smtps"
    host: str
    port: int
    user: str | None  # None: no login (SMTP only)
    folder: str  # of IMAP; "" for SMTP
    security: Security

    @classmethod
    def parse(cls, url: str) -> "Account":
        """Read ``imaps://user@host:993/INBOX`` and its like.

        ``imap`` and ``smtp`` upgrade by STARTTLS, and are plain for a loopback
        host only.  An ``@`` in the user may be written ``%40``.  Raises ValueError
        with a message for the operator, which never repeats a password.
        """
        parts = urlsplit(url)
        port = _checked_port(parts)
        is_imap = parts.scheme.startswith("imap")
        folder = unquote(parts.path.strip("/"))
        if is_imap and not parts.username:
            raise ValueError(
                f"Whose mail? Write the user into the URL: {parts.scheme}://user@{parts.hostname}"
            )
        if folder and not is_imap:
            raise ValueError("An SMTP account has no folder: end the URL after the host and port")
        return cls(
            parts.scheme,
            parts.hostname or "",
            port,
            unquote(parts.username) if parts.username else None,
            (folder or "INBOX") if is_imap else "",
            _security(parts.scheme, parts.hostname or ""),
        )

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"


def _checked_port(parts: SplitResult) -> int:
    if parts.scheme not in _PORTS:
        raise ValueError("A mail account starts with imaps://, imap://, smtps:// or smtp://")
    if parts.password is not None:
        raise ValueError("Take the password out of the URL, and give it by its own setting")
    if not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"A mail account is written {parts.scheme}://user@host:port")
    try:
        return parts.port or _PORTS[parts.scheme]
    except ValueError:
        raise ValueError("The port of a mail account is a number from 1 to 65535") from None


def _security(scheme: str, host: str) -> Security:
    if scheme.endswith("s"):
        return "tls"
    return "plain" if _is_loopback(host) else "starttls"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
