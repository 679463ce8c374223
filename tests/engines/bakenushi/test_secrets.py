"""Nothing tells a secret: whole letters are the same, byte for byte, whatever a seat cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count as seeds
from itertools import islice

import pytest

from corr.core.chance import SeededChance
from corr.core.fold import fold
from corr.core.mailing import Readers, situation
from corr.core.page import Fate, Kind, Line, Page, Table
from corr.core.turn import Position, take
from corr.render.letters import Rendered, render
from engines.api import Chance, Outcome, Phase, Phrase, Problem, Seat, View, Viewer, Watcher
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Fact, Played
from engines.bakenushi.orders import HIDE, PLAY, TURN, Order
from engines.bakenushi.rules import Bakenushi
from engines.bakenushi.state import State
from tests.laws.play import play

POSITIONS = 300
"""In each of so many random positions, both seats and the public are checked."""

APART = 7
"""Every so manieth position of a game is one of them: so they come from many games."""

SEATS = (Seat(1), Seat(2))
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
TABLE = Table("K7QX", "bakenushi", {Seat(1): "Aoi", Seat(2): "Ben"}, "3d")
TRIED = ("a1", "d4", "red", "play 1", *(f"play {card} face down" for card in (5, 20, 35)), "hello")


def positions(engine: Bakenushi) -> Iterator[tuple[int, State, Fact]]:
    """Yield positions of random games with random options, each with the fact that led there."""
    for number, (state, fact) in enumerate(islice(moments(engine), 0, None, APART)):
        yield number, state, fact


def moments(engine: Bakenushi) -> Iterator[tuple[State, Fact]]:
    """Yield each position of one random game after another."""
    for seed in seeds():
        state: State | None = None
        for fact in play(engine, seed).facts:
            state = engine.evolve(state, fact)
            if state.round:
                yield state, fact


def letter(engine: Bakenushi, state: State, fact: Fact, seat: Seat, lang: str) -> Rendered:
    """Render the letter that a seat gets in a position; the game's end is shown as everybody sees it."""
    readers = Readers(TABLE, dict.fromkeys(SEATS, lang), NOW + timedelta(days=3))
    position = Position(state)
    page = Page(
        kind=Kind.TURN,
        seat=seat,
        table=TABLE,
        story=tuple(engine.tell(state, fact, seat)),
        lines=tuple(refused(engine, position, seat, lang)),
        situation=situation(engine, position, seat, readers),
    )
    return render(page, locale=lang, zone="Asia/Tokyo", now=NOW, reply_to="play@corr.example.org")


def refused(engine: Bakenushi, position: Position, seat: Seat, lang: str) -> Iterator[Line]:
    """Yield what a seat reads of each line that is refused; one that is taken may well teach it something."""
    for words in TRIED:
        (line,) = take(engine, position, seat, (words,), luck, lang=lang).lines
        if line.fate is not Fate.TAKEN:
            yield line


def luck(key: str) -> Chance:
    return SeededChance(b"", key)


def knowledge(engine: Bakenushi, state: State, viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer sees, may do and is refused."""
    phase = engine.phase(state)
    if isinstance(phase, Outcome) or isinstance(viewer, Watcher) or viewer not in phase.open:
        return engine.view(state, viewer), phase
    answers = [engine.decide(state, viewer, order, luck("trial")) for order in everything()]
    refused = tuple(answer if isinstance(answer, Problem) else None for answer in answers)
    read = tuple(engine.parse(state, viewer, fold(words)) for words in TRIED)
    return engine.view(state, viewer), phase, tuple(engine.orders(state, viewer)), refused, read


@cache
def everything() -> tuple[Order, ...]:
    return (*TURN, *PLAY.values(), *HIDE.values())


def check(engine: Bakenushi, count: int, letters_of: int) -> int:
    """Check so many positions; the letters of every so manieth, in both languages."""
    checked = 0
    for number, state, fact in islice(positions(engine), count):
        for viewer in (*SEATS, Watcher.PUBLIC):
            world = engine.imagine(state, viewer, SeededChance(str(number).encode(), "imagined"))
            assert knowledge(engine, world, viewer) == knowledge(engine, state, viewer), f"{number} {viewer}"
            if isinstance(viewer, Watcher) or number % letters_of:
                continue
            for lang in ("en", "ja"):
                real, imagined = (letter(engine, at, retold(fact, at), viewer, lang) for at in (state, world))
                assert real == imagined, f"{number} {viewer} {lang}"
                checked += 1
    return checked


def retold(fact: Fact, state: State) -> Fact:
    """Return the fact as it would have been in an imagined position: another card may lie hidden."""
    return fact._replace(card=state.down) if isinstance(fact, Played) and fact.down else fact


@pytest.mark.slow
def test_whole_letters_orders_and_refusals_tell_nothing_in_random_positions() -> None:
    assert check(ENGINE, POSITIONS, letters_of=1) == 4 * POSITIONS


@pytest.mark.bench
def test_the_same_in_two_thousand_positions() -> None:
    assert check(ENGINE, 2_000, letters_of=1) == 4 * 2_000


class Leaks(Bakenushi):
    """Shows how many lands that lie face down are neutral: a single bit in a view."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        view = super().view(state, viewer)
        first = next((cell for cell in range(16) if not state.up >> cell & 1), 0)
        leak = bool(state.table.lands[state.table.mountain[first] - 1].neutral)
        return View(view.template, {**view.data, "deck": view.data["deck"] + leak})


class Whispers(Bakenushi):
    """Tells everybody which card lies face down."""

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> tuple[Phrase, ...]:
        return tuple(super().tell(state, fact, Watcher.MASTER if isinstance(fact, Played) else viewer))


@pytest.mark.parametrize("leaky", [Leaks, Whispers])
def test_a_planted_leak_is_caught(leaky: type[Bakenushi]) -> None:
    with pytest.raises(AssertionError):
        check(leaky(), POSITIONS, letters_of=1)


def test_what_was_checked_holds_hidden_cards_and_both_games_of_a_match() -> None:
    """Positions that hide nothing would prove nothing."""
    seen = [state for _, state, _ in islice(positions(ENGINE), POSITIONS)]
    assert any(state.down for state in seen)
    assert any(state.table.game == 2 for state in seen)
    assert any(isinstance(ENGINE.phase(state), Phase) and state.choice for state in seen)
