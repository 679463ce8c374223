"""What goes wrong inside stops neither the worker nor the other players."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corr.service import admin
from corr.service.receive import Origin, store_letter, work
from engines.api import Chance, Problem, Seat
from tests.games.tictactoe import ENGINE, Board, Fact, TicTacToe
from tests.service.world import ADDRESS, AOI, BEN, World, counts, headline, said


class Fragile(TicTacToe):
    """Breaks when somebody takes the ninth cell."""

    def decide(self, state: Board, seat: Seat, order: int, chance: Chance, /) -> Sequence[Fact] | Problem:
        if order == 8:
            raise ZeroDivisionError("the ninth cell")
        return super().decide(state, seat, order, chance)


@pytest.fixture
def fragile(world: World, caplog: pytest.LogCaptureFixture) -> World:
    """Give a world whose tic-tac-toe breaks, and keep its log away from the output."""
    caplog.set_level(logging.CRITICAL + 1, "corr.service.receive")
    world.engine_now(Fragile())
    return world


def test_a_letter_that_breaks_something_is_tried_three_times_and_then_kept(fragile: World) -> None:
    code = fragile.game()
    number = fragile.post(fragile.written(AOI, "9"))
    for attempts in (1, 2):
        assert work(fragile.office)
        row = fragile.inbound(number)
        assert (row.status, row.attempts) == ("new", attempts)
        assert counts(fragile) == (1, 1)
    fragile.settle()
    row = fragile.inbound(number)
    assert (row.status, row.attempts) == ("failed", 3)
    assert "ZeroDivisionError: the ninth cell" in (row.last_error or "")
    assert len(fragile.events(code)) == 1


def test_the_player_gets_one_apology_and_no_stack_trace(fragile: World) -> None:
    fragile.game()
    fragile.reply(AOI, "9")
    assert counts(fragile) == (2, 1)
    assert "a human will look at it" in headline(fragile.newest(AOI))
    assert "ZeroDivision" not in fragile.newest(AOI).as_string()


def test_of_a_failed_attempt_nothing_remains(fragile: World) -> None:
    """The first line is good and was taken before the second broke."""
    code = fragile.game("tictactoe", options={"position": "12.12...."})
    fragile.reply(AOI, "lang ja\ndraw\n9")
    assert len(fragile.events(code)) == 1
    assert counts(fragile) == (2, 1)
    assert "a human will look" in fragile.text(AOI)


def test_the_next_letter_of_the_same_game_goes_on(fragile: World) -> None:
    fragile.game()
    letter = fragile.newest(AOI)
    bad = fragile.post(fragile.written(AOI, "9", letter))
    good = fragile.post(fragile.written(AOI, "5", letter))
    fragile.settle()
    assert (fragile.inbound(bad).status, fragile.inbound(good).status) == ("failed", "done")
    assert "Aoi took cell 5." in fragile.text(BEN)


def test_retry_runs_a_failed_letter_again_once_the_fault_is_mended(fragile: World) -> None:
    fragile.game()
    bad = fragile.reply(AOI, "9")
    fragile.engine_now(ENGINE)
    assert admin.retry_inbound(fragile.office, bad.id) is None
    fragile.settle()
    assert fragile.inbound(bad.id).status == "done"
    assert "Aoi took cell 9." in fragile.text(BEN)


def test_a_retry_that_fails_again_is_kept_again_without_a_second_apology(fragile: World) -> None:
    fragile.game()
    bad = fragile.reply(AOI, "9")
    admin.retry_inbound(fragile.office, bad.id)
    fragile.settle()
    row = fragile.inbound(bad.id)
    assert (row.status, row.attempts) == ("failed", 6)
    assert counts(fragile) == (2, 1)


def test_a_retried_letter_may_get_the_answer_of_a_stranger_to_its_game(fragile: World) -> None:
    """The apology and the answer are two letters, with an id each."""
    fragile.game()
    fragile.game()
    bad = fragile.reply(AOI, "9")
    with fragile.office.database.session() as session:
        row = session.merge(bad)
        row.raw = fragile.plain(AOI, "9").as_bytes()
    admin.retry_inbound(fragile.office, bad.id)
    fragile.settle()
    assert fragile.inbound(bad.id).status == "refused"
    assert "Your games" in fragile.text(AOI)


@pytest.mark.parametrize(("number", "key"), [(4711, "lobby.no-letter"), (1, "lobby.not-failed")])
def test_only_a_failed_letter_is_retried(world: World, number: int, key: str) -> None:
    world.game()
    world.reply(AOI, "5")
    problem = admin.retry_inbound(world.office, number)
    assert problem is not None
    assert problem.key == key


def test_an_exception_while_rendering_leaves_no_event_and_no_letter(fragile: World, tmp_path: Path) -> None:
    """A broken board stops the turn, instead of half of it."""
    code = fragile.game()
    (tmp_path / "engines/tictactoe").mkdir(parents=True)
    (tmp_path / "engines/tictactoe/board.txt").write_text("{{ view.data.no_such_thing }}")
    whole = fragile.office
    fragile.with_templates(tmp_path)
    number = fragile.post(fragile.written(AOI, "5"))
    assert work(fragile.office)
    assert len(fragile.events(code)) == 1
    assert counts(fragile) == (1, 1)
    assert fragile.row(code).position == 1
    assert "UndefinedError" in (fragile.inbound(number).last_error or "")
    fragile.office = whole
    fragile.settle()
    assert "Aoi took cell 5." in fragile.text(BEN)


HEAD = st.sampled_from(["From", "To", "Subject", "Message-ID", "References", "Content-Type", "Date", "X"])
RAW = st.one_of(
    st.binary(max_size=400),
    st.lists(st.tuples(HEAD, st.text(max_size=60)), max_size=6).map(
        lambda fields: (
            "\r\n".join(f"{name}: {value}" for name, value in fields).encode("utf-8", "replace")
            + b"\r\n\r\n5\r\n"
        )
    ),
    st.text(max_size=100).map(
        lambda words: f"From: {AOI}\r\nTo: {ADDRESS}\r\n\r\n{words}".encode("utf-8", "replace")
    ),
)


@given(RAW)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_letter_of_any_bytes_is_answered_ignored_or_refused(world: World, raw: bytes) -> None:
    if not world.outbox(AOI):
        world.game()
    number = store_letter(world.office, raw, Origin("pipe"), world.now)
    assert number is not None
    world.settle()
    assert world.inbound(number).status in {"done", "refused", "ignored"}


def test_letters_of_one_game_are_worked_in_the_order_in_which_they_came(world: World) -> None:
    world.game()
    for words in ("history", "5", "history"):
        world.post(world.written(AOI, words, world.letters(AOI)[0]))
    world.settle()
    told = ["1. Aoi took cell 5." in said(letter) for letter in world.letters(AOI)]
    assert told == [False, False, False, True]


def test_no_secret_stands_in_the_log_or_in_what_is_kept_of_an_error(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.engine_now(Fragile())
    code = world.game()
    with caplog.at_level(logging.DEBUG):
        failed = world.reply(AOI, "9")
        world.reply(AOI, "5", world.letters(AOI)[0])
    seed = world.row(code).seed
    assert seed is not None
    assert "letter 1 was not handled" in caplog.text
    for kept in (caplog.text, failed.last_error or ""):
        assert "ZeroDivisionError" in kept
        assert seed.hex() not in kept
        assert repr(seed)[2:-1] not in kept
