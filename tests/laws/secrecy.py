"""Whether whole letters tell what their reader cannot know, in random positions of a game for two.

``laws`` checks views, orders and notes of every game; this renders all that goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count as seeds
from itertools import islice
from typing import Any, NamedTuple

from corr.core.chance import SeededChance
from corr.core.fold import fold
from corr.core.mailing import Readers, situation
from corr.core.page import Fate, Kind, Line, Page, Table
from corr.core.turn import AnyEngine, Position, take
from corr.registry import game_of
from corr.render.letters import Rendered, render
from engines.api import Chance, Outcome, Phase, Problem, Seat, Viewer, Watcher
from tests.laws.play import play

POSITIONS = 300
"""In each of so many random positions, both seats and the public are checked."""

APART = 7
"""Every so manieth position of a game is one of them: so they come from many games."""

SEATS = (Seat(1), Seat(2))
VIEWERS: tuple[Viewer, ...] = (*SEATS, Watcher.PUBLIC)
LANGUAGES = ("en", "ja")
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)


class Trial(NamedTuple):
    """What is tried in a game to see whether an answer tells a secret."""

    lines: Sequence[str]  # that a seat writes
    orders: Sequence[Any]  # that it gives, legal or not
    dealt: Callable[[Any], bool]  # tells whether a state hides anything yet
    retold: Callable[[Any, Any], Any]  # a fact as it would have been in an imagined state


def check(engine: AnyEngine, trial: Trial, count: int) -> int:
    """Check so many positions, with the letters of both seats in both languages; returns their number.

    Raises AssertionError that begins with the number of the position and who learns something there.
    """
    checked = 0
    for number, state, fact in islice(positions(engine, trial), count):
        for viewer in VIEWERS:
            world = imagined(engine, state, viewer, number)
            facts = fact, trial.retold(fact, world)
            told = [
                tuple(engine.tell(at, what, viewer)) for at, what in zip((state, world), facts, strict=True)
            ]
            assert told[0] == told[1], f"{number} {viewer}"
            real, other = (knowledge(engine, trial, at, viewer) for at in (state, world))
            assert real == other, f"{number} {viewer}"
            if not isinstance(viewer, Watcher):
                checked += check_letters(engine, trial, (state, world), facts, viewer, f"{number} {viewer}")
    return checked


def check_letters(
    engine: AnyEngine,
    trial: Trial,
    states: tuple[Any, Any],
    facts: tuple[Any, Any],
    seat: Seat,
    where: str,
) -> int:
    """Check that a seat gets the same letters in both states; returns their number."""
    for lang in LANGUAGES:
        real, other = (
            letter(engine, trial, state, fact, seat, lang) for state, fact in zip(states, facts, strict=True)
        )
        assert real == other, f"{where} {lang}"
    return len(LANGUAGES)


def positions(engine: AnyEngine, trial: Trial) -> Iterator[tuple[int, Any, Any]]:
    """Yield positions of random games with random options, each with the fact that led there."""
    for number, (state, fact) in enumerate(islice(moments(engine, trial), 0, None, APART)):
        yield number, state, fact


def moments(engine: AnyEngine, trial: Trial) -> Iterator[tuple[Any, Any]]:
    """Yield each position of one random game after another."""
    for seed in seeds():
        state: Any = None
        for fact in play(engine, seed).facts:
            state = engine.evolve(state, fact)
            if trial.dealt(state):
                yield state, fact


def imagined(engine: AnyEngine, state: Any, viewer: Viewer, number: int) -> Any:
    """Deal a position anew as a viewer may think it."""
    return engine.imagine(state, viewer, SeededChance(str(number).encode(), "imagined"))


def knowledge(engine: AnyEngine, trial: Trial, state: Any, viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer sees, may do and is refused."""
    view, phase = engine.view(state, viewer), engine.phase(state)
    if isinstance(phase, Outcome):
        return view, phase
    if isinstance(viewer, Watcher) or viewer not in phase.open:
        return view, noticed(phase, viewer)
    answers = [engine.decide(state, viewer, order, luck("trial")) for order in trial.orders]
    refused = tuple(answer if isinstance(answer, Problem) else None for answer in answers)
    read = tuple(engine.parse(state, viewer, fold(words)) for words in trial.lines)
    return view, noticed(phase, viewer), tuple(engine.orders(state, viewer)), refused, read


def noticed(phase: Phase, viewer: Viewer) -> Phase:
    """Return a phase as a viewer knows it: where several may act, who else has done so is a secret."""
    return replace(phase, waiting=phase.waiting & {viewer}) if len(phase.open) > 1 else phase


def letter(engine: AnyEngine, trial: Trial, state: Any, fact: Any, seat: Seat, lang: str) -> Rendered:
    """Render the letter that a seat gets in a position; the game's end is shown as everybody sees it."""
    table = Table("K7QX", game_of(engine), {Seat(1): "Aoi", Seat(2): "Ben"}, "3d")
    readers = Readers(table, dict.fromkeys(SEATS, lang), NOW + timedelta(days=3))
    position = Position(state)
    page = Page(
        kind=Kind.TURN,
        seat=seat,
        table=table,
        story=tuple(engine.tell(state, fact, seat)),
        lines=tuple(refused(engine, trial, position, seat, lang)),
        situation=situation(engine, position, seat, readers),
    )
    return render(page, locale=lang, zone="Asia/Tokyo", now=NOW, reply_to="play@corr.example.org")


def refused(engine: AnyEngine, trial: Trial, position: Position, seat: Seat, lang: str) -> Iterator[Line]:
    """Yield what a seat reads of each line that is refused; one that is taken may well teach it something."""
    for words in trial.lines:
        (line,) = take(engine, position, seat, (words,), luck, lang=lang).lines
        if line.fate is not Fate.TAKEN:
            yield line


def luck(key: str) -> Chance:
    """Return the luck of trials."""
    return SeededChance(b"", key)
