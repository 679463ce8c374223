"""One letter to a running game: its orders, its words, and the one answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from corr.core.letter import Letter, read_letter
from corr.core.marks import Mark
from corr.core.pace import opening
from corr.core.page import Fate, Line
from corr.core.reading import MOST_LINES, Reading, part_for
from corr.core.turn import stale, status, take
from corr.service import talk, words
from corr.service.closing import close
from corr.service.guess import guessed, nothing_new, reasoned_once, said_order, says
from corr.service.office import Office
from corr.service.sitting import Answer, Sitting
from corr.store import games
from corr.store.tables import Ask, Game, Inbound
from engines.api import Phase, Problem, Seat


def play(
    session: Session,
    office: Office,
    game: Game,
    seat: Seat,
    mark: Mark | None,
    letter: Letter,
    inbound: Inbound,
    elsewhere: tuple[Line, ...] = (),
) -> None:
    """Judge a letter of the holder of *seat*, whose game is locked, and answer it.

    Without a *mark* nothing is played: the answer carries one to reply to.  A yes
    also lets a letter be judged that waited for it, by the position of now; what
    that opens begins when the letter had come.  *elsewhere* is what the answer tells
    of lines that were meant for other games.
    """
    sitting = Sitting(session, office, game)
    answer = Answer(inbound, seat)
    inbound.game_id, inbound.seat = game.id, seat
    inbound.player_id = sitting.holders[seat].player.id
    reading = _read(sitting, seat, mark, letter)
    desk = words.Desk(sitting, answer, mark)
    if reading.lines or not elsewhere:
        answer.lines.extend(_judged(desk, reading))
        words.ask_again(desk)
    answer.lines[:] = reasoned_once((*answer.lines, *elsewhere))
    talk.keep_short(sitting, answer, reading)
    conclude(inbound, answer.lines)
    came = [inbound.received_at, *(_carry_out(desk, ask) for ask in desk.confirmed)]
    _lapse_draws(sitting)
    close(sitting, opening(min(came), office.clock.now()), answer)


def _read(sitting: Sitting, seat: Seat, mark: Mark | None, letter: Letter) -> Reading:
    """Read a letter and, where its body holds no order and no word, the text file that came with it."""
    body = talk.read_reply(sitting.session, sitting.game, mark, letter)
    if not letter.attached or says(sitting, seat, body):
        return body
    attached = replace(letter, text=letter.attached, subject="")
    file = talk.read_reply(sitting.session, sitting.game, mark, attached)
    if not file.lines or (body.lines and not says(sitting, seat, file)):
        return body
    return Reading((*body.lines, *file.lines), file.left, attached=True)


def _judged(desk: words.Desk, reading: Reading) -> Iterator[Line]:
    """Judge the lines of one letter; all or none of them where it says ``together``.

    A letter that was cut at its last line that is read is not whole.
    """
    tried = _rehearsed(desk, reading) if reading.says("together") else []
    if any(line.fate is Fate.REFUSED for line in tried) or (tried and reading.left):
        return _taken_back(desk, reading, tried)
    return _each(desk, reading)


def _rehearsed(desk: words.Desk, reading: Reading) -> list[Line]:
    """Judge the lines of one letter, and let nothing of it have happened."""
    answer = replace(desk.answer, lines=[], topics=[*desk.answer.topics])
    attempt = desk.sitting.session.begin_nested()
    lines = list(_each(replace(desk, sitting=desk.sitting.copy(), answer=answer, confirmed=[]), reading))
    attempt.rollback()
    return lines


def _taken_back(desk: words.Desk, reading: Reading, tried: Iterable[Line]) -> Iterator[Line]:
    """Refuse the good lines of a letter beside its bad ones, but for words that change nothing."""
    for (text, word), line in zip(reading.lines, tried, strict=False):
        if word is not None and word.name in words.TELLING | words.ABOUT_LINES:
            yield words.act(desk, text, word)
        elif line.fate is Fate.TAKEN:
            yield replace(line, fate=Fate.REFUSED, reason=Problem("together.refused"))
        else:
            yield line
    yield from remarks(reading)


def _each(desk: words.Desk, reading: Reading) -> Iterator[Line]:
    """Judge each line, the orders as a whole and before the words; but none that contradict each other."""
    opposed = words.opposed(desk, reading)
    judged = replace(reading, lines=tuple(line for line in reading.lines if line not in opposed))
    orders = iter(_orders(desk.sitting, desk.seat, desk.mark, judged))
    for text, word in reading.lines:
        if (text, word) in opposed:
            yield Line(text, Fate.REFUSED, words.CONTRADICTION)
        elif word is None:
            yield guessed(desk.sitting, desk.seat, next(orders))
        else:
            yield words.act(desk, text, word)
    yield from said_order(desk.sitting, desk.seat, reading)
    if reading.lines:
        yield from remarks(reading)
    else:
        yield nothing_new(desk.sitting, desk.seat, desk.mark, reading.cut)


def _carry_out(desk: words.Desk, ask: Ask) -> datetime:
    """Judge a letter that waited for this one's yes; returns when it came."""
    sitting, answer, known = desk.sitting, desk.answer, ask.answers
    inbound = sitting.session.get_one(Inbound, known["inbound"])
    given = replace(answer, inbound=inbound, lines=[])
    mark = Mark(sitting.game.code, ask.position, desk.seat, known["answers"])
    letter = part_for(read_letter(inbound.raw), mark.code, answers=mark.letter > 0)
    reading = _read(sitting, desk.seat, mark, letter)
    given.lines.extend(_judged(words.Desk(sitting, given, mark, waited=True), reading))
    conclude(inbound, given.lines)
    answer.lines.extend(given.lines)
    answer.question, answer.games = given.question, given.games
    return inbound.received_at


