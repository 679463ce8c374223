"""One game under its lock, for the length of one transaction.

Whatever changes a game (a letter, a lapse, a master) opens a sitting, adds turns to
it and closes it (:mod:`corr.service.closing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from corr.core import mailing
from corr.core.chance import SeededChance
from corr.core.mailing import Readers
from corr.core.page import Ending, Kind, Line, Page, Question, Table
from corr.core.turn import Luck, Position, Step, Turn, status
from corr.service.office import Office
from corr.store import games
from corr.store.tables import Game, Inbound, Post
from engines.api import Chance, Outcome, Phase, Phrase, Seat


@dataclass(slots=True)
class Answer:
    """What one letter is answered with, gathered while it is read."""

    inbound: Inbound
    seat: Seat
    lines: list[Line] = field(default_factory=list[Line])
    topics: list[str] = field(default_factory=list[str])
    asked: str = ""  # a question about the rules
    extent: tuple[int | None, int] | None = None  # of the history: from-to, or the last so many
    games: tuple[Table, ...] = ()
    question: Question | None = None


class Sitting:
    """A game that is being played right now."""

    def __init__(self, session: Session, office: Office, game: Game) -> None:
        """Load *game*, whose row the caller has locked.

        Raises LookupError when the rules of the game are not installed.
        """
        engine = office.engines.named(game.rules)
        if engine is None:
            raise LookupError(f"the rules {game.rules} of game {game.code} are not installed")
        self.session, self.office, self.game, self.engine = session, office, game, engine
        self.holders = games.holders(session, game.id)
        past = games.past(session, office.database.memory, engine, game.id)
        self.log, self.history = past.log, past.history
        self.turn = _still(self.history[-1].after) if self.history else None
        self.opened_until: datetime | None = None  # the deadline of a phase that this sitting opened
        self.questions: dict[Seat, Question] = {}
        self.pages: dict[Seat, Page] = {}
        self.said: list[Post] = []

    @property
    def position(self) -> Position:
        """The position now, with what this sitting has added."""
        assert self.turn is not None, "the game has not begun"
        return self.turn.after

    @property
    def status(self) -> Phase | Outcome:
        """What the game waits for, or how it ended."""
        return status(self.engine, self.position)

    @property
    def luck(self) -> Luck:
        """The luck of this game, phase by phase."""
        seed, code = self.game.seed, self.game.code
        assert seed is not None, "a game has its seed when it begins"

        def of(phase: str) -> Chance:
            return SeededChance(seed, f"{code}/{phase}")

        return of

    @property
    def early(self) -> bool:
        """Whether a phase closes as soon as nobody is waited for."""
        return bool(self.game.policy.get("early", "at-once") == "at-once")

    @property
    def table(self) -> Table:
        """The game as its letters show it."""
        return table_of(self.game, {seat: holder.alias for seat, holder in self.holders.items()})

    def readers(self) -> Readers:
        """Return the game and the languages of its seats, for the pages."""
        languages = {seat: holder.player.locale for seat, holder in self.holders.items()}
        return Readers(self.table, languages, self.opened_until or self._running_until())

    def _running_until(self) -> datetime | None:
        due = games.deadline_at(self.session, self.game, "expire")
        return due.due_at if due and due.status == "armed" else None

    def add(self, turn: Turn) -> None:
        """Let *turn* happen after what has happened already."""
        self.turn = turn if self.turn is None else _both(self.turn, turn)

    def ask(self, seat: Seat, question: Question) -> None:
        """Put a question to a seat in the letter that goes to it."""
        self.questions[seat] = question

    def write(self, seat: Seat, page: Page) -> None:
        """Write to a seat, unless a turn gives it another letter."""
        self.pages[seat] = page

    def note(self, seat: Seat, phrase: Phrase) -> None:
        """Tell a seat one matter, unless a turn gives it another letter."""
        self.write(seat, Page(kind=Kind.NOTE, seat=seat, table=self.table, note=phrase))

    def since(self) -> Iterable[Step]:
        """Return the steps of the phase in which the turn began: untold to the other seats."""
        begun = status(self.engine, self.turn.before) if self.turn else None
        if not isinstance(begun, Phase):
            return ()
        entries = (entry for entry in self.log for _ in entry.facts)
        told = zip(entries, self.history, strict=True)
        return [step for entry, step in told if entry.phase == begun.key]

    def ending(self, outcome: Outcome, remark: str = "") -> Ending:
        """Gather what the end makes public."""
        seed = self.game.seed or b""
        return mailing.ending(
            self.engine,
            outcome,
            (*self.history, *(self.turn.steps if self.turn else ())),
            seed=seed.hex(),
            digest=self.game.seed_digest or "",
            remark=remark,
        )


def table_of(game: Game, names: dict[Seat, str]) -> Table:
    """Return a game as its letters show it."""
    return Table(
        code=game.code,
        engine=game.engine,
        names=names,
        pace=next(iter(game.paces.values()), ""),
        options=game.options,
        timeout=game.policy.get("timeout", "loss"),
        press=game.policy.get("press", "open"),
    )


def _still(position: Position) -> Turn:
    return Turn(position, position, (), ())


def _both(first: Turn, then: Turn) -> Turn:
    return Turn(
        first.before,
        then.after,
        (*first.steps, *then.steps),
        (*first.entries, *then.entries),
        (*first.lines, *then.lines),
        first.opened + then.opened,
    )
