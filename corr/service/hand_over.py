"""A seat changes hands: one tenure ends, and the next begins with a key of its own."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session, col, select

from corr.core import mailing
from corr.core.addresses import normal
from corr.core.page import Kind, Page
from corr.service.dispatch import Due, write_seat
from corr.service.lobby import KEY_BYTES, Invited, unfit_chair
from corr.service.office import Office
from corr.service.sitting import Sitting, seat_named
from corr.store import games
from corr.store.claim import lock_game
from corr.store.people import enrol, primary_of
from corr.store.tables import Audit, Game, Player, SeatRow, Tenure
from engines.api import Phrase, Problem, Seat, name


def hand_over(office: Office, code: str, seat: str, to: Invited, reason: str) -> Problem | None:
    """Give a seat (number or name) of a running game to another person, for a *reason*.

    All marks of the former holder end.  The new one, for whose address the master
    vouches, gets the position and all that the seat may know, told anew from the facts;
    the former holder and the other seats are told that it changed hands, and only the
    former holder is told the reason.  Handed to its own holder, a seat only gets a new key.
    """
    with office.database.session() as session:
        found = games.game_by_code(session, code)
        if found is None:
            return Problem("lobby.no-game", {"code": code})
        game = lock_game(session, found.id)
        if game.status != "running":
            return Problem("lobby.not-running", {"code": game.code})
        before = Sitting(session, office, game)
        number = seat_named(before.table, seat)
        if isinstance(number, Problem):
            return number
        if (problem := _unfit(before, number, to)) is not None:
            return problem
        _change(before, number, to, reason)
        _tell(before, Sitting(session, office, game), number, reason)
    return None


def _unfit(sitting: Sitting, seat: Seat, to: Invited) -> Problem | None:
    """Refuse who cannot sit here: also one who holds another seat, or is called like its holder."""
    if (problem := unfit_chair(sitting.office, to)) is not None:
        return problem
    others = [holder for other, holder in sitting.holders.items() if other != seat]
    if any(normal(to.address) in {*other.verified, other.address.address} for other in others):
        return Problem("lobby.address-twice")
    if any(to.name.casefold() == other.alias.casefold() for other in others):
        return Problem("lobby.name-twice")
    return None


def _change(sitting: Sitting, seat: Seat, to: Invited, reason: str) -> None:
    """End one tenure and open the next; questions to and from the seat end with the first."""
    session, office, game, old = sitting.session, sitting.office, sitting.game, sitting.holders[seat]
    now = office.clock.now()
    zone, locale = old.player.timezone, old.player.locale
    player = enrol(session, to.name, to.address, locale=locale, timezone=zone, now=now)
    primary = primary_of(session, player.id)
    primary.verified_at = primary.verified_at or now
    old.tenure.to_at = now
    _rename(session, game, seat, to.name)
    session.flush()
    key = office.entropy(KEY_BYTES)
    tenure = Tenure(game_id=game.id, seat=seat, player_id=player.id, key=key, from_at=now, reason=reason)
    tenure.from_seq = game.seq
    session.add(tenure)
    for ask in games.open_asks(session, game.id):
        if ask.seat == seat:
            ask.status = "lapsed"
    session.add(_audit(game, seat, old.player, player, reason, tenure))
    session.flush()


def _audit(game: Game, seat: Seat, old: Player, new: Player, reason: str, tenure: Tenure) -> Audit:
    before, after = {"seat": seat, "player": old.id}, {"seat": seat, "player": new.id}
    return Audit(
        actor="operator",
        act="hand-over",
        game_id=game.id,
        before=before,
        after=after,
        reason=reason,
        at=tenure.from_at,
    )


def _rename(session: Session, game: Game, seat: Seat, alias: str) -> None:
    query = select(SeatRow).where(col(SeatRow.game_id) == game.id, col(SeatRow.number) == seat)
    session.exec(query).one().alias = alias


def _tell(before: Sitting, after: Sitting, seat: Seat, reason: str) -> None:
    """Write to the new holder, to the old one and to the other seats."""
    old, new = before.holders[seat], after.holders[seat]
    _write(after, seat, _welcome(after, seat, old.alias))
    if old.player.id != new.player.id:
        gone = Phrase("note.seat-gone", {"by": name(seat), "reason": reason})
        page = Page(kind=Kind.NOTE, seat=seat, table=after.table, note=gone)
        write_seat(after.session, after.office, after.game, Due(seat, old, page))
        for other in sorted(set(after.holders) - {seat}):
            changed = Phrase("note.seat-changed", {"old": old.alias, "by": name(seat)})
            _write(after, other, replace(_standing(after, other), note=changed))


def _write(sitting: Sitting, seat: Seat, page: Page) -> None:
    write_seat(sitting.session, sitting.office, sitting.game, Due(seat, sitting.holders[seat], page))


def _welcome(sitting: Sitting, seat: Seat, old: str) -> Page:
    """Return all that the seat may know, as if its holder had been there from the start."""
    return replace(
        _standing(sitting, seat),
        note=Phrase("note.seat-yours", {"old": old}),
        topics=("help", "history"),
        history=mailing.story(sitting.engine, sitting.history, seat),
        digest=sitting.game.seed_digest,
    )


def _standing(sitting: Sitting, seat: Seat) -> Page:
    shown = mailing.situation(sitting.engine, sitting.position, seat, sitting.readers())
    return Page(kind=Kind.NOTE, seat=seat, table=sitting.table, situation=shown)
