"""SIGTERM and SIGINT let the work in hand finish."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def stop_on_signals(stop: threading.Event) -> None:
    """Set *stop* when the process is asked to end; asked twice, it ends as usual."""

    def asked(number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked)
