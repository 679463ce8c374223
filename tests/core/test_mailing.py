"""Who is told what: a page needs a reason."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corr.core.chance import Forced
from corr.core.mailing import ORDERS_SHOWN, Readers, after, ending, opening, result, situation, story
from corr.core.page import Kind, Table
from corr.core.turn import Ended, Position, Turn, end, start, take
from engines.api import Chance, Outcome, Phrase, Problem, Seat, Watcher, name
from engines.ukulele import ENGINE as UKULELE
from tests.games import guess, tictactoe
from tests.games.guess import Opened
from tests.games.tictactoe import Board

ONE, TWO = Seat(1), Seat(2)
DUE = datetime(2026, 3, 4, 12, tzinfo=UTC)
READERS = Readers(Table("K7QX", "guess", {ONE: "Aoi", TWO: "Ben"}, "1d"), {ONE: "en", TWO: "ja"}, DUE)


def luck(phase: str) -> Chance:
    return Forced({"deal": [(1, 2, 3, 4)]})


BEGUN = start(guess.ENGINE, [Opened(1)], luck)
XO = start(tictactoe.ENGINE, [Board("." * 9)], luck).after


def guessed(position: Position, seat: Seat, words: str) -> Turn:
    return take(guess.ENGINE, position, seat, [words], luck, lang="en")


def test_the_start_is_written_to_every_seat_with_the_digest_of_the_seed() -> None:
    pages = opening(guess.ENGINE, BEGUN, READERS, "d1")
    assert {(seat, page.kind, page.digest) for seat, page in pages.items()} == {
        (ONE, Kind.START, "d1"),
        (TWO, Kind.START, "d1"),
    }


def test_each_seat_reads_only_its_own_secrets() -> None:
    pages = opening(guess.ENGINE, BEGUN, READERS, "d1")
    for seat, card in ((ONE, 1), (TWO, 2)):
        assert pages[seat].story == (Phrase("guess.dealt", {"card": card}),)
        shown = pages[seat].situation
        assert shown is not None
        assert shown.view.data["card"] == card


def test_inside_a_phase_only_the_author_is_answered() -> None:
    turn = guessed(BEGUN.after, ONE, "3")
    pages = after(guess.ENGINE, turn, (), READERS, ONE)
    assert [(seat, page.kind) for seat, page in pages.items()] == [(ONE, Kind.ANSWER)]


def test_a_new_phase_is_written_to_every_seat_with_what_it_had_not_been_told() -> None:
    once = guessed(BEGUN.after, ONE, "3")
    turn = guessed(once.after, TWO, "3")
    pages = after(guess.ENGINE, turn, once.steps, READERS, TWO)
    assert {seat: page.kind for seat, page in pages.items()} == {ONE: Kind.TURN, TWO: Kind.ANSWER}
    assert Phrase("guess.sealed", {"card": 3}) in pages[ONE].story
    assert pages[ONE].lines == ()
    assert pages[TWO].lines == turn.lines


def test_a_lapse_has_no_author() -> None:
    once = guessed(BEGUN.after, ONE, "3")
    turn = guessed(once.after, TWO, "3")
    assert {page.kind for page in after(guess.ENGINE, turn, (), READERS, None).values()} == {Kind.TURN}


def test_a_letter_lists_a_dozen_orders_at_most_and_counts_them_all() -> None:
    facts = UKULELE.setup(2, {"first_player": "1", "array": "full3"}, luck("setup"))
    assert not isinstance(facts, Problem)
    position = start(UKULELE, facts, luck).after
    for seat, lang in ((ONE, "en"), (TWO, "ja")):
        shown = situation(UKULELE, position, seat, READERS)
        assert shown is not None
        count = len(list(UKULELE.orders(position.state, ONE))) if seat == ONE else 0
        assert (len(shown.orders), shown.order_count) == (min(count, ORDERS_SHOWN), count)
        assert all(words.isascii() == (lang == "en") for words in shown.orders)


def test_who_may_not_act_is_offered_nothing() -> None:
    shown = situation(tictactoe.ENGINE, XO, TWO, READERS)
    assert shown is not None
    assert (shown.may_act, shown.orders, shown.waiting, shown.deadline) == (False, (), frozenset({ONE}), DUE)


@pytest.mark.parametrize(
    ("why", "key"),
    [
        ("resignation", "story.resigned"),
        ("time", "story.timed-out"),
        ("agreement", "story.draw-agreed"),
        ("adjudication", "story.adjudicated"),
        ("void", "story.adjudicated"),
    ],
)
def test_an_end_outside_the_rules_is_told_by_its_reason(why: str, key: str) -> None:
    ended = Ended(Outcome(frozenset({TWO}), why), (ONE,))
    turn = end(tictactoe.ENGINE, XO, ended, None, "close")
    assert story(tictactoe.ENGINE, turn.steps, ONE) == (Phrase(key, {"by": (name(ONE),)}),)
    assert situation(tictactoe.ENGINE, turn.after, ONE, READERS) is None


def test_the_result_makes_the_story_and_the_seed_public() -> None:
    once = guessed(BEGUN.after, ONE, "2")
    turn = guessed(once.after, TWO, "3")
    outcome = guess.ENGINE.phase(turn.after.state)
    assert isinstance(outcome, Outcome)
    record = (*BEGUN.steps, *once.steps, *turn.steps)
    pages = result(
        guess.ENGINE,
        turn,
        once.steps,
        READERS,
        ending(guess.ENGINE, outcome, record, seed="5eed", digest="d1", remark="well played"),
    )
    for page in pages.values():
        assert page.ending is not None
        assert (page.kind, page.ending.seed, page.ending.remark) == (Kind.RESULT, "5eed", "well played")
        assert page.ending.record == story(guess.ENGINE, record, Watcher.PUBLIC)
        assert page.situation is None
