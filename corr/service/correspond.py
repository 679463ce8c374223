"""Answers that change no game: to strangers, to letters without a mark, to copies."""

from __future__ import annotations

from sqlmodel import Session

from corr.core.addresses import normal
from corr.core.commands import topic
from corr.core.letter import Letter
from corr.core.page import Fate, Kind, Line, Page
from corr.core.reading import read
from corr.service import bounces, waiting
from corr.service.dispatch import Reader, reader_of, write_person, write_seat
from corr.service.gather import tables_of
from corr.service.office import Office
from corr.service.play import play
from corr.service.sitting import table_of
from corr.store import games, letters
from corr.store.claim import lock_game
from corr.store.games import Holder
from corr.store.people import player_at, primary_of
from corr.store.tables import Game, Inbound, Player
from engines.api import Phrase, Problem, Seat

_TOPICS = ("help", "games")


def repeat(session: Session, office: Office, inbound: Inbound) -> None:
    """Send the first answer again, the same bytes under the same Message-ID."""
    first = letters.first_of(session, inbound)
    assert first is not None, "the intake table saw it"
    answer = letters.answer_to(session, first)
    if answer is not None and answer.status == "sent":
        answer.status, answer.due_at = "queued", office.clock.now()
        answer.data_started_at = None
        session.add(answer)


def serve(session: Session, office: Office, inbound: Inbound, letter: Letter, *, proven: bool) -> None:
    """Answer a player whose letter brings no mark; with one running game it is that one.

    There the letter is played if it is *proven* to be the player's own; else it waits
    for a yes where it would change something.
    """
    player = player_at(session, letter.sender)
    assert player is not None, "the intake table saw it"
    inbound.player_id = player.id
    bounces.alive(session, office, letter.sender)
    own = games.games_of(session, player.id)
    running = [game for game in own if game.status == "running"]
    if len(running) == 1:
        game = lock_game(session, running[0].id)
        seat = games.seat_of(session, game.id, player.id)
        mark = waiting.understood(session, game, seat, inbound)
        if proven or not waiting.wait(session, office, game, seat, mark, letter, inbound):
            play(session, office, game, seat, mark if proven else None, letter, inbound)
        return
    _list(session, office, inbound, letter, player)


def _list(session: Session, office: Office, inbound: Inbound, letter: Letter, player: Player) -> None:
    """List the player's games and ask which one is meant."""
    reading = read(letter)
    asked = (topic(word.argument) or word.name for word in reading.words if word.name in _TOPICS)
    topics = tuple(dict.fromkeys(asked))
    unread = tuple(
        Line(text, Fate.UNREAD, Problem("intake.which-game"))
        for text, word in reading.lines
        if word is None or word.name not in _TOPICS
    )
    page = Page(
        kind=Kind.NOTE,
        lines=unread,
        topics=(*(t for t in topics if t != "games"), "games"),
        games=tables_of(session, player.id),
        note=Phrase("intake.which-game") if unread or not topics else None,
    )
    inbound.status = "done" if topics else "refused"
    inbound.problem = None if topics else "intake.which-game"
    write_person(session, office, _known(session, player), page, inbound)


def _known(session: Session, player: Player) -> Reader:
    """Return a player as a reader: whatever address stood in From, letters go to the primary one."""
    return reader_of(player, primary_of(session, player.id))


def refuse(
    session: Session,
    office: Office,
    inbound: Inbound,
    letter: Letter,
    rule: str,
    game: Game | None,
    holder: Holder | None,
    seat: Seat | None,
) -> None:
    """Say once why nothing was done."""
    key = f"intake.flaw.{letter.flaw}" if rule == "flawed" else _REASONS[rule]
    inbound.status, inbound.problem = "refused", key
    if game is not None and holder is not None and seat is not None:
        inbound.game_id, inbound.seat, inbound.player_id = game.id, seat, holder.player.id
        names = {s: h.alias for s, h in games.holders(session, game.id).items()}
        page = Page(kind=Kind.NOTE, seat=seat, table=table_of(game, names), note=Phrase(key))
        write_seat(session, office, game, seat, holder, page, inbound)
        return
    page = Page(kind=Kind.NOTE, note=Phrase(key))
    write_person(session, office, _stranger(session, office, letter), page, inbound)


_REASONS = {
    "former-holder": "intake.former-holder",
    "stranger": "intake.stranger",
    "closed": "timing.over",
}


def apologise(session: Session, office: Office, inbound: Inbound) -> None:
    """Tell a player whose letter could not be handled that a human will look."""
    player = player_at(session, inbound.sender)
    if player is None:
        return
    page = Page(kind=Kind.NOTE, note=Phrase("intake.failed"))
    write_person(session, office, _known(session, player), page, inbound, "sorry")


def _stranger(session: Session, office: Office, letter: Letter) -> Reader:
    """Return the sender as a reader: in the language of a known player, else in that of the letter."""
    player = player_at(session, letter.sender)
    if player is not None:
        return _known(session, player)
    words = " ".join(text for text, _ in read(letter).lines)  # corr's marker, quoted, is in both languages
    locale = "ja" if _is_japanese(letter.subject + words) else "en"
    return Reader(normal(letter.sender), locale, office.timezone)


def _is_japanese(text: str) -> bool:
    """Kana are written in no other language."""
    return any("\u3041" <= letter <= "\u30ff" for letter in text)
