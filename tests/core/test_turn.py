"""The fold, and what one letter or one lapse adds to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from corr.core.chance import Forced
from corr.core.page import Fate, Line
from corr.core.turn import (
    CEILING,
    AnyEngine,
    Ended,
    Entry,
    Position,
    believe,
    dump,
    end,
    load,
    run_out,
    stale,
    standing,
    start,
    status,
    steps,
    take,
)
from engines.api import Chance, Outcome, Phase, Problem, Seat
from engines.ukulele import ENGINE as UKULELE
from tests.games import guess, tictactoe
from tests.games.guess import Dealt, Guess, Judged, Opened, Sealed, State
from tests.games.tictactoe import Board, Marked

ONE, TWO = Seat(1), Seat(2)
TAKEN, REFUSED, UNREAD = Fate.TAKEN, Fate.REFUSED, Fate.UNREAD


def luck(phase: str) -> Chance:
    """Deal card 1 to seat 1 and card 2 to seat 2, whenever cards are dealt."""
    return Forced({"deal": [(1, 2, 3, 4)]})


def begun(engine: AnyEngine, **options: str) -> Position:
    facts = engine.setup(2, options, luck("setup"))
    assert not isinstance(facts, Problem)
    return start(engine, facts, luck).after


def fates(lines: Sequence[Line]) -> list[tuple[Fate, str | None]]:
    return [(line.fate, line.reason.key if line.reason else None) for line in lines]


XO = begun(tictactoe.ENGINE)
CARDS = begun(guess.ENGINE)


# The start


def test_a_game_starts_at_the_first_phase_that_waits_for_somebody() -> None:
    turn = start(guess.ENGINE, [Opened(1)], luck)
    assert [entry.cause for entry in turn.entries] == ["setup", "close"]
    assert [step.fact for step in turn.steps] == [Opened(1), Dealt((1, 2))]
    assert status(guess.ENGINE, turn.after) == guess.ENGINE.phase(turn.after.state)
    assert turn.opened == 2


def test_every_step_shows_the_position_after_its_fact() -> None:
    turn = start(guess.ENGINE, [Opened(1)], luck)
    empty = guess.ENGINE.evolve(None, Opened(1))
    dealt = guess.ENGINE.evolve(empty, Dealt((1, 2)))
    assert [step.after.state for step in turn.steps] == [empty, dealt]


# Orders


def test_an_order_is_taken_with_the_words_and_the_phase_in_which_it_was_given() -> None:
    turn = take(tictactoe.ENGINE, XO, ONE, ["5"], luck, lang="en")
    assert turn.entries == (Entry(ONE, "5", "ply-1", "order", (Marked(ONE, 4),)),)
    assert turn.lines == (Line("5", TAKEN),)
    assert (turn.before, turn.after.state.cells) == (XO, "....1....")
    assert turn.opened == 1


def test_each_line_is_judged_after_the_one_before_it() -> None:
    """After his first move it is the other's turn."""
    turn = take(tictactoe.ENGINE, XO, ONE, ["5", "5"], luck, lang="en")
    assert fates(turn.lines) == [(TAKEN, None), (REFUSED, "timing.not-your-turn")]


def test_good_wishes_behind_an_order_are_no_second_order() -> None:
    turn = take(tictactoe.ENGINE, XO, ONE, ["5", "Good luck!"], luck, lang="en")
    assert fates(turn.lines) == [(TAKEN, None), (UNREAD, None)]


def test_with_together_a_second_order_takes_back_the_first() -> None:
    """It is still her turn, so "not your turn" would be untrue: the first line would have ended it."""
    turn = take(tictactoe.ENGINE, XO, ONE, ["5", "6", "7", "Good luck!"], luck, lang="en", together=True)
    assert fates(turn.lines) == [
        (REFUSED, "together.refused"),
        (REFUSED, "together.turn-ends"),
        (REFUSED, "together.turn-ends"),
        (UNREAD, None),
    ]
    assert (turn.entries, turn.after) == ((), XO)


def test_an_order_behind_the_one_that_ends_the_game_is_refused_and_good_wishes_are_not() -> None:
    nearly = begun(tictactoe.ENGINE, position="11.22....")
    turn = take(tictactoe.ENGINE, nearly, ONE, ["3", "9", "Well played!"], luck, lang="en")
    assert fates(turn.lines) == [(TAKEN, None), (REFUSED, "timing.over"), (UNREAD, None)]
    whole = take(tictactoe.ENGINE, nearly, ONE, ["3", "9"], luck, lang="en", together=True)
    assert fates(whole.lines) == [(REFUSED, "together.refused"), (REFUSED, "together.turn-ends")]
    assert whole.after == nearly


@pytest.mark.parametrize("words", [">5", "> 5", "* 5", "*5*", "「5」", '"5"', "(5).", "・5"])
def test_an_order_counts_with_the_marks_that_stand_around_it(words: str) -> None:
    turn = take(tictactoe.ENGINE, XO, ONE, [words], luck, lang="en")
    assert turn.lines == (Line("5", TAKEN),)


