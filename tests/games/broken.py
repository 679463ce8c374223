"""The guessing game, broken in one way after another: each must be caught by a law."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines.api import Chance, Json, Outcome, Phase, Phrase, Problem, Seat, View, Viewer, Watcher
from tests.games.guess import DECK, Dealt, Fact, Guess, Judged, Opened, Sealed, State, other


class ViewTells(Guess):
    """Shows a seat the other's card."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        view = super().view(state, viewer)
        if isinstance(viewer, Watcher) or not state.cards:
            return view
        return replace(view, data={**view.data, "theirs": state.cards[other(viewer) - 1]})


class ViewTellsThePublic(Guess):
    """Shows the public both cards."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        view = super().view(state, viewer)
        return replace(view, data={**view.data, "cards": state.cards}) if viewer is Watcher.PUBLIC else view


class ViewTellsWhoIsDone(Guess):
    """Shows a seat whether the other has sealed a guess."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        view = super().view(state, viewer)
        if isinstance(viewer, Watcher) or not state.cards:
            return view
        return replace(view, data={**view.data, "done": bool(state.guesses[other(viewer) - 1])})


class OrdersTell(Guess):
    """Lists the right guess first."""

    def orders(self, state: State, seat: Seat, /) -> Iterator[int]:
        right = state.cards[other(seat) - 1]
        return iter(sorted(super().orders(state, seat), key=lambda card: card != right))


class RefusalTells(Guess):
    """Gives a hint with a refusal."""

    def decide(self, state: State, seat: Seat, order: int, chance: Chance, /) -> Sequence[Fact] | Problem:
        judged = super().decide(state, seat, order, chance)
        hint = {"hint": state.cards[other(seat) - 1]}
        return Problem(judged.key, hint) if isinstance(judged, Problem) else judged


class NoteTells(Guess):
    """Says when a sealed guess is right."""

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        notes = super().tell(state, fact, viewer)
        right = isinstance(fact, Sealed) and fact.guess == state.cards[other(fact.seat) - 1]
        return [*notes, Phrase("guess.warm")] if right else notes


class SealIsOpen(Guess):
    """Tells everybody what a seat has sealed."""

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        return super().tell(state, fact, fact.seat if isinstance(fact, Sealed) else viewer)


class FactsFade(Guess):
    """Forgets a part of a fact on the way through the store."""

    def load(self, kind: str, version: int, body: Json, /) -> Fact:
        fact = super().load(kind, version, body)
        return fact._replace(right=()) if isinstance(fact, Judged) else fact


class SetupClings(Guess):
    """Keeps the last round's cards on the table when a new game is folded over an old one."""

    def evolve(self, state: State | None, fact: Fact, /) -> State:
        fresh = super().evolve(state, fact)
        return fresh._replace(shown=state.shown) if state and isinstance(fact, Opened) else fresh


class NeverDeals(Guess):
    """Leaves a step without a player standing."""

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        return super().close(state, chance) if state.cards else ()


class WaitsForTheAbsent(Guess):
    """Waits for a seat that may not act."""

    def phase(self, state: State, /) -> Phase | Outcome:
        phase = super().phase(state)
        return phase if isinstance(phase, Outcome) else replace(phase, open=phase.open - {Seat(2)})


class SameKeyAgain(Guess):
    """Calls the guesses of every round alike."""

    def phase(self, state: State, /) -> Phase | Outcome:
        phase = super().phase(state)
        return replace(phase, key="guess") if isinstance(phase, Phase) and phase.open else phase


class DrawsTwice(Guess):
    """Asks for the same luck twice in one phase."""

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        if state.cards:
            return super().close(state, chance)
        return [Dealt((chance.pick("card", DECK), chance.pick("card", DECK)))]


class Mumbles(Guess):
    """Writes orders in Japanese that it cannot read."""

    def spell(self, state: State, seat: Seat, order: int, lang: str, /) -> str:
        return f"{order}番" if lang == "ja" else str(order)


class RefusesItsOwn(Guess):
    """Lists an order that it refuses."""

    def orders(self, state: State, seat: Seat, /) -> Iterator[int]:
        return iter(DECK)
