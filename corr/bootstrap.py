"""The composition root: the only place that builds what touches the world."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from corr.core.clock import SystemClock
from corr.mail.account import Account
from corr.mail.dkim import look_up
from corr.mail.imap import ImapInbox
from corr.mail.smtp import SmtpPostman
from corr.registry import Registry
from corr.service.heartbeat import DEAF_AFTER, Heart
from corr.service.office import Office
from corr.settings import BadSettings, Settings
from corr.store.migrate import check
from corr.store.session import Database, open_database


@dataclass(frozen=True, slots=True)
class Server:
    """One corr server, put together."""

    settings: Settings
    office: Office

    @property
    def mailbox(self) -> str:
        """The name of the inbox, which tells its letters from those of another."""
        account = Account.parse(self.settings.imap)
        return f"{account.user}@{account.host}/{account.folder}"

    def inbox(self) -> ImapInbox:
        """Return an inbox that is not connected yet; raises BadSettings."""
        return inbox(self.settings)

    def postman(self) -> SmtpPostman:
        """Return a postman; raises BadSettings."""
        return postman(self.settings)

    def heart(self) -> Heart | None:
        """Return what watches the inbox; None without an operator who could be told."""
        if self.settings.operator is None:
            return None
        deaf_after = max(DEAF_AFTER, timedelta(seconds=3 * self.settings.poll))
        every = timedelta(hours=self.settings.heartbeat)
        return Heart(self.office, self.postman(), self.settings.operator, every, deaf_after)

    def close(self) -> None:
        """Let go of the database."""
        self.office.database.close()


def inbox(settings: Settings) -> ImapInbox:
    """Return an inbox that is not connected yet; raises BadSettings without a password."""
    account = Account.parse(settings.imap)
    return ImapInbox(account, _needed("imap", account, settings.password_in))


def postman(settings: Settings) -> SmtpPostman:
    """Return a postman; raises BadSettings when its account wants a password that is not set."""
    account = Account.parse(settings.smtp)
    return SmtpPostman(account, _needed("smtp", account, settings.password_out), limits=settings.limits)


def _needed(setting: str, account: Account, password: str) -> str:
    if account.user and not password:
        variable = f"{setting}_password"
        raise BadSettings(
            f"no password for {account}: set CORR_{variable.upper()}, or name a file with {variable}_file"
        )
    return password


def office(settings: Settings, database: Database) -> Office:
    """Return what the use cases need, with the real clock and the system's own randomness."""
    return Office(
        database=database,
        engines=Registry.installed(),
        clock=SystemClock(),
        entropy=secrets.token_bytes,
        address=settings.address,
        name=settings.name,
        timezone=settings.timezone,
        authserv_id=settings.authserv_id,
        key_lookup=look_up if settings.dkim else None,
        limits=settings.limits,
    )


def build(settings: Settings) -> Server:
    """Open the database, check that it fits this corr, and put the server together.

    Raises BadSettings or DatabaseUnusable with what to do.
    """
    database = open_database(settings.database)
    try:
        check(database)
    except BaseException:
        database.close()
        raise
    return Server(settings, office(settings, database))
