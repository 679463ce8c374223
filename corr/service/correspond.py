"""Answers that change no game: to strangers, to letters without a mark, to copies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlmodel import Session

from corr.core.addresses import normal
from corr.core.commands import topic
from corr.core.letter import Letter
from corr.core.page import Fate, Kind, Line, Page
from corr.core.reading import by_game, part_for, read, tagged
from corr.service import bounces, waiting
from corr.service.dispatch import Due, Reader, reader_of, write_person, write_seat
from corr.service.gather import tables_of
from corr.service.guess import reasoned_once
from corr.service.office import Office
from corr.service.play import play
from corr.service.sitting import table_of
from corr.store import chairs, games, letters
from corr.store.claim import lock_game
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
    """Answer a player whose letter brings no mark, in each game that it names; the rest is listed.

    The tag of its subject names one, and so do its codes; with one running game it is that
    one.  There the letter is played if it is *proven* to be the player's own; else it waits
    for a yes where it would change something.
    """
    player = player_at(session, letter.sender)
    assert player is not None, "the intake table saw it"
    inbound.player_id = player.id
    bounces.alive(session, office, letter.sender)
    own = games.games_of(session, player.id)
    running = {game.code: game.id for game in own if game.status == "running"}
    parts = [(code, part) for code, part in _parts(letter, running) if part is letter or read(part).lines]
    meant = {running[code] for code, _ in parts if code in running}
    rest = [part for code, part in parts if code not in running]
    if rest or not meant:
        _list(session, office, inbound, rest, player)
    for number in sorted(meant):  # all workers lock in the same order, so that no two wait for each other
        game = lock_game(session, number)
        _serve(session, office, inbound, letter, game, player, proven=proven)


def _parts(letter: Letter, running: Collection[str]) -> Sequence[tuple[str, Letter]]:
    """Part a letter without a mark, each part with the code of its game, or of none.

    Above the first code it is about the game of the subject's tag, or about the only
    one of *running* where no code names that.
    """
    (_, first), *others = by_game(letter)
    only = [code for code in running if len(running) == 1 and code not in dict(others)]
    tag = tagged(letter)
    return [(tag if tag in running else "".join(only), first), *others]


def _serve(
    session: Session,
    office: Office,
    inbound: Inbound,
    letter: Letter,
    game: Game,
    player: Player,
    *,
    proven: bool,
) -> None:
    """Play what a letter says of a locked game, or let it wait, or answer it."""
    assert player.id is not None
    seat = chairs.seat_of(session, game.id, player.id)
    mark = waiting.understood(session, game, seat, inbound)
    part = part_for(letter, game.code, answers=False)
    if proven or not waiting.wait(session, office, game, seat, mark, part, inbound):
        play(session, office, game, seat, mark if proven else None, part, inbound)


def _list(
    session: Session, office: Office, inbound: Inbound, parts: Sequence[Letter], player: Player
) -> None:
    """List the player's games and ask which one is meant."""
    lines = [line for part in parts for line in read(part).lines]
    words = [word for _, word in lines if word is not None]
    asked = (topic(word.argument) or word.name for word in words if word.name in _TOPICS)
    topics = tuple(dict.fromkeys(asked))
    unread = tuple(
        Line(text, Fate.UNREAD, Problem("intake.which-game"))
        for text, word in lines
        if word is None or word.name not in _TOPICS
    )
    page = Page(
        kind=Kind.NOTE,
        lines=tuple(reasoned_once(unread)),
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
    seat: Seat | None,
) -> None:
    """Say once why nothing was done: to the holder of a seat, or to the sender."""
    key = f"intake.flaw.{letter.flaw}" if rule == "flawed" else _REASONS[rule]
    inbound.status, inbound.problem = "refused", key
    if game is not None and seat is not None:
        holders = chairs.holders(session, game.id)
        inbound.game_id, inbound.seat, inbound.player_id = game.id, seat, holders[seat].player.id
        names = {s: holder.alias for s, holder in holders.items()}
        page = Page(kind=Kind.NOTE, seat=seat, table=table_of(game, names), note=Phrase(key))
        write_seat(session, office, game, Due(seat, holders[seat], page, inbound))
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
