"""One game under its lock, for the length of one transaction.

Whatever changes a game (a letter, a lapse, a master) opens a sitting, adds turns to
it and closes it (:mod:`corr.service.closing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from corr.core import mailing
from corr.core.chance import SeededChance
from corr.core.mailing import Readers
from corr.core.names import Unclear, find_seat
from corr.core.page import Ending, Kind, Line, Page, Question, Table
from corr.core.turn import Entry, Luck, Position, Step, Turn, joined, status
from corr.service.office import Office
from corr.store import chairs, games
from corr.store.memory import Past, learned
from corr.store.tables import Game, Inbound, Post
from engines.api import Chance, Outcome, Phase, Phrase, Problem, Seat


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
        self.holders, newest = chairs.seated(session, game.id)
        past = games.past(session, office.database.memory, engine, game, newest)
        self.log, self.history = past.log, past.history
        self.turn = _still(self.history[-1].after) if self.history else None
        self.opened_until: datetime | None = None  # the deadline of a phase that this sitting opened
        self.questions: dict[Seat, Question] = {}
        self.pages: dict[Seat, Page] = {}
        self.said: list[Post] = []

    def copy(self) -> Sitting:
        """Return a sitting that stands where this one does, and in which this one sees no change."""
        other = copy(self)
        other.questions, other.pages, other.said = dict(self.questions), dict(self.pages), list(self.said)
        return other

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
    def whole_log(self) -> tuple[Entry, ...]:
        """The log, with what this sitting has added."""
        return (*self.log, *self.turn.entries) if self.turn else self.log

    @property
    def whole_history(self) -> tuple[Step, ...]:
        """The history, with what this sitting has added."""
        return (*self.history, *self.turn.steps) if self.turn else self.history

    @property
    def luck(self) -> Luck:
        """The luck of this game, phase by phase."""
        seed = self.game.seed
        assert seed is not None, "a game has its seed when it begins"
        return luck_of(seed, luck_name(self.game))

    @property
    def early(self) -> bool:
        """Whether a phase closes as soon as nobody is waited for."""
        return bool(self.game.policy.get("early", "at-once") == "at-once")

    @property
    def table(self) -> Table:
        """The game as its letters show it."""
        held = {seat: holder.alias for seat, holder in self.holders.items()}
        return table_of(self.game, held or chairs.aliases(self.session, self.game.id))

    def readers(self) -> Readers:
        """Return the game and the languages of its seats, for the pages."""
        languages = {seat: holder.player.locale for seat, holder in self.holders.items()}
        return Readers(self.table, languages, self.opened_until or self._running_until())

    def _running_until(self) -> datetime | None:
        due = games.deadline_at(self.session, self.game, "expire")
        return due.due_at if due and due.status == "armed" else None

    def add(self, turn: Turn) -> None:
        """Let *turn* happen after what has happened already."""
        self.turn = turn if self.turn is None else joined((self.turn, turn))

    def remember(self, at: datetime) -> None:
        """Let the process remember what has just been recorded *at* an instant, once it is committed."""
        assert self.turn is not None, "something happened"
        log = (*self.log, *(entry for entry in self.turn.entries if entry.facts))  # others leave no trace
        past = Past(self.engine, (self.game.seq, at), log, self.whole_history)
        learned(self.session).pasts[self.game.id] = past

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


def luck_name(game: Game) -> str:
    """Return the word that all draws of a game begin with: the code under which it was first played."""
    return str(game.policy.get("luck", game.code))


def luck_of(seed: bytes, name: str) -> Luck:
    """Return the luck of a game, phase by phase."""

    def of(phase: str) -> Chance:
        return SeededChance(seed, f"{name}/{phase}")

    return of


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


def seat_named(table: Table, words: str) -> Seat | Problem:
    """Find the seat of a game that a master means, as players find one; or say why none is found."""
    found = find_seat(table.names, words)
    if not isinstance(found, Unclear):
        return found
    key = "lobby.no-seat" if found is Unclear.NOBODY else "lobby.seat-unclear"
    return Problem(key, {"code": table.code, "seat": words})


def _still(position: Position) -> Turn:
    return Turn(position, position, (), ())