def test_good_lines_count_though_others_are_bad() -> None:
    turn = take(guess.ENGINE, CARDS, ONE, ["hello", "1", "3"], luck, lang="en")
    assert fates(turn.lines) == [(UNREAD, None), (REFUSED, "guess.own"), (TAKEN, None)]
    assert [entry.words for entry in turn.entries] == ["3"]


def test_whoever_has_written_a_good_order_is_not_told_how_to_write_one() -> None:
    turn = take(guess.ENGINE, CARDS, ONE, ["hello", "3", "bye"], luck, lang="en")
    assert fates(turn.lines) == [(UNREAD, None), (TAKEN, None), (UNREAD, None)]


def test_whoever_has_written_no_good_order_is_told_how_to_write_one() -> None:
    turn = take(guess.ENGINE, CARDS, ONE, ["hello", "1"], luck, lang="en")
    assert fates(turn.lines) == [(UNREAD, "guess.unread"), (REFUSED, "guess.own")]


def test_with_together_a_bad_line_takes_back_the_good_ones() -> None:
    turn = take(guess.ENGINE, CARDS, ONE, ["3", "1", "hello"], luck, lang="en", together=True)
    assert fates(turn.lines) == [
        (REFUSED, "together.refused"),
        (REFUSED, "guess.own"),
        (UNREAD, "guess.unread"),
    ]
    assert (turn.entries, turn.steps, turn.after) == ((), (), CARDS)


def test_with_together_chatter_is_no_bad_line() -> None:
    turn = take(guess.ENGINE, CARDS, ONE, ["hello", "3"], luck, lang="en", together=True)
    assert fates(turn.lines) == [(UNREAD, None), (TAKEN, None)]


def test_an_ambiguous_line_lists_what_it_can_mean_in_the_writers_language() -> None:
    turn = take(UKULELE, begun(UKULELE, first_player="1"), ONE, ["48"], luck, lang="ja")
    (line,) = turn.lines
    assert (line.fate, line.choices) == (REFUSED, ("4八-2六", "4八-6六"))
    assert turn.entries == ()


def test_words_are_stored_in_english_and_answered_in_the_writers_language() -> None:
    turn = take(UKULELE, begun(UKULELE, first_player="1"), ONE, ["4八-2六"], luck, lang="ja")
    assert (turn.entries[0].words, turn.lines[0].words) == ("48-26", "4八-2六")


def test_who_is_not_to_act_is_not_read() -> None:
    turn = take(tictactoe.ENGINE, XO, TWO, ["5"], luck, lang="en")
    assert (fates(turn.lines), turn.entries) == ([(UNREAD, "timing.not-your-turn")], ())


def test_when_the_game_is_over_nothing_is_read() -> None:
    over = begun(tictactoe.ENGINE, position="111.22...")
    assert fates(take(tictactoe.ENGINE, over, TWO, ["9"], luck, lang="en").lines) == [(UNREAD, "timing.over")]
    assert fates(stale(tictactoe.ENGINE, over, TWO, ["9"])) == [(UNREAD, "timing.over")]


# A phase of several


def test_a_sealed_order_stands_until_the_phase_closes_and_may_be_replaced() -> None:
    once = take(guess.ENGINE, CARDS, ONE, ["3"], luck, lang="en")
    again = take(guess.ENGINE, once.after, ONE, ["4"], luck, lang="en")
    assert (once.opened, again.opened) == (0, 0)
    last = take(guess.ENGINE, again.after, TWO, ["1"], luck, lang="en")
    assert last.entries[1] == Entry(None, None, "guess-1", "early", (Judged((4, 1), (TWO,)),))


def test_a_letter_is_taken_whole_before_the_phase_closes() -> None:
    """Line by line, the first guess would close it, and the second would come too late."""
    once = take(guess.ENGINE, CARDS, ONE, ["3"], luck, lang="en")
    both = take(guess.ENGINE, once.after, TWO, ["3", "4"], luck, lang="en")
    assert fates(both.lines) == [(TAKEN, None), (TAKEN, None)]
    assert [entry.facts for entry in both.entries[:3]] == [
        (Sealed(TWO, 3),),
        (Sealed(TWO, 4),),
        (Judged((3, 4), ()),),
    ]


def test_a_phase_that_must_not_close_early_stays_open_when_nobody_is_waited_for() -> None:
    once = take(guess.ENGINE, CARDS, ONE, ["3"], luck, lang="en", early=False)
    both = take(guess.ENGINE, once.after, TWO, ["3"], luck, lang="en", early=False)
    assert both.opened == 0
    phase = status(guess.ENGINE, both.after)
    assert isinstance(phase, Phase)
    assert (phase.key, phase.waiting) == ("guess-1", frozenset())


