"""One letter to a running game: its orders, its words, and the one answer."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session

from corr.core.letter import Letter
from corr.core.marks import Mark
from corr.core.pace import opening
from corr.core.page import Fate, Line
from corr.core.reading import MOST_LINES, Reading, read
from corr.core.turn import stale, take
from corr.service import words
from corr.service.closing import close
from corr.service.office import Office
from corr.service.sitting import Answer, Sitting
from corr.store import games
from corr.store.tables import Game, Inbound
from engines.api import Problem, Seat


def play(
    session: Session,
    office: Office,
    game: Game,
    seat: Seat,
    mark: Mark | None,
    letter: Letter,
    inbound: Inbound,
) -> None:
    """Judge a letter of the holder of *seat*, whose game is locked, and answer it.

    Without a *mark* nothing is played: the answer carries one to reply to.
    """
    sitting = Sitting(session, office, game)
    answer = Answer(inbound, seat)
    inbound.game_id, inbound.seat = game.id, seat
    inbound.player_id = sitting.holders[seat].player.id
    reading = read(letter)
    orders = iter(_orders(sitting, seat, mark, reading))
    desk = words.Desk(sitting, answer, mark)
    for text, word in reading.lines:
        answer.lines.append(next(orders) if word is None else words.act(desk, text, word))
    answer.lines.extend(remarks(reading))
    _lapse_draws(sitting)
    close(sitting, opening(inbound.received_at, office.clock.now()), answer)
    conclude(inbound, answer.lines)


def _orders(sitting: Sitting, seat: Seat, mark: Mark | None, reading: Reading) -> tuple[Line, ...]:
    """Judge the lines that are no words of corr."""
    if not reading.orders:
        return ()
    if mark is None:
        return tuple(Line(text, Fate.REFUSED, Problem("intake.no-mark")) for text in reading.orders)
    if mark.position != sitting.game.position and not reading.says("anyway"):
        return stale(sitting.engine, sitting.position, seat, reading.orders)
    turn = take(
        sitting.engine,
        sitting.position,
        seat,
        reading.orders,
        sitting.luck,
        lang=sitting.holders[seat].player.locale,
        together=reading.says("together"),
        early=sitting.early,
    )
    if turn.entries:
        sitting.add(turn)
    return turn.lines


def remarks(reading: Reading) -> Iterable[Line]:
    """Say what was not read because there was too much of it, or nothing."""
    if reading.left:
        yield Line("…", Fate.UNREAD, Problem("reading.too-many-lines", {"n": MOST_LINES}))
    if not reading.lines:
        yield Line("", Fate.UNREAD, Problem("reading.empty"))


def _lapse_draws(sitting: Sitting) -> None:
    """Let go of a draw that another seat has answered by playing on."""
    moved = {entry.seat for entry in sitting.turn.entries} if sitting.turn else set[Seat | None]()
    for offer in games.open_asks(sitting.session, sitting.game.id, "draw"):
        if moved - {offer.seat, None}:
            offer.status = "lapsed"


def conclude(inbound: Inbound, lines: Iterable[Line]) -> None:
    """Record what became of the letter: refused when nothing of it was taken."""
    lines = tuple(lines)
    taken = any(line.fate is Fate.TAKEN for line in lines)
    inbound.status = "done" if taken else "refused"
    reasons = (line.reason.key for line in lines if line.reason and line.fate is not Fate.TAKEN)
    inbound.problem = None if taken else next(reasons, None)
