"""What an operator and a game master do from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sqlmodel import Session, col, select

from corr.core.endings import adjudicated, voided
from corr.core.turn import end, status
from corr.service.closing import close
from corr.service.invitation import withdraw
from corr.service.office import Office
from corr.service.sitting import Sitting, seat_named
from corr.store import games
from corr.store.claim import lock_game
from corr.store.tables import Audit, Game, Inbound
from engines.api import Outcome, Phase, Problem, Seat


def adjudicate(office: Office, code: str, winner: str | None, reason: str, *, void: bool) -> Problem | None:
    """End a game by a master's word: a win of a seat (number or name), a draw (no winner) or void.

    It is an entry like any other, and the players are told with the *reason*.  A game
    to which people are still invited has no entries; it can only be void.
    """
    with office.database.session() as session:
        found = games.game_by_code(session, code)
        if found is None:
            return Problem("lobby.no-game", {"code": code})
        game = lock_game(session, found.id)
        if game.status != "running" and not (game.status == "open" and void):
            return Problem("lobby.not-running", {"code": game.code})
        sitting = Sitting(session, office, game)
        seat = None if winner is None else seat_named(sitting.table, winner)
        if isinstance(seat, Problem):
            return seat
        if game.status == "open":
            withdraw(sitting, reason)
        else:
            _end(sitting, seat, reason, void=void)
        _note(sitting, reason)
    return None


def _end(sitting: Sitting, winner: Seat | None, reason: str, *, void: bool) -> None:
    ended = voided() if void else adjudicated(winner)
    sitting.add(end(sitting.engine, sitting.position, ended, None, "master"))
    close(sitting, sitting.office.clock.now(), remark=reason)
    if void:
        sitting.game.status = "void"


def _note(sitting: Sitting, reason: str) -> None:
    """Write down who did it and why: the log of facts holds no free text."""
    game, now = sitting.game, sitting.office.clock.now()
    sitting.session.add(
        Audit(actor="operator", act="adjudicate", game_id=game.id, after=game.outcome, reason=reason, at=now)
    )


@dataclass(frozen=True, slots=True)
class Replayed:
    """What folding a game anew came to."""

    code: str
    entries: int
    facts: int
    problem: str | None  # None: the log and the game row agree


def replay(office: Office, code: str | None = None) -> Iterator[Replayed]:
    """Fold one game, or all that have begun, and compare with what is stored.

    Raises LookupError for a code that no game has.
    """
    office.database.memory.forget()  # what is stored is to be read
    with office.database.session() as session:
        query = select(Game).where(col(Game.started_at).is_not(None)).order_by(col(Game.id))
        rows = session.exec(query if code is None else query.where(col(Game.code) == code.upper())).all()
        if code is not None and not rows:
            raise LookupError(code)
        for game in rows:
            yield _replayed(session, office, game)


def _replayed(session: Session, office: Office, game: Game) -> Replayed:
    try:
        sitting = Sitting(session, office, game)
    except LookupError as error:  # of rules, or of facts of a newer corr
        return Replayed(game.code, 0, 0, str(error))
    facts = sum(len(entry.facts) for entry in sitting.log)
    return Replayed(sitting.game.code, len(sitting.log), facts, _difference(sitting))


def _difference(sitting: Sitting) -> str | None:
    """Say where the fold and the game row disagree."""
    game = sitting.game
    folded: dict[str, object] = {
        "seq": sum(len(entry.facts) for entry in sitting.log),
        "position": _opened(sitting),
        **_standing(sitting.status),
    }
    stored: dict[str, object] = {
        "seq": game.seq,
        "position": game.position,
        "phase": game.phase_key,
        "outcome": game.outcome,
        "over": game.status in {"over", "void"},
    }
    wrong = next((key for key in folded if folded[key] != stored[key]), None)
    return f"{wrong} is {folded[wrong]}, stored as {stored[wrong]}" if wrong else None


def _standing(now: Phase | Outcome) -> dict[str, object]:
    if isinstance(now, Phase):
        return {"phase": now.key, "outcome": None, "over": False}
    return {
        "phase": None,
        "outcome": {"winners": sorted(now.winners), "reason": now.reason},
        "over": True,
    }


def _opened(sitting: Sitting) -> int:
    """Count the phases that the log opened."""
    ends = accumulate(len(entry.facts) for entry in sitting.log)
    phases = (status(sitting.engine, sitting.history[end - 1].after) for end in ends)
    keys = [phase.key if isinstance(phase, Phase) else None for phase in phases]
    return 1 + sum(key not in {before, None} for before, key in pairwise(keys))


def retry_inbound(office: Office, letter: int) -> Problem | None:
    """Let a failed letter be worked on again."""
    with office.database.session() as session:
        row = session.get(Inbound, letter)
        if row is None:
            return Problem("lobby.no-letter", {"number": letter})
        if row.status != "failed":
            return Problem("lobby.not-failed", {"number": letter, "status": row.status})
        row.status, row.done_at = "new", None
        session.add(row)
    return None
