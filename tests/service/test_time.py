"""Reminders and lapses.

A letter counts by the instant at which it was received, as long as the lapse has not been
written down: letters that came before a deadline are always read first, and one that came a
moment late still counts if the server has not noticed the lapse.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from corr.service.expire import fire
from corr.service.receive import work
from corr.store import games
from tests.service.world import AOI, BEN, World, counts, found, headline

DAY = timedelta(days=1)


def due(world: World, code: str) -> timedelta:
    """Return how long there is still time, from now."""
    with world.office.database.session() as session:
        row = games.deadline_at(session, found(session, code), "expire")
        assert row is not None
        return row.due_at - world.now


def test_a_phase_has_the_time_that_the_pace_gives(world: World) -> None:
    assert due(world, world.game()) == 2 * DAY
    assert due(world, world.game(pace="36h")) == 1.5 * DAY


def test_when_four_fifths_are_gone_those_are_reminded_who_are_waited_for(world: World) -> None:
    world.game(pace="5d")
    world.sleep(days=3, hours=23)
    world.settle()
    assert counts(world) == (1, 1)
    world.sleep(hours=1)
    world.settle()
    assert counts(world) == (2, 1)
    assert headline(world.newest(AOI)).startswith("Reminder: Your move")
    assert "in 1 day" in headline(world.newest(AOI))
    world.sleep(hours=1)
    world.settle()
    assert counts(world) == (2, 1)


def test_of_a_simultaneous_phase_only_those_are_reminded_who_have_not_acted(world: World) -> None:
    world.game("guess")
    world.reply(AOI, "1")
    world.reply(AOI, "2")
    before = counts(world)
    world.sleep(hours=20)
    world.settle()
    assert counts(world) == (before[0], before[1] + 1)


def test_who_lets_the_time_run_out_loses_where_the_game_says_loss(world: World) -> None:
    code = world.game(timeout="loss")
    world.sleep(days=2)
    world.settle()
    assert world.row(code).outcome == {"winners": [2], "reason": "time"}
    for who in (AOI, BEN):
        assert "is over. Ben won. On time." in headline(world.newest(who))
        assert "Aoi ran out of time." in world.text(who)
    assert [event.cause for event in world.events(code)] == ["setup", "close"]


@pytest.mark.parametrize("timeout", ["claim", "nothing"])
def test_where_a_lapse_ends_nothing_everybody_is_told_once(world: World, timeout: str) -> None:
    code = world.game(timeout=timeout)
    world.sleep(days=2)
    world.settle()
    assert world.row(code).status == "running"
    assert counts(world) == (2, 2)
    assert headline(world.newest(BEN)).startswith("Time ran out.")
    assert ("reply with the word claim" in world.text(BEN)) == (timeout == "claim")
    assert "reply with the word claim" not in world.text(AOI)
    world.sleep(days=30)
    world.settle()
    assert counts(world) == (2, 2)
    assert world.reply(AOI, "5").status == "done"
    assert due(world, code) == 2 * DAY


def test_where_the_rules_say_what_a_lapse_means_they_decide(world: World) -> None:
    """Of two who guess, who says nothing has guessed nothing, and the round is over."""
    code = world.game("guess", options={"rounds": "1"})
    world.sleep(days=1)
    world.settle()
    assert world.row(code).outcome == {"winners": [], "reason": "guessed"}


def test_the_phase_after_a_lapse_starts_at_the_deadline_however_late_the_work_is_done(world: World) -> None:
    code = world.game("guess")
    world.sleep(days=1, hours=2)
    world.settle()
    assert world.row(code).status == "running"
    assert due(world, code) == timedelta(hours=22)


def test_the_deadline_of_an_old_position_does_nothing(world: World) -> None:
    code = world.game()
    world.sleep(days=1)
    world.reply(AOI, "5")
    world.sleep(days=1, minutes=1)
    before = counts(world)
    world.settle()
    assert (world.row(code).status, counts(world)) == ("running", before)
    assert due(world, code) == DAY - timedelta(minutes=1)


def test_a_half_turn_does_not_move_the_deadline(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    world.sleep(days=1)
    world.reply(AOI, "48-26")
    assert due(world, code) == 2 * DAY


def test_a_server_that_was_down_for_a_week_reminds_nobody_of_what_has_lapsed(world: World) -> None:
    code = world.game()
    world.sleep(days=7)
    world.settle()
    assert world.row(code).status == "over"
    assert counts(world) == (2, 2)
    assert not any(headline(letter).startswith("Reminder") for letter in world.letters(AOI))


def test_after_the_end_no_deadline_is_left(world: World) -> None:
    code = world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    before = counts(world)
    world.sleep(days=30)
    assert not fire(world.office, world.office.clock.now())
    assert counts(world) == before
    with world.office.database.session() as session:
        assert list(games.armed(session, found(session, code).id)) == []


def test_a_letter_that_came_in_time_counts_though_it_is_read_after_the_deadline(world: World) -> None:
    code = world.game()
    world.sleep(days=1, hours=23)
    world.post(world.written(AOI, "5"))
    world.sleep(hours=3)
    assert not fire(world.office, world.office.clock.now()), (
        "the lapse waits for the letter, whoever comes first"
    )
    assert work(world.office)
    world.settle()
    assert world.row(code).status == "running"
    assert "Aoi took cell 5." in world.text(BEN)


def test_a_letter_that_came_late_counts_only_as_long_as_the_lapse_is_not_written_down(world: World) -> None:
    noticed, unnoticed = world.game(), world.game()
    letters = world.letters(AOI)
    world.sleep(days=2, minutes=1)
    late = world.post(world.written(AOI, "5", letters[1]))
    assert work(world.office)
    assert world.inbound(late).status == "done"
    world.settle()
    assert world.row(unnoticed).status == "running"
    assert world.reply(AOI, "5", letters[0]).problem == "timing.over"
    assert world.row(noticed).outcome == {"winners": [2], "reason": "time"}


def test_the_next_phase_starts_when_the_letter_was_received(world: World) -> None:
    code = world.game()
    world.post(world.written(AOI, "5"))
    world.sleep(minutes=30)
    world.settle()
    assert due(world, code) == 2 * DAY - timedelta(minutes=30)


def test_what_the_server_is_late_beyond_an_hour_is_not_taken_from_the_next_player(world: World) -> None:
    """He has not been written to: a letter that lay for a week must not cost him the game."""
    code = world.game()
    world.post(world.written(AOI, "5"))
    world.sleep(days=7)
    world.settle()
    assert world.row(code).status == "running"
    assert due(world, code) == 2 * DAY - timedelta(hours=1)