def test_after_a_phase_the_steps_without_a_player_follow_at_once() -> None:
    once = take(guess.ENGINE, CARDS, ONE, ["3"], luck, lang="en")
    both = take(guess.ENGINE, once.after, TWO, ["3"], luck, lang="en")
    assert [entry.cause for entry in both.entries] == ["order", "early", "close"]
    assert both.opened == 2
    phase = status(guess.ENGINE, both.after)
    assert isinstance(phase, Phase)
    assert phase.key == "guess-2"


# Late


def test_an_order_to_an_old_position_is_refused_and_chatter_stays_unread() -> None:
    assert fates(stale(tictactoe.ENGINE, XO, ONE, ["5", "hello"])) == [
        (REFUSED, "timing.stale"),
        (UNREAD, "tictactoe.unread"),
    ]
    assert fates(stale(tictactoe.ENGINE, XO, TWO, ["5"])) == [(UNREAD, "timing.stale")]


def test_a_lapse_is_what_the_rules_say_or_nothing() -> None:
    assert run_out(tictactoe.ENGINE, XO, luck) is None
    once = take(guess.ENGINE, CARDS, ONE, ["2"], luck, lang="en")
    lapsed = run_out(guess.ENGINE, once.after, luck)
    assert lapsed is not None
    assert lapsed.entries == (Entry(None, None, "guess-1", "close", (Judged((2, 0), (ONE,)),)),)
    assert run_out(guess.ENGINE, lapsed.after, luck) is None


# Ends outside the rules


def test_who_resigns_ends_the_game_whatever_the_rules_say() -> None:
    ended = Ended(Outcome(frozenset({TWO}), "resignation"), (ONE,))
    turn = end(tictactoe.ENGINE, XO, ended, ONE, "order")
    assert status(tictactoe.ENGINE, turn.after) == ended.outcome
    assert turn.entries == (Entry(ONE, None, "ply-1", "order", (ended,)),)
    assert turn.opened == 0
    with pytest.raises(AssertionError):
        end(tictactoe.ENGINE, turn.after, ended, ONE, "order")


@pytest.mark.parametrize(
    "fact",
    [
        Ended(Outcome(frozenset({ONE, TWO}), "time"), (TWO,)),
        Ended(Outcome(frozenset(), "agreement")),
        Marked(ONE, 4),
        Board("." * 9),
    ],
)
def test_a_fact_is_the_same_after_a_way_through_the_store(fact: Any) -> None:
    kind, version, body = dump(tictactoe.ENGINE, fact)
    assert load(tictactoe.ENGINE, kind, version, json.loads(json.dumps(dict(body)))) == fact


def test_a_fact_of_corr_that_this_corr_does_not_know_is_an_error_that_names_it() -> None:
    with pytest.raises(LookupError, match=r"corr\.moon"):
        load(tictactoe.ENGINE, "corr.moon", 1, {})


def test_no_game_ends_before_it_begins() -> None:
    with pytest.raises(AssertionError):
        believe(tictactoe.ENGINE, None, Ended(Outcome(frozenset(), "void")))


def test_folding_the_facts_gives_the_position_again() -> None:
    turn = take(tictactoe.ENGINE, XO, ONE, ["5"], luck, lang="en")
    facts = [Board("." * 9), *(fact for entry in turn.entries for fact in entry.facts)]
    assert [*steps(tictactoe.ENGINE, None, facts)][-1].after == turn.after


# Engines that break their word


class NeverRests(Guess):
    """Deals for ever."""

    def phase(self, state: State, /) -> Phase | Outcome:
        return Phase(f"deal-{state.round}", frozenset(), frozenset(), "guess")

    def close(self, state: State, chance: Chance, /) -> Sequence[guess.Fact]:
        return [Opened(state.round + 1)]


class NeverDeals(Guess):
    """Leaves a step without a player standing."""

    def close(self, state: State, chance: Chance, /) -> Sequence[guess.Fact]:
        return ()


def test_an_engine_that_never_rests_is_stopped() -> None:
    with pytest.raises(RuntimeError, match=f"closed {CEILING} phases"):
        start(NeverRests(), [Opened(1)], luck)


def test_an_engine_that_does_not_close_what_nobody_can_is_a_bug() -> None:
    with pytest.raises(RuntimeError, match="does not close deal-1"):
        start(NeverDeals(), [Opened(1)], luck)


# What counts of a seat's sealed orders


def test_an_order_that_another_has_replaced_counts_no_more() -> None:
    """Whatever the other seat has done in the same phase."""
    log = [Entry(None, None, "setup", "early", (Opened(4), Dealt((1, 2))))]
    for seat, card in ((ONE, 3), (TWO, 1), (ONE, 4)):
        log.append(Entry(seat, str(card), "round-4", "order", (Sealed(seat, card),)))
    history = tuple(steps(guess.ENGINE, None, [fact for entry in log for fact in entry.facts]))
    assert standing(guess.ENGINE, log, history, ONE, "round-4") == [False, True]
    assert standing(guess.ENGINE, log, history, TWO, "round-4") == [True]
