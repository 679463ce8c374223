"""Letters to somebody come back: the others at the table are told, once for each trouble.

They learn neither an address nor why.  The operator reads both in ``corr doctor``.
"""

from __future__ import annotations

from collections.abc import Iterator

from corr.core.page import Kind, Page
from corr.service.dispatch import Due, write_seat
from corr.service.sitting import Sitting
from corr.store.letters import wrote_about
from engines.api import Phase, Phrase, Seat, name


def tell_inside(sitting: Sitting) -> None:
    """Tell the others in the middle of a phase, where that gives nothing away.

    Where several may act at once, corr writes to a seat because of what it has done or
    has not: that such a letter came back would tell which.  There the news waits for
    the next phase.
    """
    phase = sitting.status
    if isinstance(phase, Phase) and len(phase.open) == 1:
        tell(sitting)


def tell(sitting: Sitting) -> None:
    """Tell the others for whom letters do not arrive, if they have not been told.

    Not where nobody learns who says what: whom no letter reaches has not said the last words.
    """
    if sitting.table.press == "anonymous":
        return
    for lost in _lost(sitting):
        for seat in sitting.holders:
            if seat != lost:
                _note(sitting, seat, lost)


def _lost(sitting: Sitting) -> Iterator[Seat]:
    """Yield the seats of which the others do not know yet."""
    for seat, holder in sitting.holders.items():
        address, about = holder.address, _about(seat)
        if address.state != "bouncing" or address.last_bounce_at is None:
            continue
        if not wrote_about(sitting.session, sitting.game.id, about, address.last_bounce_at):
            yield seat


def _about(lost: Seat) -> str:
    return f"unreachable-{lost}"


def _note(sitting: Sitting, seat: Seat, lost: Seat) -> None:
    holder = sitting.holders[seat]
    if holder.address.state == "bouncing" or holder.player.settings.get("letters") == "urgent":
        return
    note = Phrase("note.unreachable", {"by": name(lost)})
    page = Page(kind=Kind.NOTE, seat=seat, table=sitting.table, note=note)
    write_seat(sitting.session, sitting.office, sitting.game, Due(seat, holder, page, about=_about(lost)))
