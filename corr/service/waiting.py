"""Letters that wait until the holder of a seat has said that they are his.

A letter waits when it brings a good mark from an address that the holder has not
verified, or comes from a verified address with neither a mark nor our own mail
server's word for it; and only where a yes could change something.  The question goes
to the holder's primary address.  Whoever sent the letter learns nothing, and chooses
no word of the question: orders stand there as the engine spells them, words as corr
writes them, his address masked.  So a yes carries out that letter and does nothing
else; it adds no address, which a holder adds by writing it out himself.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session

from corr.core import mailing
from corr.core.addresses import normal
from corr.core.commands import Word, spelt
from corr.core.letter import Letter
from corr.core.marks import Mark
from corr.core.page import Kind, Page, Question
from corr.core.reading import Reading
from corr.core.turn import parsed
from corr.service import talk
from corr.service.dispatch import Due, write_seat
from corr.service.office import Office
from corr.service.sitting import Sitting, table_of
from corr.store import chairs, games, letters
from corr.store.people import player_at
from corr.store.tables import Ask, Game, Inbound
from engines.api import Phase, Phrase, Problem, Seat

MOST_TOLD = 3
"""Letters of others of which a holder hears in a day; whoever has a mark must not flood him."""

MOST_SHOWN = 12
"""Orders and words that a question shows."""

WAITS = frozenset({"resign", "draw", "no draw", "claim", "yes", "no"})
"""Words that may wait: those of the game.  What concerns the person is never done on a yes."""


def strange(
    session: Session, office: Office, game: Game, seat: Seat, mark: Mark, letter: Letter, inbound: Inbound
) -> None:
    """Ask the holder of a locked game's seat, or tell him that a letter came from another address."""
    if wait(session, office, game, seat, mark, letter, inbound):
        return
    holders = chairs.holders(session, game.id)
    table = table_of(game, {s: holder.alias for s, holder in holders.items()})
    inbound.problem = "intake.not-holder"
    page = Page(kind=Kind.NOTE, seat=seat, table=table, note=Phrase("intake.not-holder"))
    write_seat(session, office, game, Due(seat, holders[seat], page))


def wait(
    session: Session, office: Office, game: Game, seat: Seat, mark: Mark, letter: Letter, inbound: Inbound
) -> bool:
    """Let a letter wait, and ask its seat's holder; false where a yes would change nothing.

    *mark* says which position the letter answers.  After some letters in a day there
    is silence: the letter is ignored.  A newer letter from the same address takes the
    place of an older one, so at most one of them waits.
    """
    holder = chairs.holders(session, game.id)[seat]
    inbound.game_id, inbound.seat, inbound.player_id = game.id, seat, holder.player.id
    inbound.status = "refused"
    own = normal(letter.sender) in holder.verified
    others = player_at(session, letter.sender) is not None and not own
    sitting = Sitting(session, office, game) if game.status == "running" and not others else None
    shown = (
        tuple(_changes(sitting, seat, mark, talk.read_reply(session, game, mark, letter))) if sitting else ()
    )
    if own and not shown:
        return False
    since = office.clock.now() - timedelta(days=1)
    if letters.held_back(session, game.id, seat, since, _TOLD) >= MOST_TOLD:
        inbound.status, inbound.rules_hit = "ignored", "told-enough"
        return True
    if sitting is None or not shown:
        return False
    inbound.problem = "intake.waits"
    _ask(
        sitting, seat, mark, inbound, Question("was-it-you", None, shown, "" if own else mask(letter.sender))
    )
    return True


_TOLD = ("intake.not-holder", "intake.waits")


def _changes(sitting: Sitting, seat: Seat, mark: Mark, reading: Reading) -> Iterator[str]:
    """Yield what in a letter a yes could carry out, in corr's own spelling."""
    phase, holder = sitting.status, sitting.holders[seat]
    fresh = mark.position == sitting.game.position or reading.says("anyway")
    playable = fresh and isinstance(phase, Phase) and seat in phase.open
    for text, word in reading.lines[:MOST_SHOWN]:
        if word is not None:
            if word.name in WAITS and not _answers_nothing(sitting, mark, word):
                yield spelt(word.name, holder.player.locale)
        elif playable:
            orders = parsed(sitting.engine, sitting.position.state, seat, text)
            if not isinstance(orders, Problem) and len(orders) == 1:
                yield sitting.engine.spell(sitting.position.state, seat, orders[0], holder.player.locale)


def _answers_nothing(sitting: Sitting, mark: Mark, word: Word) -> bool:
    """Tell whether a yes or no answers no question of the game; nor may one wait on another."""
    if word.name not in {"yes", "no"}:
        return False
    row = letters.letter_to(sitting.session, sitting.game.id, mark.seat, mark.letter)
    return row is None or not row.kind.endswith((".draw", ".resign"))


def _ask(sitting: Sitting, seat: Seat, mark: Mark, inbound: Inbound, question: Question) -> None:
    """Write the question; its answer is bound to this very letter, and so is what it carries out."""
    session, game = sitting.session, sitting.game
    sender = normal(inbound.sender)
    for older in games.open_asks(session, game.id, "was-it-you"):
        if older.seat == seat and older.answers["from"] == sender:
            older.status = "lapsed"
    shown = mailing.situation(sitting.engine, sitting.position, seat, sitting.readers())
    page = Page(kind=Kind.QUESTION, seat=seat, table=sitting.table, situation=shown, question=question)
    answered = None if question.sender else inbound
    number = write_seat(session, sitting.office, game, Due(seat, sitting.holders[seat], page, answered))
    known = {"inbound": inbound.id, "from": sender, "answers": mark.letter, "question": number}
    ask = Ask(game_id=game.id, kind="was-it-you", position=mark.position, seat=seat, answers=known)
    session.add(ask)
    session.flush()


def asked(sitting: Sitting, seat: Seat, mark: Mark | None) -> Ask | None:
    """Return the open question that the letter with *mark* answers."""
    if mark is None:
        return None
    asks = games.open_asks(sitting.session, sitting.game.id, "was-it-you")
    return next((ask for ask in asks if ask.seat == seat and ask.answers["question"] == mark.letter), None)


def understood(session: Session, game: Game, seat: Seat, received: Inbound) -> Mark:
    """Return the position that a letter without a mark is understood to answer.

    It is that of the newest letter which had been sent to the seat when this one
    came: its writer cannot have meant a later one.  No question is answered by it.
    """
    position = letters.last_position(session, game.id, seat, received.received_at)
    return Mark(game.code, position, seat, 0)


def mask(address: str) -> str:
    """Return an address so that its owner knows it, and nobody else learns it or can tap it."""
    local, _, domain = normal(address).rpartition("@")
    return f"{local[:1]}…@{domain[:1]}…"
