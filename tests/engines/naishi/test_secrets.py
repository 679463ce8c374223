"""Nothing tells a secret: whole letters are the same, byte for byte, whatever a seat cannot know."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, product

import pytest

from engines.api import Chance, Phrase, Problem, Seat, View, Viewer, Watcher
from engines.naishi import ENGINE
from engines.naishi.cards import DECK, MOUNTAIN, NAMES
from engines.naishi.facts import Dealt, Decreed, Fact, Handed, Kept, Swapped
from engines.naishi.orders import DECREE, DEVELOP, DISCARD, KEEP, RIVER, STOP, WITHIN, Act, Order
from engines.naishi.rules import Naishi
from engines.naishi.state import HAND, State, seat_of, side_of
from tests.laws.secrecy import POSITIONS, VIEWERS, Trial, check, imagined, positions


def everything() -> tuple[Order, ...]:
    """Return every action, and lines of two or three."""
    swaps = [(Act("swap", *pair),) for pair in combinations(range(10), 2)]
    single = [*KEEP, *DEVELOP, *DECREE, *RIVER.values(), *DISCARD.values(), *swaps, *STOP]
    single += [(Act("recall"),), (Act("declare"),)]
    helps = (RIVER[0, 1], DISCARD[1, 2], WITHIN[0], WITHIN[-1], swaps[4])
    lines = [*product(DEVELOP, helps), *product(helps, DEVELOP), *product(DEVELOP, helps, STOP)]
    return (*single, *(tuple(act for order in line for act in order) for line in lines))


def retold(fact: Fact, state: State) -> Fact:
    """Return the fact as it would have been in an imagined position, where other cards lie hidden."""
    if isinstance(fact, Dealt):
        return Dealt(state.river, state.dealt)
    if isinstance(fact, Handed):
        return Handed(state.start)
    if isinstance(fact, Kept):
        card = state.kept[side_of(state, fact.by)]
        return fact if card is None else Kept(fact.by, card)
    if isinstance(fact, Swapped):
        own = state.territories[side_of(state, fact.by)]
        return fact._replace(cards=(own[fact.places[0]], own[fact.places[1]]))
    if isinstance(fact, Decreed):
        side = side_of(state, fact.by)
        own, other = state.territories[side], state.territories[1 - side]
        return fact._replace(given=other[fact.at], taken=own[fact.at])
    return fact


def dealt(state: State) -> bool:
    """Tell whether the river is laid out."""
    return bool(state.river)


TRIAL = Trial(
    lines=(
        "keep fort",
        "develop line 1",
        "develop hand 2, swap hand 1 3",
        "impose hand 4",
        "recall",
        "hello",
    ),
    orders=everything(),
    dealt=dealt,
    retold=retold,
)


@pytest.mark.slow
def test_whole_letters_orders_and_refusals_tell_nothing_in_random_positions() -> None:
    assert check(ENGINE, TRIAL, POSITIONS) == 4 * POSITIONS


@pytest.mark.bench
def test_the_same_in_two_thousand_positions() -> None:
    assert check(ENGINE, TRIAL, 2_000) == 4 * 2_000


def test_an_imagined_deal_fits_together() -> None:
    """A deal, a draft and hands that could have been; no card is missing or double."""
    for number, state, _ in islice(positions(ENGINE, TRIAL), POSITIONS):
        for viewer in VIEWERS:
            check_possible(imagined(ENGINE, state, viewer, number))


def check_possible(state: State) -> None:
    """Check that a deal, a draft and hands fit together, and that no card is missing or double."""
    dealt = [card for pile in (*state.river, *state.dealt) for card in pile]
    assert Counter(dealt) == Counter(DECK)
    if state.turn:
        held = [card for cards in state.territories for card in cards]
        river = [
            card for pile, left in zip(state.river, state.left, strict=True) for card in covered(pile, left)
        ]
        tops = [card for card in state.tops if card >= 0]
        assert Counter([*held, *river, *tops, *state.gone]) == Counter([*DECK, *[MOUNTAIN] * 16])
        for side in (0, 1):
            kept, gift = state.kept[side], list(state.dealt[1 - side])
            gift.remove(state.kept[1 - side] or 0)
            assert Counter(state.start[side]) == Counter([kept, *gift, MOUNTAIN, MOUNTAIN, MOUNTAIN])


def covered(pile: tuple[int, ...], left: int) -> tuple[int, ...]:
    """Return the cards of a pile that lie under its top card."""
    return pile[len(pile) - left + 1 :] if left else ()


class Leaks(Naishi):
    """Shows whether a rice field lies under the first pile: a single bit in a view."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        view = super().view(state, viewer)
        leak = "rice" in [NAMES[card] for card in covered(state.river[0], state.left[0])]
        return View(view.template, {**view.data, "turn": view.data["turn"] + leak})


class Peeps(Naishi):
    """Tells how many mountains are left in the other's hand."""

    def view(self, state: State, viewer: Viewer, /) -> View:
        other = 0 if viewer == seat_of(state, 1) else 1
        mountains = state.territories[other][HAND:].count(MOUNTAIN)
        view = super().view(state, viewer)
        return View(view.template, {**view.data, "turn": view.data["turn"] + mountains})


class Whispers(Naishi):
    """Tells everybody which cards of a hand are swapped."""

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> tuple[Phrase, ...]:
        return tuple(super().tell(state, fact, Watcher.MASTER if isinstance(fact, Swapped) else viewer))


class Hints(Naishi):
    """Refuses a card that the other has kept in other words."""

    def decide(self, state: State, seat: Seat, order: Order, chance: Chance, /) -> list[Fact] | Problem:
        answer = super().decide(state, seat, order, chance)
        if isinstance(answer, Problem) and order[0].first in state.dealt[1 - side_of(state, seat)]:
            return Problem("naishi.unread")
        return answer if isinstance(answer, Problem) else list(answer)


@pytest.mark.parametrize("leaky", [Leaks, Peeps, Whispers, Hints])
def test_a_planted_leak_is_caught(leaky: type[Naishi]) -> None:
    with pytest.raises(AssertionError, match=r"^\d+ (1|2|Watcher)"):
        check(leaky(), TRIAL, POSITIONS)


def test_what_was_checked_holds_drafts_hidden_cards_and_decrees_between_hands() -> None:
    """Positions that hide nothing would prove nothing."""
    seen = [state for _, state, _ in islice(positions(ENGINE, TRIAL), POSITIONS)]
    assert any(state.turn == 0 for state in seen)
    assert any(state.turn == 0 and state.kept != (None, None) for state in seen)
    assert any(state.unseen != (31, 31) and all(state.unseen) for state in seen)
    assert any(shared(state, side) for state in seen for side in (0, 1))
    assert any(state.finished for state in seen)


def shared(state: State, side: int) -> bool:
    """Tell whether a hand has a card that both players know and nobody else."""
    return any(slot >= 0 and not state.unseen[side] >> at & 1 for at, slot in enumerate(state.whence[side]))
