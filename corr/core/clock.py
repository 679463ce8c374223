"""The time, as a parameter."""

from __future__ import annotations

import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, and is passed to whoever needs it."""

    def now(self) -> datetime.datetime:
        """Return the present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock: the only caller of ``datetime.now``.

    It looks late, through the module, so that a frozen clock is seen.
    """

    def now(self) -> datetime.datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.datetime.now(datetime.UTC)  # noqa: TID251  the one place
