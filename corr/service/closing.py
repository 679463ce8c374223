"""The end of a sitting: the log, the game row, the deadlines and the letters, together."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from corr.core import mailing, pace
from corr.core.page import Kind, Page
from corr.core.turn import Turn
from corr.service import unreachable
from corr.service.dispatch import Due, write_seats
from corr.service.receipt import stored
from corr.service.record import record_of
from corr.service.sitting import Answer, Sitting
from corr.service.talk import deliver
from corr.store import games
from engines.api import Outcome, Phase, Seat


def close(sitting: Sitting, started: datetime, answer: Answer | None = None, remark: str = "") -> None:
    """Write what happened; a phase that opened did so at *started*.

    *answer* is due to the writer of a letter; *remark* is a master's reason.
    """
    turn = sitting.turn
    if turn is not None and turn.entries:
        _record(sitting, turn, answer.inbound.id if answer else None)
        if turn.opened or isinstance(sitting.status, Outcome):
            _move_clock(sitting, started)
    pages = _pages(sitting, answer, remark).items()
    dues = [_due(sitting, seat, page, answer) for seat, page in pages if not _may_wait(sitting, page)]
    write_seats(sitting.session, sitting.office, sitting.game, dues)
    if turn is not None and turn.opened and isinstance(sitting.status, Phase):
        unreachable.tell(sitting)
    deliver(sitting)


def _due(sitting: Sitting, seat: Seat, page: Page, answer: Answer | None) -> Due:
    return Due(seat, sitting.holders[seat], page, answer.inbound if answer and seat == answer.seat else None)


def _may_wait(sitting: Sitting, page: Page) -> bool:
    """Tell whether a page asks nothing of a reader who wants urgent letters only."""
    assert page.seat is not None
    if sitting.holders[page.seat].player.settings.get("letters") != "urgent" or page.kind is not Kind.TURN:
        return False
    return page.question is None and not (page.situation and page.situation.may_act)


def _record(sitting: Sitting, turn: Turn, inbound_id: int | None) -> None:
    game, now, outcome = sitting.game, sitting.office.clock.now(), sitting.status
    phase_key = None if isinstance(outcome, Outcome) else outcome.key
    games.append(
        sitting.session,
        sitting.engine,
        game,
        turn.entries,
        now,
        inbound_id,
        position=game.position + turn.opened,
        phase_key=phase_key,
    )
    sitting.remember(now)
    if isinstance(outcome, Outcome):
        game.status, game.ended_at = "over", now
        game.outcome = {"winners": sorted(outcome.winners), "reason": outcome.reason}
        for ask in games.open_asks(sitting.session, game.id):
            ask.status = "lapsed"


def _move_clock(sitting: Sitting, started: datetime) -> None:
    """Let the old deadlines go; arm those of the phase that opened."""
    game = sitting.game
    games.supersede(sitting.session, game.id)
    if isinstance(phase := sitting.status, Phase):
        due = pace.deadline(game.paces[phase.pace], started, phase.share)
        sitting.opened_until = due
        reminder = pace.reminder(started, due)
        games.arm(sitting.session, game, [("expire", "", due), ("remind", "80%", reminder)])


def _pages(sitting: Sitting, answer: Answer | None, remark: str) -> dict[Seat, Page]:
    """Gather one page at most for each seat: for an open question, a turn, an answer."""
    pages = sitting.pages | _told(sitting, answer, remark)
    for seat, question in sitting.questions.items():
        page = pages.get(seat) or replace(_bare(sitting, seat), kind=Kind.QUESTION)
        pages[seat] = replace(page, question=question)
    if answer is not None:
        page = pages.get(answer.seat) or _bare(sitting, answer.seat)
        pages[answer.seat] = _answered(sitting, page, answer)
    return pages


def _told(sitting: Sitting, answer: Answer | None, remark: str) -> dict[Seat, Page]:
    """Return the pages that the turn gives reason for."""
    engine, turn, game = sitting.engine, sitting.turn, sitting.game
    if turn is None or not turn.entries:
        return {}
    if isinstance(outcome := sitting.status, Outcome):
        end = sitting.ending(outcome, remark)
        return mailing.result(engine, turn, sitting.since(), sitting.readers(), end)
    if not sitting.history:
        return mailing.opening(engine, turn, sitting.readers(), game.seed_digest or "")
    author = answer.seat if answer else None
    return mailing.after(engine, turn, sitting.since(), sitting.readers(), author)


def _bare(sitting: Sitting, seat: Seat) -> Page:
    """Return a page that shows where the game stands."""
    page = Page(kind=Kind.ANSWER, seat=seat, table=sitting.table)
    if sitting.turn is None:
        return page
    if isinstance(outcome := sitting.status, Outcome):
        return replace(page, ending=sitting.ending(outcome))
    shown = mailing.situation(sitting.engine, sitting.position, seat, sitting.readers())
    return replace(page, situation=shown)


def _answered(sitting: Sitting, page: Page, answer: Answer) -> Page:
    """Put into a page what the answer to a letter holds beside the position."""
    page = replace(
        page,
        lines=tuple(answer.lines),
        received=answer.inbound.received_at,
        topics=tuple(answer.topics),
        asked=answer.asked,
        games=answer.games,
        question=answer.question or page.question,
    )
    if sitting.turn is None:
        return page
    if "me" in answer.topics:
        page = replace(page, secrets=mailing.secrets(sitting.engine, sitting.history, answer.seat))
    if "history" in answer.topics:
        page = _with_history(sitting, page, answer)
    return replace(page, stored=stored(sitting, answer.seat))


def _with_history(sitting: Sitting, page: Page, answer: Answer) -> Page:
    """Tell what happened, or the part that was asked for; the whole also as a record."""
    told = mailing.story(sitting.engine, sitting.history, answer.seat)
    first, last = _bounds(answer.extent, len(told))
    page = replace(page, history=told[first - 1 : last], history_from=first)
    if answer.extent is not None:
        return page
    lang = sitting.holders[answer.seat].player.locale
    return replace(page, record=record_of(sitting, answer.seat, lang))


def _bounds(extent: tuple[int | None, int] | None, length: int) -> tuple[int, int]:
    """Return the first and the last of what was asked for, counted from 1."""
    if extent is None:
        return 1, length
    first, last = extent
    return (max(1, length - last + 1), length) if first is None else (max(1, first), last)
