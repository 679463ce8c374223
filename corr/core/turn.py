"""The fold: what a log of facts comes to, and what one letter or one lapse adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias

from corr.core.fold import bare
from corr.core.page import Fate, Line
from engines.api import Chance, Engine, Json, Outcome, Phase, Problem, Seat

AnyEngine: TypeAlias = Engine[Any, Any, Any]
Luck: TypeAlias = Callable[[str], Chance]
"""Gives the luck of a phase by its key; ``setup`` before the first."""

Cause: TypeAlias = Literal["setup", "order", "close", "early", "leave", "master"]

CEILING = 1_000
"""Phases that may close one after another before somebody must act."""


class Ended(NamedTuple):
    """A game that ended outside its rules: resigned, agreed, out of time, adjudicated."""

    outcome: Outcome
    by: tuple[Seat, ...] = ()  # who resigned, or let the time run out


@dataclass(frozen=True, slots=True)
class Entry:
    """One order, one lapse or one act of a master: facts that are stored together."""

    seat: Seat | None
    words: str | None  # as secret as the facts
    phase: str  # the key of the phase in which it was given
    cause: Cause
    facts: tuple[Any, ...]


class Position(NamedTuple):
    """What a log comes to."""

    state: Any
    ended: Outcome | None = None


class Step(NamedTuple):
    """A fact and the position after it, for the telling."""

    fact: Any
    after: Position


@dataclass(frozen=True, slots=True)
class Turn:
    """What one letter or one lapse did."""

    before: Position
    after: Position
    steps: tuple[Step, ...]
    entries: tuple[Entry, ...]
    lines: tuple[Line, ...] = ()
    opened: int = 0  # phases that opened on the way


def dump(engine: AnyEngine, fact: Any) -> tuple[str, int, Json]:
    """Return kind, version and body of an engine's fact or of one of corr's own."""
    if isinstance(fact, Ended):
        winners, reason = sorted(fact.outcome.winners), fact.outcome.reason
        return "corr.ended", 1, {"winners": winners, "reason": reason, "by": list(fact.by)}
    return engine.dump(fact)


def load(engine: AnyEngine, kind: str, version: int, body: Json) -> Any:
    """Read a stored fact; raises LookupError for a kind of corr's that is not known."""
    if kind == "corr.ended":
        outcome = Outcome(frozenset(map(Seat, body["winners"])), body["reason"])
        return Ended(outcome, tuple(map(Seat, body["by"])))
    if kind.startswith("corr."):
        raise LookupError(f"a fact of a newer corr: {kind}")
    return engine.load(kind, version, body)


def believe(engine: AnyEngine, position: Position | None, fact: Any) -> Position:
    """Take one fact into the position."""
    if isinstance(fact, Ended):
        assert position is not None, "no game ends before it begins"
        return position._replace(ended=fact.outcome)
    return Position(engine.evolve(position.state if position else None, fact))


def steps(engine: AnyEngine, position: Position | None, facts: Iterable[Any]) -> Iterator[Step]:
    """Believe *facts* one after another, yielding where each one leads."""
    for fact in facts:
        position = believe(engine, position, fact)
        yield Step(fact, position)


def status(engine: AnyEngine, position: Position) -> Phase | Outcome:
    """Say what the game waits for, or how it ended."""
    return position.ended or engine.phase(position.state)


class _Course:
    """A turn while it happens: the position and what has been added to it."""

    def __init__(self, engine: AnyEngine, before: Position) -> None:
        self.engine = engine
        self.before = self.now = before
        self.status = status(engine, before)
        self.steps: list[Step] = []
        self.entries: list[Entry] = []
        self.lines: list[Line] = []
        self.opened = 0

    def add(self, entry: Entry) -> None:
        """Believe the facts of *entry*, and count the phase that they open."""
        key = phase_key(self.status)
        for step in steps(self.engine, self.now, entry.facts):
            self.steps.append(step)
            self.now = step.after
        self.status = status(self.engine, self.now)
        self.entries.append(entry)
        self.opened += phase_key(self.status) not in (key, None)

    def turn(self) -> Turn:
        return Turn(
            self.before, self.now, tuple(self.steps), tuple(self.entries), tuple(self.lines), self.opened
        )


def phase_key(status: Phase | Outcome) -> str | None:
    """Return the key of the phase; None when the game is over."""
    return status.key if isinstance(status, Phase) else None


