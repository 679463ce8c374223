"""A game before it begins: those invited answer, and when all have said yes it starts."""

from __future__ import annotations

import hashlib

from sqlmodel import Session

from corr.core.addresses import same_address
from corr.core.carriers import carrier
from corr.core.commands import Word
from corr.core.letter import Letter
from corr.core.marks import Mark
from corr.core.page import Fate, Kind, Line, Page, Question
from corr.core.turn import Turn, start
from corr.service import talk, words
from corr.service.closing import close
from corr.service.office import Office
from corr.service.play import conclude, remarks
from corr.service.sitting import Answer, Sitting
from corr.store import chairs, games
from corr.store.chairs import Chair
from corr.store.tables import Ask, Game, Inbound
from engines.api import Phrase, Problem, Seat, name

SEED_BYTES = 32


def invite(sitting: Sitting) -> None:
    """Write to everyone invited; a seat counts when its person has said yes."""
    for seat in sitting.holders:
        sitting.session.add(Ask(game_id=sitting.game.id, kind="invite", position=0, seat=seat))
        sitting.write(seat, _invitation(sitting, seat))
    close(sitting, sitting.office.clock.now())


def _invitation(sitting: Sitting, seat: Seat) -> Page:
    company = carrier(sitting.holders[seat].address.address)
    question = Question("invite")
    return Page(kind=Kind.INVITATION, seat=seat, table=sitting.table, question=question, carrier=company)


def may_answer(session: Session, chair: Chair, seat: Seat, sender: str) -> bool:
    """Tell whether *sender* may speak for the seat: by a verified address, or as the one invited."""
    if any(same_address(sender, address) for address in chair.verified):
        return True
    if chair.status != "open":
        return False
    return same_address(sender, chairs.holders(session, chair.game_id)[seat].address.address)


def answer(
    session: Session,
    office: Office,
    game: Game,
    seat: Seat,
    mark: Mark | None,
    letter: Letter,
    inbound: Inbound,
) -> None:
    """Read the letter of somebody invited to *game*, which is locked and has not begun."""
    sitting = Sitting(session, office, game)
    inbound.game_id, inbound.seat, inbound.player_id = game.id, seat, sitting.holders[seat].player.id
    reading, given = talk.read_reply(session, game, mark, letter), Answer(inbound, seat)
    desk = words.Desk(sitting, given, mark)
    yes, no = reading.says("yes"), reading.says("no")
    decided = yes != no  # who says both has not answered
    for text, word in reading.lines:
        given.lines.append(_line(desk, text, word, decided=decided))
    given.lines.extend(remarks(reading))
    act = (_accept if yes else _decline) if decided else _ask_again
    act(sitting, given)
    conclude(inbound, given.lines)


def _line(desk: words.Desk, text: str, word: Word | None, *, decided: bool) -> Line:
    """Do what a line asks, as far as it can be done before the game begins."""
    if word is not None and word.name in words.BEFORE:
        return words.act(desk, text, word)
    if word is not None and decided and word.name in _ANSWERS:
        return Line(text, Fate.TAKEN, Phrase(_ANSWERS[word.name]))
    return Line(text, Fate.UNREAD, Problem("timing.not-started"))


_ANSWERS = {"yes": "invite.accepted", "no": "invite.declined"}


def _accept(sitting: Sitting, given: Answer) -> None:
    """Take the seat; the letter came from the address invited, so that is verified now."""
    session, game = sitting.session, sitting.game
    for ask in games.open_asks(session, game.id, "invite"):
        if ask.seat == given.seat:
            ask.status, ask.answers = "agreed", {str(given.seat): True}
    _verify(sitting, given.seat)
    if not games.open_asks(session, game.id, "invite"):
        begin(sitting, given)
        return
    sitting.note(given.seat, Phrase("note.welcome-wait"))
    close(sitting, sitting.office.clock.now(), given)


def _decline(sitting: Sitting, given: Answer) -> None:
    """One who is invited says no: the game is not played, and everybody is told."""
    now = sitting.office.clock.now()
    sitting.game.status, sitting.game.ended_at = "void", now
    for ask in games.open_asks(sitting.session, sitting.game.id, "invite"):
        ask.status = "declined" if ask.seat == given.seat else "lapsed"
    for seat in sitting.holders:
        told = Phrase("note.declined", {"by": name(given.seat)})
        sitting.note(seat, Phrase("invite.declined") if seat == given.seat else told)
    close(sitting, now, given)


def withdraw(sitting: Sitting, reason: str) -> None:
    """Call off a game to which people are invited, and tell them why."""
    now = sitting.office.clock.now()
    sitting.game.status, sitting.game.ended_at = "void", now
    for ask in games.open_asks(sitting.session, sitting.game.id, "invite"):
        ask.status = "lapsed"
    for seat in sitting.holders:
        sitting.note(seat, Phrase("note.void", {"reason": reason}))
    close(sitting, now)


def _ask_again(sitting: Sitting, given: Answer) -> None:
    """Neither yes nor no: the invitation again, with what was read."""
    sitting.write(given.seat, _invitation(sitting, given.seat))
    close(sitting, sitting.office.clock.now(), given)


def _verify(sitting: Sitting, seat: Seat) -> None:
    address = sitting.holders[seat].address
    address.verified_at = address.verified_at or sitting.office.clock.now()


def begin(sitting: Sitting, given: Answer | None = None) -> None:
    """Draw the seed, set up and write to every seat; its digest goes out with the first letter.

    Without an answer a master has vouched for the addresses.
    """
    game = sitting.game
    game.seed = sitting.office.entropy(SEED_BYTES)
    facts = sitting.engine.setup(len(sitting.holders), game.options, sitting.luck("setup"))
    if isinstance(facts, Problem):
        raise RuntimeError(f"{game.rules} refuses at the start what it took before: {facts.key}")
    launch(sitting, start(sitting.engine, facts, sitting.luck), given)


def launch(sitting: Sitting, opening: Turn, given: Answer | None = None) -> None:
    """Let a game that has its seed begin with *opening*, and write to every seat."""
    game, now = sitting.game, sitting.office.clock.now()
    assert game.seed is not None, "luck comes first"
    game.seed_digest = hashlib.sha256(game.seed).hexdigest()
    for seat in sitting.holders:
        _verify(sitting, seat)
    game.status, game.started_at = "running", now
    sitting.add(opening)
    close(sitting, now, given)
