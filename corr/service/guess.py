"""What a line that nobody could read may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from corr.core.commands import WORDS
from corr.core.fold import fold
from corr.core.letter import read_letter
from corr.core.mailing import ORDERS_SHOWN, example, spelt_orders
from corr.core.marks import Mark
from corr.core.nearest import nearest
from corr.core.page import Fate, Line
from corr.core.quoting import folded_lines
from corr.core.reading import MOST_LINES, Reading
from corr.core.talk import OPENERS, REPLY
from corr.core.turn import is_order
from corr.service.sitting import Sitting
from corr.store.letters import letter_to
from engines.api import Problem, Seat


def guessed(sitting: Sitting, seat: Seat, line: Line) -> Line:
    """Add to a line that was not taken the words and legal orders nearest to it, if any are near.

    Where the game can make nothing of it, and none is near, a legal order shows how one is written.
    """
    rules = line.reason is not None and line.reason.key.startswith(f"{sitting.game.engine}.")
    # Other words do not help where the line was understood, and came too late.
    if line.choices or not (line.fate is Fate.UNREAD or (line.fate is Fate.REFUSED and rules)):
        return line
    near = nearest(line.words, _known(sitting, seat))
    if near or line.fate is Fate.REFUSED or not rules:
        return replace(line, nearest=near)
    lang = sitting.holders[seat].player.locale
    return replace(line, example=example(sitting.engine, sitting.position, seat, lang))


def reasoned_once(lines: Iterable[Line]) -> Iterator[Line]:
    """Say why a line was not read under the first of several, not under each."""
    told: set[str] = set()
    for line in lines:
        key = line.reason.key if line.reason is not None and line.fate is Fate.UNREAD else ""
        yield replace(line, reason=None, example=()) if key in told else line
        told |= {key} - {""}


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
    return bool(reading.words) or any(_is_order(sitting, seat, line) for line in reading.orders)


def said_order(sitting: Sitting, seat: Seat, reading: Reading) -> Iterator[Line]:
    """Say how to play an order that stands in what is said: there it was none."""
    spoken = (word.argument for word in reading.words if word.name in {*OPENERS, REPLY})
    lines = (fold(line) for text in spoken for line in text.split("\n"))
    orders = (line for line in islice(lines, MOST_LINES) if line and _is_order(sitting, seat, line))
    if (order := next(orders, None)) is not None:
        yield Line("", Fate.UNREAD, Problem("talk.order", {"order": order}))


def _is_order(sitting: Sitting, seat: Seat, line: str) -> bool:
    return sitting.turn is not None and is_order(sitting.engine, sitting.position, seat, line)


def _overlooked(sitting: Sitting, seat: Seat, mark: Mark, cut: tuple[str, ...]) -> tuple[str, ...]:
    """Return what reads as an order and does not stand in the letter that was answered."""
    answered = letter_to(sitting.session, sitting.game.id, seat, mark.letter)
    if answered is None:
        return ()
    own = set(folded_lines(read_letter(answered.raw).text))
    others = (line for line in dict.fromkeys(cut) if line not in own)
    return tuple(line for line in others if _is_order(sitting, seat, line))[:ORDERS_SHOWN]
