"""What an answer shows a seat of its own: its orders as they are stored, and when they came."""

from __future__ import annotations

from corr.core.page import Stored
from corr.core.scribe import respelt
from corr.core.turn import standing
from corr.service.sitting import Sitting
from corr.store import games
from engines.api import Phase, Seat


def stored(sitting: Sitting, seat: Seat) -> tuple[Stored, ...]:
    """Return the orders of *seat* that count in the phase of now, in the order in which they came.

    Where nothing is sealed there are none: an order ended the phase that it was given in.
    """
    phase, log = sitting.status, sitting.whole_log
    if not isinstance(phase, Phase):
        return ()
    if not any(entry.seat == seat and entry.phase == phase.key for entry in log):
        return ()  # most letters cost no query by that
    counts = standing(sitting.engine, log, sitting.whole_history, seat, phase.key)
    found = games.orders_of(sitting.session, sitting.game.id, seat, phase.key)
    lang = sitting.holders[seat].player.locale
    return tuple(
        Stored(respelt(sitting.engine, sitting.position, seat, words, lang), at)
        for (words, at), so in zip(found, counts, strict=True)
        if so
    )
