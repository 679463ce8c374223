"""Mail providers: where their servers are, and how much they let an account send.

The figures are a little below those that the providers publish for one account, in any
24 hours; a cautious guess for Fastmail, whose depend on the plan.  Settings win over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Limits:
    """How fast an account may send; None: as fast as the server takes letters."""

    per_minute: int | None = None
    per_hour: int | None = None
    per_day: int | None = None  # within 24 hours
    per_connection: int = 100  # letters after which a new connection is made
    connections: int = 2  # at a time

    def __str__(self) -> str:
        spans = {"a minute": self.per_minute, "an hour": self.per_hour, "a day": self.per_day}
        most = ", ".join(f"{number} {span}" for span, number in spans.items() if number is not None)
        return f"at most {most}" if most else "as many as the server takes"


@dataclass(frozen=True, slots=True)
class Preset:
    """One provider."""

    imap: str  # the account as a URL, with {user} for whose it is
    smtp: str
    limits: Limits
    note: str = ""  # what an operator must do there first

    def accounts(self, address: str) -> dict[str, str]:
        """Return the settings ``imap`` and ``smtp`` for the mailbox of *address*."""
        user = quote(address, safe="")
        return {"imap": self.imap.format(user=user), "smtp": self.smtp.format(user=user)}


UNKNOWN_SERVER = Limits(per_minute=60)
"""For a server of which corr knows nothing but that it is not on this machine."""

_GMAIL_IMAP = "imaps://{user}@imap.gmail.com:993/INBOX"
_GMAIL_SMTP = "smtps://{user}@smtp.gmail.com:465"
_APP_PASSWORD = "the password is an app password, made in the settings of the account"  # noqa: S105

PRESETS: Mapping[str, Preset] = {
    "gmail": Preset(_GMAIL_IMAP, _GMAIL_SMTP, Limits(per_minute=20, per_day=450), _APP_PASSWORD),
    "workspace": Preset(_GMAIL_IMAP, _GMAIL_SMTP, Limits(per_minute=30, per_day=1_900), _APP_PASSWORD),
    "microsoft365": Preset(
        "imaps://{user}@outlook.office365.com:993/INBOX",
        "smtp://{user}@smtp.office365.com:587",
        Limits(per_minute=28, per_day=9_500),
        "Microsoft takes no passwords for IMAP: run a proxy that logs in by OAuth 2.0 "
        "(email-oauth2-proxy) on this machine, and name it in `imap` and `smtp`",
    ),
    "fastmail": Preset(
        "imaps://{user}@imap.fastmail.com:993/INBOX",
        "smtps://{user}@smtp.fastmail.com:465",
        Limits(per_minute=30, per_hour=900, per_day=1_900),
        _APP_PASSWORD,
    ),
    "postfix": Preset(
        "imap://{user}@127.0.0.1:143/INBOX",
        "smtp://127.0.0.1:25",
        Limits(per_connection=1_000, connections=4),
    ),
}
