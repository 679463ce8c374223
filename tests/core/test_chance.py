"""Luck: the same for everybody who has the seed, even, and forced by tests."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.chance import SPAN, Dice, Forced, SeededChance, below, mixed, stream

SEED = bytes(range(32))
DECK = tuple(range(10))


def test_the_same_word_in_the_same_phase_is_the_same_draw() -> None:
    """However many draws came between."""
    chance = SeededChance(SEED, "K7QX/turn-1")
    first = chance.shuffled("deal", DECK)
    chance.pick("tie", DECK)
    assert chance.shuffled("deal", DECK) == first
    assert SeededChance(SEED, "K7QX/turn-1").shuffled("deal", DECK) == first


def test_another_seed_phase_or_word_is_another_draw() -> None:
    draws = {
        SeededChance(SEED, "K7QX/turn-1").shuffled("deal", DECK),
        SeededChance(SEED, "K7QX/turn-2").shuffled("deal", DECK),
        SeededChance(SEED, "K7QX/turn-1").shuffled("tie", DECK),
        SeededChance(SEED[::-1], "K7QX/turn-1").shuffled("deal", DECK),
    }
    assert len(draws) == 4


def test_a_draw_can_be_made_again_from_the_published_seed() -> None:
    """So these may never change: running games and old ones depend on them."""
    chance = SeededChance(SEED, "K7QX/setup")
    assert chance.pick("first_player", (1, 2)) == 1
    assert chance.shuffled("deal", DECK) == (4, 2, 1, 0, 9, 7, 3, 6, 5, 8)


def test_a_pool_of_one_draws_nothing() -> None:
    assert SeededChance(SEED, "x").pick("only", ["it"]) == "it"
    assert SeededChance(SEED, "x").shuffled("only", ["it"]) == ("it",)
    assert Forced({}).pick("only", ["it"]) == "it"


def test_a_shuffle_keeps_the_items() -> None:
    assert sorted(SeededChance(SEED, "x").shuffled("deal", DECK)) == list(DECK)


def test_every_item_is_equally_likely() -> None:
    """Within five standard deviations of 6,000 throws of a die."""
    thrown = Counter(SeededChance(SEED, f"{n}").pick("die", range(6)) for n in range(6000))
    assert all(abs(thrown[face] - 1000) < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5 for face in range(6))


def test_every_order_of_three_is_equally_likely() -> None:
    dealt = Counter(SeededChance(SEED, f"{n}").shuffled("deal", "abc") for n in range(6000))
    assert len(dealt) == 6
    assert all(abs(count - 1000) < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5 for count in dealt.values())


def test_numbers_that_would_favour_some_items_are_thrown_away() -> None:
    """2 ** 64 leaves a remainder of 1 by 3, so the greatest number is not fair."""
    assert below(3, iter([2**64 - 1, 7])) == 1


@given(limit=st.integers(2, 100))
def test_each_item_has_as_many_numbers(limit: int) -> None:
    """Whole rounds of the items, from 0 on; what lies above the last whole round is thrown away."""
    end = SPAN // limit * limit
    assert [below(limit, iter([number])) for number in range(limit)] == list(range(limit))
    assert below(limit, iter([end - 1])) == limit - 1
    assert below(limit, iter([end, 1])) == 1


def test_a_shuffle_comes_to_each_order_by_one_way() -> None:
    """So if its numbers are even, its orders are."""
    dealt = [mixed("abcd", iter(numbers)) for numbers in product(range(4), range(3), range(2))]
    assert sorted(dealt) == list(permutations("abcd"))


def test_dice_with_one_seed_fall_alike_and_go_on_whatever_the_word() -> None:
    first, again = Dice(SEED), Dice(SEED)
    throws = [first.pick("die", DECK) for _ in range(40)]
    assert [again.pick(f"die {n}", DECK) for n in range(40)] == throws
    assert set(throws) == set(DECK)
    assert first.shuffled("deal", DECK) == again.shuffled("cut", DECK)
    assert first.shuffled("deal", DECK) != first.shuffled("deal", DECK)


def test_dice_fall_as_they_always_did_on_any_machine() -> None:
    """So these may never change: a seed names its random games."""
    dice = Dice(SEED)
    assert [dice.pick("die", range(1, 7)) for _ in range(12)] == [6, 2, 3, 5, 5, 3, 6, 3, 4, 6, 3, 4]
    assert dice.shuffled("deal", DECK) == (7, 8, 6, 3, 9, 2, 4, 1, 5, 0)


@given(seed=st.binary(max_size=40), more=st.binary(min_size=1, max_size=4))
def test_seeds_that_begin_alike_have_nothing_in_common(seed: bytes, more: bytes) -> None:
    """Nor does a stream come round: among 80 numbers of 8 bytes no two are equal."""
    numbers = chain(islice(stream(seed), 40), islice(stream(seed + more), 40))
    assert len(set(numbers)) == 80


def test_dice_draw_nothing_from_a_pool_of_one() -> None:
    one, other = Dice(SEED), Dice(SEED)
    assert (one.pick("only", ["it"]), one.shuffled("only", ["it"])) == ("it", ("it",))
    assert one.pick("die", DECK) == other.pick("die", DECK)


def test_dice_are_even() -> None:
    """Within five standard deviations of 6,000 throws; the throws are always the same."""
    dice = Dice(SEED)
    thrown = Counter(dice.pick("die", range(6)) for _ in range(6000))
    assert all(abs(thrown[face] - 1000) < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5 for face in range(6))


def test_no_text_shows_the_seed() -> None:
    chance = SeededChance(b"the secret seed", "x")
    assert "secret" not in repr(chance)
    assert "secret" not in str(chance)


def test_a_test_forces_draws_by_their_word() -> None:
    chance = Forced({"die": [3, 4], "deal": ["cab"]})
    assert [chance.pick("die", range(1, 7)) for _ in range(2)] == [3, 4]
    assert chance.shuffled("deal", "abc") == ("c", "a", "b")


@pytest.mark.parametrize("draws", [{}, {"die": []}])
def test_a_draw_that_no_test_forced_raises(draws: dict[str, list[object]]) -> None:
    with pytest.raises(LookupError):
        Forced(draws).pick("die", range(6))


def test_a_forced_draw_must_be_possible() -> None:
    with pytest.raises(LookupError, match="7 is not among"):
        Forced({"die": [7]}).pick("die", (1, 2, 3))
    with pytest.raises(LookupError, match="no order of"):
        Forced({"deal": ["aab"]}).shuffled("deal", "abc")
