"""A page becomes a letter in the outbox: worded for its reader, marked, and kept as bytes.

It is rendered inside the transaction that decided it.  What a player was told is
evidence, and a broken template stops the turn instead of half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from corr.core.marks import Mark, Signed, sign
from corr.core.page import Page
from corr.mail.compose import Format, Heading, compose
from corr.render.letters import render
from corr.service.office import Office
from corr.store.chairs import Holder
from corr.store.letters import next_personal, queue, take_numbers
from corr.store.tables import Address, Game, Inbound, Player
from engines.api import Seat


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter, and how."""

    address: str
    locale: str
    timezone: str
    player_id: int | None = None
    reachable: bool = True  # False: letters come back from every address, so none is sent
    form: Format = "html"


def reader_of(player: Player, address: Address) -> Reader:
    """Return a player as a reader, at one of his addresses."""
    return Reader(
        address=address.address,
        locale=player.locale,
        timezone=player.timezone,
        player_id=player.id,
        reachable=address.state != "bouncing",
        form=player.settings.get("format", "html"),
    )


@dataclass(frozen=True, slots=True)
class Due:
    """A page that is due to the holder of a seat.

    *about* stands behind its kind, where that must be known when a reply comes.
    """

    seat: Seat
    holder: Holder
    page: Page
    answered: Inbound | None = None
    about: str = ""


def write_seat(session: Session, office: Office, game: Game, due: Due) -> int:
    """Queue a letter to the holder of a seat; returns its number among the letters of that seat."""
    return write_seats(session, office, game, [due])[0]


def write_seats(session: Session, office: Office, game: Game, dues: Sequence[Due]) -> list[int]:
    """Queue letters to the holders of seats, one at most to each, with the mark that a reply brings back.

    Returns the number of each among the letters of its seat.
    """
    numbers = take_numbers(session, game.id, [due.seat for due in dues])
    queue(session, [_to_seat(office, game, *one) for one in zip(dues, numbers, strict=True)])
    return numbers


def _to_seat(office: Office, game: Game, due: Due, number: int) -> tuple[dict[str, Any], bytes]:
    holder = due.holder
    tag = str(sign(holder.tenure.key, Mark(game.code, game.position, due.seat, number)))
    reader, thread = reader_of(holder.player, holder.address), f"{game.code}.game"
    row, raw = _letter(office, due.page, reader, tag, office.tagged(tag), thread, due.answered, due.about)
    return row | {"game_id": game.id, "seat": due.seat, "n": number}, raw


def write_person(
    session: Session, office: Office, reader: Reader, page: Page, answered: Inbound, occasion: str = "note"
) -> None:
    """Queue an answer that belongs to no game: it carries no mark and gives no right.

    A letter gets one answer on each *occasion*: a word of letters, for the Message-ID.
    """
    number = next_personal(session, reader.address)
    tag = f"{occasion}.{number}.{answered.content_key[:20]}"
    queue(session, [_letter(office, page, reader, tag, office.address, "corr", answered)])


def write_asked(session: Session, office: Office, reader: Reader, page: Page, tag: Signed) -> None:
    """Queue a letter outside of a game to which an answer counts: *tag* comes back with it."""
    queue(session, [_letter(office, page, reader, str(tag), office.tagged(str(tag)), "corr", None)])


def _letter(
    office: Office,
    page: Page,
    reader: Reader,
    tag: str,
    reply_to: str,
    thread: str,
    answered: Inbound | None,
    about: str = "",
) -> tuple[dict[str, Any], bytes]:
    """Word a page; returns a row of the outbox, and the bytes to send."""
    now = office.clock.now()
    letter = render(
        page,
        locale=reader.locale,
        zone=reader.timezone,
        now=now,
        reply_to=reply_to,
        extra=office.templates,
    )
    heading = _heading(office, reader, tag, reply_to, thread, letter.subject, now, answered)
    about = page.question.key if page.question else about
    row = {
        "player_id": reader.player_id,
        "address": reader.address,
        "message_id": heading.message_id,
        "in_reply_to": heading.in_reply_to,
        "kind": f"{page.kind.value}.{about}" if about else page.kind.value,
        "status": "queued" if reader.reachable else "dropped",
        "due_at": now,
    }
    return row, compose(heading, letter.text, letter.html, reader.form)


def _heading(
    office: Office,
    reader: Reader,
    tag: str,
    reply_to: str,
    thread: str,
    subject: str,
    now: datetime,
    answered: Inbound | None,
) -> Heading:
    own = f"<{tag}@{office.domain}>"
    root = f"<{thread}@{office.domain}>"
    answers = (answered.message_id,) if answered and answered.message_id else ()
    return Heading(
        from_name=office.name,
        from_address=office.address,
        reply_to=reply_to,
        to_address=reader.address,
        subject=subject,
        message_id=own,
        in_reply_to=answers[0] if answers else None,
        references=(own, root, *answers),  # own first: some senders rewrite Message-ID
        date=now,
        kind="auto-replied" if answered else "auto-generated",
        list_id=f"{thread}.{office.domain}",
        list_unsubscribe=f"mailto:{reply_to}?subject=stop",
        instance=office.address,
    )
