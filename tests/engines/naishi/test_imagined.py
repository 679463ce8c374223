"""What a viewer imagines fits all that it knows, and is dealt anew where it knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from corr.core.chance import Dice, SeededChance
from corr.core.playout import playout
from engines.api import Viewer, Watcher
from engines.naishi import ENGINE
from engines.naishi.cards import MOUNTAIN
from engines.naishi.facts import (
    Began,
    Cards,
    Dealt,
    Declared,
    Decreed,
    Developed,
    Exchanged,
    Fact,
    Handed,
    Kept,
    Recalled,
    Stopped,
    Swapped,
    Washed,
)
from engines.naishi.orders import Act
from engines.naishi.state import HAND, State, seat_of
from tests.engines.naishi.drawn import (
    FIRST,
    NO_LUCK,
    SECOND,
    begun,
    believed,
    cards,
    dealt,
    mover,
    played,
    settled,
)
from tests.laws.play import play

FORT, TORII, RICE, BANNER, NAISHI = cards("fort torii rice banner naishi")
WORLDS = 60


def worlds(state: State, viewer: Viewer) -> list[State]:
    """Imagine a position many times."""
    return [ENGINE.imagine(state, viewer, SeededChance(b"", str(number))) for number in range(WORLDS)]


def all_of(state: State, viewer: Viewer, what: Callable[[State], object]) -> set[object]:
    """Return what something may be, as far as a viewer knows."""
    return {what(world) for world in worlds(state, viewer)}


def hand(state: State, side: int) -> Cards:
    """Return a hand."""
    return state.territories[side][HAND:]


def test_a_master_sees_the_state_itself() -> None:
    state = begun()
    assert ENGINE.imagine(state, Watcher.MASTER, SeededChance(b"", "")) is state


def test_in_the_draft_a_seat_knows_its_own_cards_and_the_tops_of_the_river() -> None:
    state = played(dealt(), "keep fort", seat=FIRST)
    for world in worlds(state, FIRST):
        assert (world.dealt[0], world.tops, world.kept) == (state.dealt[0], state.tops, (FORT, None))
    assert len(all_of(state, FIRST, lambda world: world.dealt[1])) > 20
    assert len(all_of(state, FIRST, lambda world: world.river)) == WORLDS


def test_nobody_imagines_that_another_has_chosen() -> None:
    """A trial order would close the draft, and so tell it."""
    state = played(dealt(), "keep fort", seat=FIRST)
    for viewer in (SECOND, Watcher.PUBLIC):
        assert all_of(state, viewer, lambda world: world.kept) == {(None, None)}


def test_after_the_draft_a_seat_knows_its_gift_but_neither_the_kept_card_nor_the_places() -> None:
    state = begun()
    for world in worlds(state, FIRST):
        assert hand(world, 0) == hand(state, 0)
        assert hand(world, 1).count(MOUNTAIN) == 3
        assert TORII in hand(world, 1)
    assert len(all_of(state, FIRST, lambda world: world.kept[1])) > 5
    assert len(all_of(state, FIRST, lambda world: hand(world, 1).index(TORII))) == 5


def test_the_public_knows_of_three_mountains_in_each_hand() -> None:
    for world in worlds(begun(), Watcher.PUBLIC):
        assert [hand(world, side).count(MOUNTAIN) for side in (0, 1)] == [3, 3]
    assert len(all_of(begun(), Watcher.PUBLIC, lambda world: world.dealt)) == WORLDS


def test_a_card_of_the_river_stays_known_in_a_hand_and_when_it_moves_there() -> None:
    state = played(begun(), "develop hand 1", "end turn", "develop line 1", "end turn", "swap hand 1 5")
    assert state.unseen[0] == 0b01110 | 0b00001
    assert hand(state, 0)[4] == NAISHI
    for viewer in (SECOND, Watcher.PUBLIC):
        assert all_of(state, viewer, lambda world: hand(world, 0)[4]) == {NAISHI}


def test_a_card_from_the_line_is_known_in_the_hand() -> None:
    state = played(begun(), "swap line 2 hand 2")
    assert state.unseen[0] == 0b11101
    assert all_of(state, SECOND, lambda world: hand(world, 0)[1]) == {MOUNTAIN}


def test_a_kept_card_is_known_once_all_else_of_the_start_hand_cannot_be_it() -> None:
    """The banner was a gift; a fort that leaves the hand can only have been kept."""
    before, after = begun(), played(begun(), "develop hand 1")
    assert len(all_of(before, SECOND, lambda world: world.kept[0])) > 5
    assert all_of(after, SECOND, lambda world: world.kept[0]) == {FORT}
    assert all_of(after, SECOND, lambda world: BANNER in hand(world, 0)) == {True}
    assert len(all_of(after, SECOND, lambda world: hand(world, 0).index(BANNER))) == 4


def test_a_gift_that_was_seen_proves_nothing() -> None:
    state = played(begun(), "develop hand 2")
    assert len(all_of(state, SECOND, lambda world: world.kept[0])) > 5
    assert BANNER not in {card for world in worlds(state, SECOND) for card in world.gone[1:]}


def test_where_a_start_card_was_seen_stays_as_it_was() -> None:
    """Also when hidden cards have moved since: the start hands of a world would lead to it."""
    state = played(
        begun(), "swap hand 1 5", "develop hand 5", "develop line 1", "end turn", "develop hand 2", "end turn"
    )
    for world in worlds(state, SECOND):
        assert world.start[0][0] == FORT
        assert world.start[0][1] == BANNER
        assert world.start[0].count(MOUNTAIN) == 3


def test_after_a_decree_between_hands_both_know_both_cards_and_nobody_else() -> None:
    state = played(begun(), "impose hand 1")
    for viewer in (FIRST, SECOND):
        assert all_of(state, viewer, lambda world: (hand(world, 0)[0], hand(world, 1)[0])) == {(RICE, FORT)}
        other = 0 if viewer == SECOND else 1
        assert {world.kept[other] for world in worlds(state, viewer)} == {state.kept[other]}
    assert len(all_of(state, Watcher.PUBLIC, lambda world: hand(world, 0)[0])) > 3


def test_when_the_game_is_over_the_hands_are_known() -> None:
    state = next(state for state in ends() if state.finished)
    for viewer in (FIRST, SECOND, Watcher.PUBLIC):
        assert all_of(state, viewer, lambda world: world.territories) == {state.territories}


def ends() -> Iterator[State]:
    """Yield how random games end."""
    return (play(ENGINE, seed).moments[-1].state for seed in count())


@pytest.mark.parametrize("viewer", [FIRST, SECOND, Watcher.PUBLIC])
def test_an_imagined_world_can_be_played_to_the_end(viewer: Viewer) -> None:
    for seed in range(3):
        for number, moment in enumerate(play(ENGINE, seed).moments):
            world = ENGINE.imagine(moment.state, viewer, SeededChance(bytes([seed]), str(number)))
            assert playout(ENGINE, world, Dice(bytes([seed, number])), cap=200).outcome is not None


ACTS: dict[type[Any], Callable[[Any], Act]] = {
    Developed: lambda fact: Act("develop", fact.at),
    Decreed: lambda fact: Act("decree", fact.at),
    Swapped: lambda fact: Act("swap", *fact.places),
    Exchanged: lambda fact: Act("river", *fact.columns),
    Washed: lambda fact: Act("discard", *fact.columns),
    Recalled: lambda _: Act("recall"),
    Declared: lambda _: Act("declare"),
    Stopped: lambda _: Act("stop"),
}
"""The actions that facts of turns came of."""


def replayed(world: State, facts: Sequence[Fact]) -> Iterator[tuple[State, Fact]]:
    """Play a game again that was dealt as in *world*: yield each fact and the state after it."""
    seats = [seat_of(world, side) for side in (0, 1)]
    start: list[Fact] = [Began(world.laws, world.first), Dealt(world.river, world.dealt)]
    start += [Kept(seat, kept) for seat, kept in zip(seats, world.kept, strict=True) if kept is not None]
    state: State | None = None
    for fact in (*start, Handed(world.start)):
        yield (state := ENGINE.evolve(state, fact)), fact
    assert state is not None
    for act in [ACTS[type(fact)](fact) for fact in facts if type(fact) in ACTS]:
        for fact in settled(ENGINE.decide(state, mover(state), (act,), NO_LUCK)):
            yield (state := ENGINE.evolve(state, fact)), fact


@pytest.mark.parametrize("viewer", [FIRST, SECOND, Watcher.PUBLIC])
def test_the_same_game_on_an_imagined_deal_is_told_in_the_same_words_and_leads_there(viewer: Viewer) -> None:
    """So a world contradicts nothing that its viewer ever saw."""
    for seed in range(6):
        game = play(ENGINE, seed)
        facts = [fact for fact in game.facts if not isinstance(fact, Kept)]
        for length in range(3, len(facts) + 1, 4):
            check_story(game.facts, facts[:length], viewer)


def check_story(whole: Sequence[Fact], facts: Sequence[Fact], viewer: Viewer) -> None:
    """Compare how a game so far is told, as it was and on an imagined deal."""
    kept = {fact.by: fact for fact in whole if isinstance(fact, Kept)}
    real = [*replayed(believed(None, [*facts[:2], *kept.values(), *facts[2:]]), facts)]
    world = ENGINE.imagine(real[-1][0], viewer, SeededChance(b"", str(len(facts))))
    other = [*replayed(world, facts)]
    assert other[-1][0] == world
    for one, two in zip(real, other, strict=True):
        assert [*ENGINE.tell(*one, viewer)] == [*ENGINE.tell(*two, viewer)]
        assert not one[0].river or ENGINE.view(one[0], viewer) == ENGINE.view(two[0], viewer)