def start(engine: AnyEngine, facts: Sequence[Any], luck: Luck) -> Turn:
    """Open a game with the facts of its setup, up to the first phase that waits."""
    setup = Entry(None, None, "setup", "setup", tuple(facts))
    made = tuple(steps(engine, None, facts))
    course = _Course(engine, made[-1].after)
    course.steps, course.entries, course.opened = list(made), [setup], 1
    _settle(course, luck, early=True)
    return course.turn()


def take(
    engine: AnyEngine,
    position: Position,
    seat: Seat,
    lines: Sequence[str],
    luck: Luck,
    *,
    lang: str,
    together: bool = False,
    early: bool = True,
) -> Turn:
    """Take a letter's orders in their order, whole, and settle once.

    Each line is taken, refused with its reason, or not read.  With *together*
    one bad line takes back the others.  *lang* is the writer's, for choices.
    *early* lets a phase close before its time when nobody is waited for.
    """
    course = _Course(engine, position)
    for words in lines:
        course.lines.append(_order(course, seat, words, luck, lang))
    if together and any(line.fate is Fate.REFUSED for line in course.lines):
        untaken = tuple(_take_back(line) for line in course.lines)
        return Turn(position, position, (), (), untaken)
    if course.entries:
        course.lines = [_without_hint(line) for line in course.lines]
        _settle(course, luck, early)
    return course.turn()


def _without_hint(line: Line) -> Line:
    """Spare the greetings around a good order: whoever wrote it knows how one is written."""
    return replace(line, reason=None) if line.fate is Fate.UNREAD else line


def stale(engine: AnyEngine, position: Position, seat: Seat, lines: Sequence[str]) -> tuple[Line, ...]:
    """Refuse the orders of a letter that answers an earlier position; chatter stays unread."""
    phase = status(engine, position)
    if isinstance(phase, Outcome):
        return tuple(Line(words, Fate.UNREAD, Problem("timing.over")) for words in lines)
    late = Problem("timing.stale")
    if seat not in phase.open:
        return tuple(Line(words, Fate.UNREAD, late) for words in lines)
    read = ((words, parsed(engine, position.state, seat, words)) for words in lines)
    return tuple(
        Line(words, Fate.UNREAD, orders)
        if isinstance(orders, Problem) and fate_of(orders) is Fate.UNREAD
        else Line(words, Fate.REFUSED, late)
        for words, orders in read
    )


def _take_back(line: Line) -> Line:
    """Refuse a line that was good, because another was not; what one ruled out has its reason in that."""
    if line.fate is Fate.TAKEN:
        return Line(line.words, Fate.REFUSED, Problem("together.refused"))
    if line.fate is Fate.REFUSED and line.reason in _BEHIND:
        return replace(line, reason=Problem("together.turn-ends"))
    return line


def _order(course: _Course, seat: Seat, words: str, luck: Luck, lang: str) -> Line:
    """Read and judge one line; what it did is added to the course."""
    engine, state, phase = course.engine, course.now.state, course.status
    if isinstance(phase, Outcome):
        return _behind(course, seat, words, Problem("timing.over"))
    if seat not in phase.open:
        return _behind(course, seat, words, Problem("timing.not-your-turn"))
    read = parsed(engine, state, seat, words)
    if isinstance(read, Problem):
        return Line(words, fate_of(read), read)
    if len(read) != 1:
        choices = tuple(engine.spell(state, seat, order, lang) for order in read)
        return Line(words, Fate.REFUSED, Problem("ambiguous.order", {"words": words}), choices)
    facts = engine.decide(state, seat, read[0], luck(phase.key))
    if isinstance(facts, Problem):
        return Line(words, Fate.REFUSED, facts)
    spelt = engine.spell(state, seat, read[0], "en")
    course.add(Entry(seat, spelt, phase.key, "order", tuple(facts)))
    return Line(engine.spell(state, seat, read[0], lang), Fate.TAKEN)


_BEHIND = (Problem("timing.over"), Problem("timing.not-your-turn"))
"""Why an order behind another of the same letter comes too late."""


def _behind(course: _Course, seat: Seat, words: str, late: Problem) -> Line:
    """Refuse a second order, but not the good wishes that follow the first."""
    begun = status(course.engine, course.before)
    if isinstance(begun, Outcome) or seat not in begun.open:
        return Line(words, Fate.UNREAD, late)
    read = parsed(course.engine, course.before.state, seat, words)
    if isinstance(read, Problem) and fate_of(read) is Fate.UNREAD:
        return Line(words, Fate.UNREAD)
    return Line(words, Fate.REFUSED, late)


