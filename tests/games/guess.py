"""Guess the other's card: two hidden cards of four, and one sealed guess each.

Small, but with all that can leak: a deal without a player, secrets of a seat, and
orders that stay hidden until the phase closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from engines.api import Chance, Info, Outcome, Phase, Phrase, Problem, Seat, View, Viewer, Watcher, name
from engines.kit.facts import Codec

DECK = (1, 2, 3, 4)
BOTH = (Seat(1), Seat(2))
NOBODY = frozenset[Seat]()
LAST_ROUND = 3


class Opened(NamedTuple):
    """The seats are taken; nothing is dealt."""

    round: int


class Dealt(NamedTuple):
    """Each seat has a card."""

    cards: tuple[int, int]


class Sealed(NamedTuple):
    """A seat guesses the other's card; hidden until the phase closes."""

    seat: Seat
    guess: int


class Judged(NamedTuple):
    """The round is over: who guessed what, 0 for nothing, and whose guess was right."""

    guesses: tuple[int, int]
    right: tuple[Seat, ...]


class Left(NamedTuple):
    """A seat gives up."""

    seat: Seat


Fact: TypeAlias = Opened | Dealt | Sealed | Judged | Left


class State(NamedTuple):
    """The table in one round."""

    round: int
    cards: tuple[int, ...]  # of both seats; empty before the deal
    guesses: tuple[int, int]
    shown: tuple[tuple[int, int], ...]  # cards and guesses of the round before
    outcome: Outcome | None


class Guess(Codec[Fact]):
    """The rules of the game."""

    info = Info("guess/1", range(2, 3), {"guess": "1d"}, {"rounds": ("3", "1", "2")})

    def __init__(self) -> None:
        super().__init__(Opened, Dealt, Sealed, Judged, Left)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Sequence[Fact] | Problem:
        return [Opened(LAST_ROUND + 1 - int(options.get("rounds", "3")))]

    def evolve(self, state: State | None, fact: Fact, /) -> State:
        if isinstance(fact, Opened):
            return State(fact.round, (), (0, 0), (), None)
        assert state is not None
        if isinstance(fact, Dealt):
            return state._replace(cards=fact.cards)
        if isinstance(fact, Sealed):
            return state._replace(guesses=put(state.guesses, fact.seat, fact.guess))
        if isinstance(fact, Left):
            return state._replace(outcome=Outcome(frozenset({other(fact.seat)}), "left"))
        return judged(state, fact)

    def phase(self, state: State, /) -> Phase | Outcome:
        if state.outcome is not None:
            return state.outcome
        if not state.cards:
            return Phase(f"deal-{state.round}", NOBODY, NOBODY, "guess")
        waiting = frozenset(seat for seat in BOTH if not state.guesses[seat - 1])
        return Phase(f"guess-{state.round}", waiting, frozenset(BOTH), "guess")

    def orders(self, state: State, seat: Seat, /) -> Iterator[int]:
        return (card for card in DECK if card != state.cards[seat - 1])

    def parse(self, state: State, seat: Seat, words: str, /) -> Sequence[int] | Problem:
        return [int(words)] if words in tuple("1234") else Problem("guess.unread")

    def spell(self, state: State, seat: Seat, order: int, lang: str, /) -> str:
        return str(order)

    def decide(self, state: State, seat: Seat, order: int, chance: Chance, /) -> Sequence[Fact] | Problem:
        own = order == state.cards[seat - 1]
        return Problem("guess.own", {"card": order}) if own else [Sealed(seat, order)]

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        if not state.cards:
            first, second, *_ = chance.shuffled("deal", DECK)
            return [Dealt((first, second))]
        right = tuple(seat for seat in BOTH if state.guesses[seat - 1] == state.cards[other(seat) - 1])
        return [Judged(state.guesses, right)]

    def leave(self, state: State, seat: Seat, chance: Chance, /) -> Sequence[Fact]:
        return [Left(seat)]

    def imagine(self, state: State, viewer: Viewer, chance: Chance, /) -> State:
        """Deal what is hidden from *viewer* anew, and let the others guess again, or not yet."""
        if viewer is Watcher.MASTER or not state.cards:
            return state
        for seat in BOTH:
            if seat != viewer:
                rest = [card for card in DECK if card != state.cards[other(seat) - 1]]
                state = state._replace(cards=put(state.cards, seat, chance.pick(f"card-{seat}", rest)))
                guess = chance.pick(f"guess-{seat}", (0, *self.orders(state, seat)))
                state = state._replace(guesses=put(state.guesses, seat, guess))
        return state

    def view(self, state: State, viewer: Viewer, /) -> View:
        table: dict[str, Any] = {"round": state.round, "shown": state.shown}
        if viewer is Watcher.MASTER:
            return View("guess/table", table | {"cards": state.cards, "guesses": state.guesses})
        if isinstance(viewer, Watcher) or not state.cards:
            return View("guess/table", table)
        own = {"card": state.cards[viewer - 1], "guess": state.guesses[viewer - 1]}
        return View("guess/table", table | own)

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        if isinstance(fact, Dealt) and not isinstance(viewer, Watcher):
            return [Phrase("guess.dealt", {"card": fact.cards[viewer - 1]})]
        if isinstance(fact, Sealed) and viewer == fact.seat:
            return [Phrase("guess.sealed", {"card": fact.guess})]
        if isinstance(fact, Judged):
            return [
                Phrase("guess.guessed", {"by": name(seat), "card": fact.guesses[seat - 1]}) for seat in BOTH
            ]
        return [Phrase("guess.left", {"by": name(fact.seat)})] if isinstance(fact, Left) else ()


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return Seat(3 - seat)


def put(pair: tuple[int, ...], seat: Seat, value: int) -> tuple[int, int]:
    """Return a pair with another value for one seat."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)


def judged(state: State, fact: Judged) -> State:
    """End the round, and the game if one seat alone was right or no round is left."""
    shown = (put(state.cards, Seat(1), state.cards[0]), fact.guesses)
    if len(fact.right) == 1 or state.round == LAST_ROUND:
        won = frozenset(fact.right) if len(fact.right) == 1 else NOBODY
        return state._replace(guesses=(0, 0), shown=shown, outcome=Outcome(won, "guessed"))
    return State(state.round + 1, (), (0, 0), shown, None)


ENGINE = Guess()
