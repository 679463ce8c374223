"""Nothing tells a secret: whole letters are the same, byte for byte, whatever a seat cannot know."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.api import Phase, Phrase, View, Viewer, Watcher
from engines.bakenushi import ENGINE
from engines.bakenushi.facts import Fact, Played
from engines.bakenushi.orders import HIDE, PLAY, TURN
from engines.bakenushi.rules import Bakenushi
from engines.bakenushi.state import State
from tests.laws.secrecy import POSITIONS, Trial, check, positions


def retold(fact: Fact, state: State) -> Fact:
    """Return the fact as it would have been in an imagined position: another card may lie hidden."""
    return fact._replace(card=state.down) if isinstance(fact, Played) and fact.down else fact


def dealt(state: State) -> bool:
    """Tell whether the cards are dealt."""
    return state.round > 0


TRIAL = Trial(
    lines=("a1", "d4", "red", "play 1", *(f"play {card} face down" for card in (5, 20, 35)), "hello"),
    orders=(*TURN, *PLAY.values(), *HIDE.values()),
    dealt=dealt,
    retold=retold,
)


@pytest.mark.slow
def test_whole_letters_orders_and_refusals_tell_nothing_in_random_positions() -> None:
    assert check(ENGINE, TRIAL, POSITIONS) == 4 * POSITIONS


@pytest.mark.bench
def test_the_same_in_two_thousand_positions() -> None:
    assert check(ENGINE, TRIAL, 2_000) == 4 * 2_000


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
    with pytest.raises(AssertionError, match=r"^\d+ (1|2|Watcher)"):
        check(leaky(), TRIAL, POSITIONS)


def test_what_was_checked_holds_hidden_cards_and_both_games_of_a_match() -> None:
    """Positions that hide nothing would prove nothing."""
    seen = [state for _, state, _ in islice(positions(ENGINE, TRIAL), POSITIONS)]
    assert any(state.down for state in seen)
    assert any(state.table.game == 2 for state in seen)
    assert any(isinstance(ENGINE.phase(state), Phase) and state.choice for state in seen)