def is_order(engine: AnyEngine, position: Position, seat: Seat, words: str) -> bool:
    """Tell whether a line is an order, legal or not, of a seat that may act."""
    phase = status(engine, position)
    able = isinstance(phase, Phase) and seat in phase.open
    return able and not isinstance(parsed(engine, position.state, seat, words), Problem)


def parsed(engine: AnyEngine, state: Any, seat: Seat, words: str) -> Sequence[Any] | Problem:
    """Read a line as it stands or, where that says nothing, without what surrounds it."""
    read = engine.parse(state, seat, words)
    if not isinstance(read, Problem) or fate_of(read) is not Fate.UNREAD or bare(words) == words:
        return read
    again = engine.parse(state, seat, bare(words))
    return read if isinstance(again, Problem) and fate_of(again) is Fate.UNREAD else again


def fate_of(problem: Problem) -> Fate:
    """Tell chatter, which is no error, from an order that says too little or too much."""
    return Fate.UNREAD if problem.key.endswith(".unread") else Fate.REFUSED


def _settle(course: _Course, luck: Luck, early: bool) -> None:
    """Close phases until one waits for somebody or the game is over."""
    for _ in range(CEILING):
        phase = course.status
        if isinstance(phase, Outcome) or (phase.open and (phase.waiting or not early)):
            return
        if not _close(course, phase, luck, "early" if phase.open else "close"):
            return
    raise RuntimeError(f"{course.engine.info.rules} closed {CEILING} phases and does not rest")


def _close(course: _Course, phase: Phase, luck: Luck, cause: Cause) -> bool:
    """Close one phase; false where the rules do not say what its end means."""
    facts = tuple(course.engine.close(course.now.state, luck(phase.key)))
    if not facts:
        if not phase.open:
            raise RuntimeError(f"{course.engine.info.rules} does not close {phase.key}, which nobody can")
        return False
    course.add(Entry(None, None, phase.key, cause, facts))
    return True


def run_out(
    engine: AnyEngine, position: Position, luck: Luck, *, early: bool = True, cause: Cause = "close"
) -> Turn | None:
    """Close the phase because its time is over, or for another *cause*, and settle.

    None where the rules do not say what a lapse means: then the game's own
    option does.
    """
    course = _Course(engine, position)
    phase = course.status
    if isinstance(phase, Outcome) or not _close(course, phase, luck, cause):
        return None
    _settle(course, luck, early)
    return course.turn()


def end(engine: AnyEngine, position: Position, ended: Ended, seat: Seat | None, cause: Cause) -> Turn:
    """End a game outside its rules, by *seat* or, if None, by a master or by time."""
    course = _Course(engine, position)
    phase = course.status
    assert isinstance(phase, Phase), "a game ends once"
    course.add(Entry(seat, None, phase.key, cause, (ended,)))
    return course.turn()


def standing(
    engine: AnyEngine, log: Sequence[Entry], history: Sequence[Step], seat: Seat, phase: str
) -> list[bool]:
    """Tell of each order that *seat* gave in the newest phase whether it still counts.

    *history* has a step for each fact of *log*.  An order counts unless all would be the same
    without it, as when another has taken its place.  Only the own orders are asked: so nobody
    learns what others have done.
    """
    since = sum(len(entry.facts) for entry in log if entry.phase == phase)
    before = history[-since - 1].after.state
    own = [
        entry.facts for entry in log if (entry.seat, entry.phase) == (seat, phase) and entry.words is not None
    ]
    whole = reduce(engine.evolve, chain(*own), before)
    return [
        reduce(engine.evolve, chain(*own[:at], *own[at + 1 :]), before) != whole for at in range(len(own))
    ]


def joined(turns: Sequence[Turn]) -> Turn:
    """Return turns that followed one another as one; there is at least one."""
    return Turn(
        turns[0].before,
        turns[-1].after,
        tuple(chain.from_iterable(turn.steps for turn in turns)),
        tuple(chain.from_iterable(turn.entries for turn in turns)),
        tuple(chain.from_iterable(turn.lines for turn in turns)),
        sum(turn.opened for turn in turns),
    )
