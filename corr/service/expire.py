"""Time runs: reminders, and what a lapse means."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from corr.core import mailing
from corr.core.endings import out_of_time
from corr.core.page import Kind, Page
from corr.core.turn import end, run_out
from corr.faults import fault
from corr.service import unreachable
from corr.service.closing import close
from corr.service.dispatch import Due, write_seats
from corr.service.office import Office
from corr.service.sitting import Sitting
from corr.store import games, letters
from corr.store.claim import due_game
from corr.store.tables import Deadline, Game
from engines.api import Phase, Phrase, Seat, name

AGAIN = timedelta(hours=1)
"""How long a deadline is put off that could not have its effect."""


def fire(office: Office, seen: datetime) -> bool:
    """Let the deadline that has been due the longest have its effect.

    Up to *seen* the inbox has been read: a letter that came in time may still lie
    there, so later deadlines wait.  False when none is due, or when letters that
    came before it must be worked on first.  Raises what kept a deadline from its
    effect; it is put off then, and holds up no other game's.
    """
    claimed: int | None = None
    try:
        with office.database.session() as session:
            game = due_game(session, seen)
            if game is None:
                return False
            claimed = game.id
            fired = _fire(session, office, game, seen)
    except OperationalError:
        raise  # the database, not the game
    except Exception:
        if claimed is None:
            raise
        _put_off(office, claimed, seen)
        raise
    fault("time.done")
    return fired


def _fire(session: Session, office: Office, game: Game, seen: datetime) -> bool:
    due = [row for row in games.armed(session, game.id) if row.due_at <= seen]
    # A server that was down reminds nobody of a deadline that is over as well.
    row = next((row for row in due if row.kind == "expire"), due[0]) if due else None
    if row is not None and letters.waits(session, game.code, row.due_at):
        return False  # what came in time counts first, however late it is read
    if row is not None:
        row.status, row.fired_at = "fired", office.clock.now()
        session.add(row)
        session.flush()
        _effect(session, office, game, row)
        fault("time.written")
    return True


def _put_off(office: Office, game_id: int, seen: datetime) -> None:
    """Let the other games have their deadlines: this one's come again later."""
    with office.database.session() as session:
        for row in games.armed(session, game_id):
            if row.due_at <= seen:
                row.due_at = seen + AGAIN
                session.add(row)


def _effect(session: Session, office: Office, game: Game, row: Deadline) -> None:
    """Do what the deadline is for; one of a position that is no more does nothing."""
    if row.position != game.position or game.status != "running":
        row.status = "superseded"
    elif row.kind == "remind":
        _remind(session, office, game)
    elif row.kind == "expire":
        _supersede_reminders(session, game)
        _expire(session, office, game, row)


def _supersede_reminders(session: Session, game: Game) -> None:
    for other in games.armed(session, game.id):
        if other.kind == "remind":
            other.status = "superseded"
            session.add(other)


def _remind(session: Session, office: Office, game: Game) -> None:
    """Write to those who are still waited for and want to be reminded, and to no one else."""
    sitting = Sitting(session, office, game)
    phase = sitting.status
    assert isinstance(phase, Phase), "no deadline outlives its game"
    held = ((seat, sitting.holders[seat]) for seat in sorted(phase.waiting))
    dues = [
        Due(seat, holder, _page(sitting, seat, Kind.REMINDER))
        for seat, holder in held
        if holder.player.settings.get("remind") != "off"
    ]
    write_seats(session, office, game, dues)
    unreachable.tell_inside(sitting)


def _expire(session: Session, office: Office, game: Game, row: Deadline) -> None:
    """Close the phase by its rules; where they are silent, the game's option speaks."""
    sitting = Sitting(session, office, game)
    phase = sitting.status
    assert isinstance(phase, Phase), "no deadline outlives its game"
    turn = run_out(sitting.engine, sitting.position, sitting.luck, early=sitting.early)
    if turn is not None:
        sitting.add(turn)
    elif game.policy.get("timeout", "loss") == "loss":
        lost = out_of_time(sitting.holders, phase)
        sitting.add(end(sitting.engine, sitting.position, lost, None, "close"))
    else:
        _tell_of_lapse(session, office, sitting, phase)
        return
    close(sitting, row.due_at)


def _tell_of_lapse(session: Session, office: Office, sitting: Sitting, phase: Phase) -> None:
    """Nothing ends by itself: everybody is told, and the game says who may act on it."""
    lapsed = Phrase("story.timed-out", {"by": tuple(map(name, sorted(phase.waiting)))})
    dues = [
        Due(seat, holder, _page(sitting, seat, Kind.TIMEOUT, lapsed))
        for seat, holder in sitting.holders.items()
    ]
    write_seats(session, office, sitting.game, dues)


def _page(sitting: Sitting, seat: Seat, kind: Kind, note: Phrase | None = None) -> Page:
    """Return a page that shows a seat where the game stands."""
    shown = mailing.situation(sitting.engine, sitting.position, seat, sitting.readers())
    return Page(kind=kind, seat=seat, table=sitting.table, situation=shown, note=note)
