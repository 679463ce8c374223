"""What a line that nobody could read may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from corr.core.commands import WORDS
from corr.core.fold import bare
from corr.core.letter import read_letter
from corr.core.mailing import ORDERS_SHOWN, spelt_orders
from corr.core.marks import Mark
from corr.core.nearest import nearest
from corr.core.page import Fate, Line
from corr.core.quoting import folded_lines
from corr.core.reading import Reading
from corr.service.sitting import Sitting
from corr.store.letters import letter_to
from engines.api import Phase, Problem, Seat


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


def nothing_new(sitting: Sitting, seat: Seat, mark: Mark | None, cut: tuple[str, ...]) -> Line:
    """Answer a letter without new words; orders that stand among the quoted ones are shown, not played."""
    orders = _overlooked(sitting, seat, mark, cut) if mark else ()
    if not orders:
        return Line("", Fate.UNREAD, Problem("reading.empty"))
    return Line("", Fate.UNREAD, Problem("reading.below"), choices=orders)


def says(sitting: Sitting, seat: Seat, reading: Reading) -> bool:
    """Tell whether a letter holds a word of corr, or an order of one who may act now."""
    phase = sitting.status if sitting.turn else None
    if reading.words or not isinstance(phase, Phase) or seat not in phase.open:
        return bool(reading.words)
    parse, state = sitting.engine.parse, sitting.position.state
    spellings = (spelling for line in reading.orders for spelling in (line, bare(line)))
    return any(not isinstance(parse(state, seat, spelling), Problem) for spelling in spellings)


def _overlooked(sitting: Sitting, seat: Seat, mark: Mark, cut: tuple[str, ...]) -> tuple[str, ...]:
    """Return what reads as an order and does not stand in the letter that was answered."""
    phase = sitting.status if sitting.turn else None
    answered = letter_to(sitting.session, sitting.game.id, seat, mark.letter)
    if not isinstance(phase, Phase) or seat not in phase.open or answered is None:
        return ()
    own = set(folded_lines(read_letter(answered.raw).text))
    others = (line for line in dict.fromkeys(cut) if line not in own)
    state = sitting.position.state
    orders = (line for line in others if not isinstance(sitting.engine.parse(state, seat, line), Problem))
    return tuple(orders)[:ORDERS_SHOWN]
