"""What a line that nobody could read may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from corr.core.commands import WORDS
from corr.core.mailing import spelt_orders
from corr.core.nearest import nearest
from corr.core.page import Fate, Line
from corr.service.sitting import Sitting
from engines.api import Seat


def guessed(sitting: Sitting, seat: Seat, line: Line) -> Line:
    """Add to a line that was not taken the words and legal orders nearest to it, if any are near."""
    if line.choices or not _unclear(sitting, line):
        return line
    return replace(line, nearest=nearest(line.words, _known(sitting, seat)))


def _unclear(sitting: Sitting, line: Line) -> bool:
    """Tell whether other words could help: not where the line was understood, and came too late."""
    rules = line.reason is not None and line.reason.key.startswith(f"{sitting.game.engine}.")
    return line.fate is Fate.UNREAD or (line.fate is Fate.REFUSED and rules)


def _known(sitting: Sitting, seat: Seat) -> Iterator[str]:
    """Yield what this seat may write now, spelt as one would in either language."""
    yield from (spelling for spellings in WORDS.values() for spelling in spellings)
    own = sitting.holders[seat].player.locale
    for lang in dict.fromkeys((own, "en")):
        yield from spelt_orders(sitting.engine, sitting.position, seat, lang)
