"""Random players who use every verb that a game has, and the record of what they did."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from typing import Any, NamedTuple, TypeVar, cast

from corr.core.chance import SeededChance
from corr.core.turn import AnyEngine
from engines.api import Chance, Leaves, Outcome, Phase, Problem, Seat, Suggests

T = TypeVar("T")

CAP = 120
"""Steps after which a random game is broken off."""

VERBS = (*["order"] * 12, *["suggest"] * 4, "lapse", "leave")
"""What a random player does, as often as it stands here."""

PLENTY = 200
"""Orders of one seat that a random player chooses from, where a game has more."""


class Moment(NamedTuple):
    """A state that was reached, and what the game waited for there."""

    state: Any
    phase: Phase | Outcome


class Game(NamedTuple):
    """A whole game, as played."""

    seats: int
    setup: tuple[Any, ...]
    facts: tuple[Any, ...]  # with those of the setup
    moments: tuple[Moment, ...]
    orders: tuple[Any, ...]  # every order that was given, once


class Watched:
    """A chance that no word may ask twice."""

    def __init__(self, scope: str, chance: Chance) -> None:
        self._scope, self._chance = scope, chance
        self._words: set[str] = set()

    def pick(self, why: str, items: Sequence[T], /) -> T:
        self._note(why, items)
        return self._chance.pick(why, items)

    def shuffled(self, why: str, items: Sequence[T], /) -> tuple[T, ...]:
        self._note(why, items)
        return self._chance.shuffled(why, items)

    def _note(self, why: str, items: Sequence[object]) -> None:
        if len(items) > 1:
            assert why not in self._words, f"{why!r} is drawn twice in {self._scope}"
            self._words.add(why)


class Players:
    """Plays one game of an engine; *seed* decides all."""

    def __init__(self, engine: AnyEngine, seed: int) -> None:
        self.engine = engine
        self.seed = f"{engine.info.rules} {seed}".encode()
        self.luck = cache(self._watched)
        self.given: dict[Any, None] = {}

    def _watched(self, key: str) -> Chance:
        return Watched(key, SeededChance(self.seed, key))

    def dice(self, step: int) -> Chance:
        """Return the players' own luck, which is no part of the game."""
        return SeededChance(self.seed, f"players {step}")

    def opened(self) -> Sequence[Any]:
        """Open a game with random options; with none where the engine refuses those."""
        dice = self.dice(0)
        options = {
            key: dice.pick(f"option {key}", values)
            for key, values in self.engine.info.options.items()
            if values and dice.pick(f"set {key}", "yn") == "y"
        }
        facts = self.engine.setup(self.seats(), options, self._watched("setup"))
        if isinstance(facts, Problem):
            facts = self.engine.setup(self.seats(), {}, self._watched("setup"))
        assert not isinstance(facts, Problem), f"no game without options: {facts}"
        return facts

    def seats(self) -> int:
        """Return how many play, which is up to the seed."""
        return self.dice(0).pick("seats", self.engine.info.seats)

    def step(self, state: Any, phase: Phase, number: int) -> Sequence[Any]:
        """Let the phase close, or a random seat do something."""
        engine, dice, chance = self.engine, self.dice(number), self.luck(phase.key)
        verb = dice.pick("verb", VERBS)
        if not phase.open:
            return engine.close(state, chance)
        if verb == "lapse" or (not phase.waiting and dice.pick("early", (True, True, False))):
            return engine.close(state, chance)
        seat = dice.pick("seat", sorted(phase.waiting or phase.open))
        if verb == "leave" and isinstance(engine, Leaves):
            return cast("Leaves[Any, Any]", engine).leave(state, seat, chance)
        order = self.order(state, seat, dice, suggested=verb == "suggest")
        self.given[order] = None
        facts = engine.decide(state, seat, order, chance)
        assert not isinstance(facts, Problem), f"a listed order is refused: {order} {facts}"
        return facts

    def order(self, state: Any, seat: Seat, dice: Chance, *, suggested: bool) -> Any:
        """Choose a legal order, with the help of the game's own bot if it has one."""
        engine = self.engine
        if suggested and isinstance(engine, Suggests):
            bot = cast("Suggests[Any, Any]", engine)
            return bot.suggest(worlds(self.engine, state, seat, dice), seat, dice)
        return dice.pick("order", tuple(itertools.islice(engine.orders(state, seat), PLENTY)))


def worlds(engine: AnyEngine, state: Any, seat: Seat, chance: Chance) -> Iterator[Any]:
    """Yield imagined states without end."""
    while True:
        yield engine.imagine(state, seat, chance)


def play(engine: AnyEngine, seed: int) -> Game:
    """Play a random game to its end, or to the cap."""
    players = Players(engine, seed)
    setup = tuple(players.opened())
    state: Any = reduce(engine.evolve, setup, None)
    facts, moments = list(setup), [Moment(state, engine.phase(state))]
    for number in range(1, CAP + 1):
        phase = moments[-1].phase
        if isinstance(phase, Outcome):
            break
        news = players.step(state, phase, number)
        state = reduce(engine.evolve, news, state)
        facts += news
        moments.append(Moment(state, engine.phase(state)))
    return Game(players.seats(), setup, tuple(facts), tuple(moments), tuple(players.given))
