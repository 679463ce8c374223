"""Who is told what after a turn: pages, without text.

A page needs a reason.  A new phase writes to every seat; inside a phase only
the author of a letter is answered.  So the pages that a seat gets, and those it
does not, depend on nothing that it may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from corr.core.page import Ending, Kind, Page, Situation, Table
from corr.core.turn import AnyEngine, Ended, Position, Step, Turn, status
from engines.api import Outcome, Phase, Phrase, Seat, Watcher, name

ORDERS_SHOWN = 12
"""A letter lists at most a dozen legal orders."""

ORDERS_COUNTED = 1_000
"""Where there are more, nobody counts them."""

_STORY_OF_END = {
    "resignation": "story.resigned",
    "agreement": "story.draw-agreed",
    "time": "story.timed-out",
}


@dataclass(frozen=True, slots=True)
class Readers:
    """The game as its letters show it, and the language that each seat reads."""

    table: Table
    languages: Mapping[Seat, str]
    deadline: datetime | None = None


def situation(engine: AnyEngine, position: Position, seat: Seat, readers: Readers) -> Situation | None:
    """Show the position to one seat, with what it may do; None when the game is over.

    Where several may act at once, who has done so is nobody else's business: a
    letter names others as waited for only where they can be no surprise.
    """
    phase = status(engine, position)
    if isinstance(phase, Outcome):
        return None
    orders, count = _orders(engine, position, phase, seat, readers.languages[seat])
    return Situation(
        view=engine.view(position.state, seat),
        waiting=phase.waiting if len(phase.open) == 1 else phase.waiting & {seat},
        may_act=seat in phase.open,
        deadline=readers.deadline,
        orders=orders,
        order_count=count,
    )


def _orders(
    engine: AnyEngine, position: Position, phase: Phase, seat: Seat, lang: str
) -> tuple[tuple[str, ...], int]:
    """Spell the first dozen legal orders, and count them all."""
    if seat not in phase.open:
        return (), 0
    legal = tuple(islice(engine.orders(position.state, seat), ORDERS_COUNTED))
    spelt = (engine.spell(position.state, seat, order, lang) for order in legal[:ORDERS_SHOWN])
    return tuple(spelt), len(legal)


def spelt_orders(engine: AnyEngine, position: Position, seat: Seat, lang: str) -> tuple[str, ...]:
    """Spell all that a seat may order now, as far as it is counted."""
    return _first(ORDERS_COUNTED, engine, position, seat, lang)


def example(engine: AnyEngine, position: Position, seat: Seat, lang: str) -> tuple[str, ...]:
    """Spell the first of what a seat may order now, if it may order anything."""
    return _first(1, engine, position, seat, lang)


def _first(most: int, engine: AnyEngine, position: Position, seat: Seat, lang: str) -> tuple[str, ...]:
    phase = status(engine, position)
    if isinstance(phase, Outcome) or seat not in phase.open:
        return ()
    legal = islice(engine.orders(position.state, seat), most)
    return tuple(engine.spell(position.state, seat, order, lang) for order in legal)


def story(engine: AnyEngine, steps: Iterable[Step], seat: Seat | Watcher) -> tuple[Phrase, ...]:
    """Tell what happened, as *seat* may know it."""
    return tuple(phrase for step in steps for phrase in _told(engine, step, seat))


def secrets(engine: AnyEngine, steps: Iterable[Step], seat: Seat) -> tuple[Phrase, ...]:
    """Tell what *seat* was told and the public was not."""
    found: list[Phrase] = []
    for step in steps:
        public = _told(engine, step, Watcher.PUBLIC)
        found += (phrase for phrase in _told(engine, step, seat) if phrase not in public)
    return tuple(found)


def _told(engine: AnyEngine, step: Step, seat: Seat | Watcher) -> Sequence[Phrase]:
    if isinstance(step.fact, Ended):
        return (_end(step.fact),)
    return engine.tell(step.after.state, step.fact, seat)


def _end(fact: Ended) -> Phrase:
    """Put an end outside the rules in words."""
    key = _STORY_OF_END.get(fact.outcome.reason, "story.adjudicated")
    return Phrase(key, {"by": tuple(map(name, fact.by))} if fact.by else {})


def ending(
    engine: AnyEngine, outcome: Outcome, record: Sequence[Step], *, seed: str, digest: str, remark: str = ""
) -> Ending:
    """Gather what the end of a game makes public: the whole story, the last position and the luck."""
    view = engine.view(record[-1].after.state, Watcher.PUBLIC)
    return Ending(outcome, story(engine, record, Watcher.PUBLIC), seed, digest, remark, view)


def opening(engine: AnyEngine, turn: Turn, readers: Readers, digest: str) -> dict[Seat, Page]:
    """Write to every seat that the game has begun, or that it goes on here from its record."""
    resumed = any(entry.seat is not None for entry in turn.entries)
    return {
        seat: Page(
            kind=Kind.START,
            seat=seat,
            table=readers.table,
            story=story(engine, turn.steps, seat),
            situation=situation(engine, turn.after, seat, readers),
            digest=digest,
            note=Phrase("note.goes-on") if resumed else None,
        )
        for seat in readers.languages
    }


def after(
    engine: AnyEngine, turn: Turn, since: Iterable[Step], readers: Readers, author: Seat | None
) -> dict[Seat, Page]:
    """Write what a turn gives reason to write, seat by seat.

    *since* are the steps of the phase that the turn closed, before the turn:
    what the other seats have not been told yet.
    """
    told = (*since, *turn.steps)
    pages: dict[Seat, Page] = {}
    for seat in readers.languages:
        if seat == author:
            pages[seat] = _page(engine, turn, turn.steps, readers, seat, Kind.ANSWER)
        elif turn.opened:
            pages[seat] = _page(engine, turn, told, readers, seat, Kind.TURN)
    return pages


def _page(
    engine: AnyEngine, turn: Turn, told: Iterable[Step], readers: Readers, seat: Seat, kind: Kind
) -> Page:
    return Page(
        kind=kind,
        seat=seat,
        table=readers.table,
        lines=turn.lines if kind is Kind.ANSWER else (),
        story=story(engine, told, seat),
        situation=situation(engine, turn.after, seat, readers),
    )


def result(
    engine: AnyEngine, turn: Turn, since: Iterable[Step], readers: Readers, end: Ending
) -> dict[Seat, Page]:
    """Write to every seat how the game ended."""
    told = (*since, *turn.steps)
    return {
        seat: Page(
            kind=Kind.RESULT,
            seat=seat,
            table=readers.table,
            story=story(engine, told, seat),
            ending=end,
        )
        for seat in readers.languages
    }
