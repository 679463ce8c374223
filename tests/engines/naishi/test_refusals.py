"""Every refusal, with what makes its sentence exact."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from corr.render.catalogue import word
from engines.api import Phrase, Problem, Seat, name
from engines.naishi import ENGINE
from engines.naishi.names import action_phrase, card_phrase, place_phrase
from engines.naishi.orders import Act, Order, Verb
from engines.naishi.state import State
from tests.engines.naishi.drawn import FIRST, NO_LUCK, SECOND, begun, cards, dealt, emptied, mover, played
from tests.laws.play import play

FORT, TORII, RICE = cards("fort torii rice")


def refused(state: State, *acts: Act, seat: Seat = FIRST) -> Problem:
    """Return why an order is refused."""
    answer = ENGINE.decide(state, seat, acts, NO_LUCK)
    assert isinstance(answer, Problem), f"{acts} is taken"
    return answer


def check(problem: Problem, key: str, **values: str | int | Phrase | tuple[Phrase, ...]) -> None:
    """Check a refusal to the last value, and that it has words in both languages."""
    assert problem == Problem(f"naishi.{key}", values)
    for lang in ("en", "ja"):
        assert word(problem, lang, {FIRST: "Aoi", SECOND: "Ben"})


def test_in_the_draft_only_a_card_is_kept() -> None:
    two = (card_phrase(FORT), card_phrase(TORII))
    check(refused(dealt(), Act("develop", 0)), "now-keep", cards=two)
    check(refused(dealt(), Act("keep", RICE)), "not-dealt", card=card_phrase(RICE), cards=two)
    check(refused(dealt(), Act("keep", FORT), Act("develop", 1)), "keep-alone")


def test_a_card_that_the_other_was_dealt_is_refused_like_any_other() -> None:
    for card in set(range(12)) - {FORT, TORII}:
        assert refused(dealt(), Act("keep", card)).key == "naishi.not-dealt"


def test_in_a_turn_no_card_is_kept() -> None:
    check(refused(begun(), Act("keep", FORT)), "draft-over", card=card_phrase(FORT))
    second = played(begun(), "impose line 1")
    check(refused(second, Act("keep", FORT), seat=SECOND), "draft-over", card=card_phrase(RICE))


@pytest.mark.parametrize("verb", ["develop", "decree"])
def test_places_that_are_none(verb: Verb) -> None:
    for place in (-1, 10):
        check(refused(begun(), Act(verb, place)), "no-such-place")
    check(refused(begun(), Act("swap", 3, 10)), "no-such-place")


def test_columns_that_are_none() -> None:
    check(refused(begun(), Act("river", 0, 5)), "no-such-column")
    check(refused(begun(), Act("discard", -1, 2)), "no-such-column")


def test_the_same_twice() -> None:
    check(refused(begun(), Act("swap", 7, 7)), "same-place", place=place_phrase(7))
    check(refused(begun(), Act("river", 2, 2)), "same-column", column=3)
    check(refused(begun(), Act("discard", 2, 2)), "same-column", column=3)


def test_line_and_hand_of_different_columns() -> None:
    problem = refused(begun(), Act("swap", 0, 7))
    check(problem, "other-column", line=place_phrase(0), hand=place_phrase(7), column=1)


@pytest.mark.parametrize(
    "act", [Act("develop", 1), Act("develop", 6), Act("river", 0, 1), Act("discard", 1, 3)]
)
def test_an_empty_pile(act: Act) -> None:
    check(refused(emptied(begun(), 2), act), "pile-empty", column=2, columns="1, 3, 4, 5")


@pytest.mark.parametrize("act", [Act("river", 0, 1), Act("swap", 0, 1), Act("discard", 0, 1)])
def test_a_second_emissary_before_the_develop(act: Act) -> None:
    check(refused(played(begun(), "swap hand 1 2"), act), "second-emissary")


@pytest.mark.parametrize(
    "act", [Act("river", 0, 1), Act("swap", 0, 1), Act("discard", 0, 1), Act("decree", 1)]
)
def test_no_emissary_in_reserve(act: Act) -> None:
    state = begun()._replace(reserve=(0, 2), swaps=(1, 0), washes=(1, 0))
    check(refused(state, act), "no-emissary", out=2)


def test_no_free_space() -> None:
    state = begun()._replace(swaps=(1, 2), washes=(0, 0))
    for act in (Act("river", 0, 1), Act("swap", 0, 1)):
        check(refused(state, act), "no-space", action=action_phrase(act.verb), spaces=3)
    full = begun()._replace(washes=(1, 1))
    check(refused(full, Act("discard", 0, 1)), "no-space", action=action_phrase("discard"), spaces=2)


def test_a_discard_that_would_leave_nothing_to_develop() -> None:
    state = emptied(emptied(begun(), 1, 2, 3), 4, 5, left=1)._replace(final=0)
    check(refused(state, Act("discard", 3, 4)), "leaves-nothing", cards=2)


@pytest.mark.parametrize("verb", ["decree", "recall", "declare"])
def test_after_an_emissary_the_turn_must_develop(verb: Verb) -> None:
    state = played(emptied(begun(), 1), "swap hand 1 2")
    act = Act(verb, 3) if verb == "decree" else Act(verb)
    check(refused(state, act), "must-develop", action=action_phrase(verb))


@pytest.mark.parametrize("verb", ["decree", "recall", "declare"])
def test_after_a_develop_no_other_main_action(verb: Verb) -> None:
    state = played(emptied(begun(), 1), "develop line 2")
    act = Act(verb, 3) if verb == "decree" else Act(verb)
    check(refused(state, act), "main-done", action=action_phrase(verb))


def test_a_second_develop() -> None:
    check(refused(played(begun(), "develop line 2"), Act("develop", 1)), "developed-already")


def test_a_stop_before_the_develop() -> None:
    check(refused(begun(), Act("stop")), "stop-early")
    check(refused(played(begun(), "swap hand 1 2"), Act("stop")), "stop-early")


def test_a_second_decree() -> None:
    state = played(begun(), "impose line 1")
    check(refused(state, Act("decree", 4), seat=SECOND), "decree-taken", by=name(FIRST))


def test_a_recall_with_none_out() -> None:
    check(refused(begun(), Act("recall")), "nothing-out")
    state = begun()._replace(decreed=0, reserve=(1, 2))
    check(refused(state, Act("recall")), "nothing-out")


def test_a_declaration_too_early() -> None:
    check(refused(begun(), Act("declare")), "no-empty-pile")


def test_a_declaration_when_the_last_turn_is_settled() -> None:
    state = played(emptied(begun(), 1), "declare")
    check(refused(state, Act("declare"), seat=SECOND), "final-turn", by=name(SECOND))


def test_a_line_that_goes_on_after_the_turn() -> None:
    line = (Act("develop", 1), Act("swap", 0, 1), Act("river", 0, 1))
    check(refused(begun(), *line), "turn-over", count=2)
    check(refused(begun(), Act("decree", 1), Act("stop"), Act("stop")), "turn-over", count=1)
    check(refused(begun(), Act("decree", 1), Act("develop", 1)), "turn-over", count=1)


def test_a_line_says_which_of_its_actions_is_refused() -> None:
    why = Problem("naishi.second-emissary")
    check(refused(begun(), Act("swap", 0, 1), Act("river", 0, 1)), "part", number=2, why=why)


def test_an_option_that_is_none() -> None:
    answer = ENGINE.setup(2, {"horseman_banner": "11"}, NO_LUCK)
    assert isinstance(answer, Problem)
    option = Phrase("naishi.option.horseman_banner")
    check(answer, "bad-option", option=option, value="11", known="13, 10")


def every_act() -> list[Order]:
    """Return whatever an order of one action can say, and more."""
    verbs: tuple[Verb, ...] = ("develop", "decree", "river", "swap", "discard")
    pairs = [*combinations(range(-1, 11), 2), *((at, at) for at in range(10))]
    one = [(Act(verb, at),) for verb, at in product(verbs[:2], range(-1, 11))]
    two = [(Act(verb, *pair),) for verb, pair in product(verbs[2:], pairs)]
    rest: tuple[Verb, ...] = ("recall", "declare", "stop")
    return [*one, *two, *((Act(verb),) for verb in rest), *((Act("keep", card),) for card in range(12))]


def test_each_action_is_either_listed_or_refused_in_every_position_of_random_games() -> None:
    """So no refusal is missing, and what is not listed is never taken."""
    acts = every_act()
    for seed in range(3):
        for state, phase in play(ENGINE, seed).moments:
            for seat in getattr(phase, "open", ()):
                listed = set(ENGINE.orders(state, seat))
                taken = {
                    act for act in acts if not isinstance(ENGINE.decide(state, seat, act, NO_LUCK), Problem)
                }
                assert taken == listed, (mover(state), taken ^ listed)
