"""corr is killed at every step of a letter, and comes back: nothing is lost and nothing counts twice."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from corr.faults import Point
from corr.service import admin
from corr.service.send import LEASE
from corr.store.claim import RESEND_AFTER
from corr.store.tables import Deadline, Inbound, Outbox
from tests.kill.house import House, address
from tests.kill.proofs import all_is_well, every_answer_arrived, every_letter_has_one_answer, the_log_is_clean
from tests.kill.victim import Plan

pytestmark = pytest.mark.slow

KILLED = -9
MINUTE = timedelta(minutes=1)

FAILING: tuple[Point, ...] = ("work.raised", "work.counted")
"""Points that are reached only where something is raised."""

STEPS: tuple[Point, ...] = tuple(point for point in get_args(Point) if point not in FAILING)


@pytest.fixture
def busy(house: House) -> House:
    """Give a house in which each kind of work waits.

    A good move, a reply to a letter that is no longer the newest, a stranger's letter,
    and the time for a reminder.
    """
    house.game("Aoi", "Ben")
    slow = house.game("Cleo", "Dan")
    house.once()
    house.reply("Aoi", "59-26", house.letters("Aoi")[0])
    house.reply("Ben", "51-42", house.letters("Ben")[0])
    house.write("Eve", "What is this?")
    house.time_for_a_reminder(slow)
    return house


def finished(house: House) -> None:
    """Each kind of work was done once: four letters when the games began, and five since."""
    all_is_well(house)
    assert {row.sender: row.status for row in house.rows(Inbound)} == {
        address("Aoi"): "done",
        address("Ben"): "refused",
        address("Eve"): "refused",
    }
    assert list(house.entries().values()) == [["59-26"]]
    assert [row.status for row in house.rows(Deadline) if row.fired_at] == ["fired"]
    assert len(house.rows(Outbox)) == 9


def of_unknown_end(house: House) -> set[int]:
    """Return the letters of which corr did not know for a while whether they had arrived."""
    return {row.id for row in house.rows(Outbox) if row.resent_at is not None}


def doubled(house: House) -> set[int]:
    """Return the letters that arrived twice."""
    return {letter for letter, copies in house.copies().items() if copies > 1}


@pytest.mark.parametrize("point", STEPS)
def test_a_corr_that_is_killed_at_any_step_loses_and_doubles_nothing(busy: House, point: Point) -> None:
    assert busy.die(Plan(point)) == KILLED
    busy.recover()
    finished(busy)
    # The text of a letter flows after "send.started"; until then it is sure that nothing arrived.
    assert doubled(busy) <= of_unknown_end(busy)
    if STEPS.index(point) < STEPS.index("send.started"):
        assert of_unknown_end(busy) == set()


@pytest.mark.parametrize("point", ["fetch.stored", "work.written", "send.answered"])
def test_a_daemon_that_is_killed_in_any_of_its_loops_loses_and_doubles_nothing(
    busy: House, point: Point
) -> None:
    assert busy.die(Plan(point), "serve") == KILLED
    busy.recover()
    finished(busy)


# What is unknown


@pytest.mark.parametrize(("point", "arrived"), [("send.started", 0), ("send.answered", 1)])
def test_a_letter_whose_text_had_begun_to_flow_is_sent_once_more_after_ten_minutes(
    busy: House, point: Point, arrived: int
) -> None:
    """Nobody can tell the two cases apart: in one the letter never left, in the other it had arrived."""
    assert busy.die(Plan(point)) == KILLED
    begun = [row.id for row in busy.rows(Outbox) if row.data_started_at and not row.sent_at]
    letter = next(letter for letter in begun if busy.copies()[letter] == arrived)
    for ahead in (LEASE, LEASE + RESEND_AFTER - MINUTE):
        busy.once(ahead)
        assert busy.status(letter) == "unknown"
        assert busy.copies()[letter] == arrived
    busy.once(LEASE + RESEND_AFTER + MINUTE)
    assert busy.status(letter) == "sent"
    assert busy.copies()[letter] == arrived + 1


# What is raised


@pytest.mark.parametrize(("point", "visit"), [("work.raised", 1), ("work.counted", 3)])
def test_a_letter_that_cannot_be_handled_is_apologised_for_once_wherever_corr_is_killed(
    busy: House, point: Point, visit: int
) -> None:
    """Three attempts, one apology; and when the fault is mended, a retry has the one effect."""
    assert busy.die(Plan(point, visit, broken="work.locked")) == KILLED
    assert busy.die(Plan(None, broken="work.locked")) == 0
    busy.recover()
    failed = [row for row in busy.rows(Inbound) if row.status == "failed"]
    assert [(row.sender, row.attempts) for row in failed] == [(address("Aoi"), 3), (address("Ben"), 3)]
    assert busy.entries() == {}
    every_letter_has_one_answer(busy)
    every_answer_arrived(busy)
    for row in failed:
        assert admin.retry_inbound(busy.server.office, row.id) is None
    busy.once()
    assert list(busy.entries().values()) == [["59-26"]]
    the_log_is_clean(busy)


# The paper


def test_every_point_stands_in_the_paper_and_in_no_two_places_of_the_code() -> None:
    """What is written about a point holds at one place; the tests above reach each of them."""
    root = Path(__file__).parents[2]
    paper = (root / "docs/reliability.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (root / "corr/service").glob("*.py"))
    assert re.findall(r"^\| `(\w+\.\w+)` \|", paper, re.MULTILINE) == list(get_args(Point))
    assert sorted(re.findall(r'fault\("(.*)"\)', code)) == sorted(get_args(Point))
