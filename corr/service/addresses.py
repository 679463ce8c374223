"""The addresses of a player: one is added by a yes from there, and removed by a word.

An added address may write for its player, and that is all.  Letters go to the primary
address, which neither word changes: whoever brings a stolen mark under a forged name
can make nobody's letters go elsewhere, and its owner hears of all he tries.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TypedDict, cast

from sqlmodel import Session

from corr.core.addresses import is_plausible, normal, split_plus
from corr.core.letter import Letter
from corr.core.marks import Mark, sign
from corr.core.page import Fate, Kind, Page, Question
from corr.core.reading import read
from corr.mail.addresses import wire_address
from corr.service.dispatch import Due, Reader, write_asked, write_person, write_seat
from corr.service.office import Office
from corr.service.sitting import Sitting, table_of
from corr.store import chairs, letters
from corr.store.chairs import Holder
from corr.store.people import row_of
from corr.store.tables import Address, Game, Inbound, Player
from engines.api import Phrase, Problem, Seat

MOST_ASKED = 3
"""Addresses that a player may have asked for in ``WITHIN``: corr writes to nobody on demand."""

WITHIN = timedelta(days=7)
"""How long a yes from a new address counts."""

AGAIN = timedelta(days=1)
"""One address is asked once in this time, whoever wishes it."""

_ADDRESS = re.compile(r"[^\s<>()\[\]:;,]+@[^\s<>()\[\]:;,]+")


class _Wish(TypedDict):
    """An address that is to be added, as it stands in the player's settings."""

    until: str  # ISO 8601
    open: bool  # false when it was dropped; it still counts among those asked for


def is_usable(address: str) -> bool:
    """Tell whether somebody may have meant this as an address, and a letter can be written to it."""
    try:
        wire_address(normal(address))
    except ValueError:
        return False
    return is_plausible(address)


def add(sitting: Sitting, seat: Seat, words: str) -> tuple[Fate, Phrase]:
    """Write to the address in *words*, which is the holder's once it has answered yes.

    Of an address that is another player's, the writer learns nothing: the answer is
    the same, and no letter goes there.
    """
    office, session, holder = sitting.office, sitting.session, sitting.holders[seat]
    address, now = _read(words), office.clock.now()
    if address is None or normal(split_plus(address)[0]) == normal(office.address):
        return Fate.REFUSED, Problem("address.bad", {"words": words})
    if address in holder.verified:
        return Fate.REFUSED, Problem("address.known", {"address": address})
    wishes = _wishes(holder.player, now)
    lately = letters.told_lately(session, address, now, AGAIN, "question.address")
    if lately or (address not in wishes and len(wishes) >= MOST_ASKED):
        return Fate.REFUSED, Problem("address.too-often")
    free = row_of(session, address) is None
    wish = _Wish(until=(now + WITHIN).isoformat(), open=free)
    _store(holder.player, wishes | {address: wish})
    if free:
        _ask(sitting, seat, holder, address)
    return Fate.TAKEN, Phrase("address.asked", {"address": address})


def _ask(sitting: Sitting, seat: Seat, holder: Holder, address: str) -> None:
    """Ask an address whose it is; the tag in the letter is good from there alone."""
    session, office, game, player = sitting.session, sitting.office, sitting.game, holder.player
    number = letters.next_number(session, game.id, seat)
    tag = sign(holder.tenure.key, Mark(game.code, game.position, seat, number), address)
    page = Page(kind=Kind.QUESTION, question=Question("address", None, (player.display_name,)))
    write_asked(session, office, Reader(address, player.locale, player.timezone), page, tag)


def remove(sitting: Sitting, seat: Seat, words: str) -> tuple[Fate, Phrase]:
    """Take an address away from the holder, or let a wish for one go; never the primary one."""
    holder, address = sitting.holders[seat], _read(words)
    wishes = _wishes(holder.player, sitting.office.clock.now())
    row = row_of(sitting.session, address) if address else None
    if address and address in wishes and wishes[address]["open"]:
        _store(holder.player, wishes | {address: _Wish(until=wishes[address]["until"], open=False)})
    elif row is None or row.player_id != holder.player.id:
        return Fate.REFUSED, Problem("address.none", {"words": words})
    elif row.is_primary:
        return Fate.REFUSED, Problem("address.primary")
    else:
        sitting.session.delete(row)
        sitting.session.flush()
    return Fate.TAKEN, Phrase("address.removed", {"address": address or ""})


def verify(
    session: Session, office: Office, game: Game, seat: Seat, letter: Letter, inbound: Inbound
) -> None:
    """Hear what a new address answers; the player is told at the primary one."""
    holder, now, address = chairs.holders(session, game.id)[seat], office.clock.now(), normal(letter.sender)
    inbound.game_id, inbound.seat, inbound.status = game.id, seat, "refused"
    wishes, reading = _wishes(holder.player, now), read(letter)
    wish = wishes.get(address)
    yes = reading.says("yes")
    if wish is None or not wish["open"] or row_of(session, address) is not None:
        _answer(session, office, holder, inbound, Problem("address.too-late"))
    elif yes == reading.says("no"):
        _answer(session, office, holder, inbound, Problem("ask.yes-or-no"))
    else:
        inbound.status = "done"
        _store(holder.player, wishes | {address: _Wish(until=wish["until"], open=False)})
        if yes:
            player_id = holder.player.id
            session.add(Address(player_id=player_id, address=address, verified_at=now, created_at=now))
        _answer(session, office, holder, inbound, Phrase("address.added" if yes else "address.declined"))
        told = Phrase("note.address-added" if yes else "note.address-declined", {"address": address})
        names = {s: h.alias for s, h in chairs.holders(session, game.id).items()}
        page = Page(kind=Kind.NOTE, seat=seat, table=table_of(game, names), note=told)
        write_seat(session, office, game, Due(seat, holder, page))


def _answer(session: Session, office: Office, holder: Holder, inbound: Inbound, phrase: Phrase) -> None:
    reader = Reader(normal(inbound.sender), holder.player.locale, holder.player.timezone)
    inbound.problem = phrase.key if isinstance(phrase, Problem) else None
    write_person(session, office, reader, Page(kind=Kind.NOTE, note=phrase), inbound)


def _read(words: str) -> str | None:
    """Find the address in what was typed: some programs add ``<mailto:…>`` to it."""
    found = _ADDRESS.search(words)
    return normal(found[0]) if found and is_usable(found[0]) else None


def _wishes(player: Player, now: datetime) -> dict[str, _Wish]:
    """Return the addresses that a player has asked for of late, whatever became of them."""
    stored = cast("dict[str, _Wish]", player.settings.get("addresses", {}))
    return {address: wish for address, wish in stored.items() if wish["until"] > now.isoformat()}


def _store(player: Player, wishes: dict[str, _Wish]) -> None:
    player.settings = {**player.settings, "addresses": wishes}
