"""What every use case is given: the store, the engines, the time, the luck and the address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from corr.core.clock import Clock
from corr.mail.dkim import KeyLookup
from corr.mail.presets import Limits
from corr.registry import Registry
from corr.store.session import Database


@dataclass(frozen=True, slots=True)
class Office:
    """One corr server, as the use cases see it."""

    database: Database
    engines: Registry
    clock: Clock
    entropy: Callable[[int], bytes]  # that many random bytes that nobody can guess
    address: str  # where players write to
    name: str  # beside the address
    timezone: str  # of players who have not named their own
    templates: tuple[Path, ...] = ()  # further folders, laid out like ``templates/``
    limits: Limits = field(default_factory=Limits)  # of the account that letters go out by
    authserv_id: str | None = None  # of the mail server whose word on senders counts; None: of nobody
    key_lookup: KeyLookup | None = None  # of DKIM keys, where corr checks signatures itself

    @property
    def mailbox(self) -> str:
        """The local part of the address."""
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return self.address.rpartition("@")[2]

    def tagged(self, tag: str) -> str:
        """Return the address with a tag after a plus."""
        return f"{self.mailbox}+{tag}@{self.domain}"