def _orders(sitting: Sitting, seat: Seat, mark: Mark | None, reading: Reading) -> tuple[Line, ...]:
    """Judge the lines that are no words of corr."""
    if not reading.orders:
        return ()
    if mark is None:
        return tuple(Line(text, Fate.REFUSED, Problem("intake.no-mark")) for text in reading.orders)
    now = sitting.game.position + (sitting.turn.opened if sitting.turn else 0)
    if mark.position != now and not reading.says("anyway"):
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
    if reading.attached:
        yield Line("", Fate.UNREAD, Problem("reading.attached"))
    if reading.left:
        yield Line("…", Fate.UNREAD, Problem("reading.too-many-lines", {"n": MOST_LINES}))
    if not reading.lines:
        yield Line("", Fate.UNREAD, Problem("reading.empty"))


def _lapse_draws(sitting: Sitting) -> None:
    """Let go of a draw that another seat has answered by playing on.

    Only when the phase is over: sooner would tell that the other has sealed an order.
    """
    turn = sitting.turn
    begun = status(sitting.engine, turn.before) if turn else None
    if turn is None or not turn.opened or not isinstance(begun, Phase):
        return
    moved = {entry.seat for entry in sitting.whole_log if entry.phase == begun.key and entry.seat is not None}
    games.lapse_draws(sitting.session, sitting.game, moved)


def conclude(inbound: Inbound, lines: Iterable[Line]) -> None:
    """Record what became of the letter: refused when nothing of it was done."""
    lines = tuple(lines)
    done = any(line.fate is Fate.TAKEN and not _is_noted(line) for line in lines)
    inbound.status = "done" if done else "refused"
    reasons = (line.reason.key for line in lines if line.reason and not _is_noted(line))
    inbound.problem = None if done else next(reasons, None)


def _is_noted(line: Line) -> bool:
    """Tell a word that only says how the other lines are meant."""
    return line.reason is not None and line.reason.key in {f"{name}.noted" for name in words.ABOUT_LINES}
