"""What an answer shows a seat of its own: its orders as they are stored, and when they came."""

from __future__ import annotations

from corr.core.fold import fold
from corr.core.page import Stored
from corr.service.sitting import Sitting
from corr.store import games
from engines.api import Phase, Problem, Seat


def stored(sitting: Sitting, seat: Seat) -> tuple[Stored, ...]:
    """Return the orders of *seat* in the phase of now, in the order in which they came.

    Where nothing is sealed there are none: an order ended the phase that it was given in.
    """
    phase = sitting.status
    if not isinstance(phase, Phase) or not _has_ordered(sitting, seat, phase.key):
        return ()
    found = games.orders_of(sitting.session, sitting.game.id, seat, phase.key)
    return tuple(Stored(_spelt(sitting, seat, words), at) for words, at in found)


def _has_ordered(sitting: Sitting, seat: Seat, phase: str) -> bool:
    """Tell whether there is anything to look for: most letters cost no query by that."""
    new = sitting.turn.entries if sitting.turn else ()
    return any(entry.seat == seat and entry.phase == phase for entry in (*new, *sitting.log))


def _spelt(sitting: Sitting, seat: Seat, words: str) -> str:
    """Write a stored order as its reader would, where it still reads as one."""
    state, lang = sitting.position.state, sitting.holders[seat].player.locale
    read = sitting.engine.parse(state, seat, fold(words))
    if isinstance(read, Problem) or len(read) != 1:
        return words
    return sitting.engine.spell(state, seat, read[0], lang)
