"""The pace of a game: how long a phase may last."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.pace import SLACK, allowance, deadline, opening, reminder
from engines.api import Problem

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
SPANS = st.timedeltas(timedelta(0), timedelta(days=900))


@pytest.mark.parametrize(
    ("rule", "time"),
    [
        ("3d", timedelta(days=3)),
        ("36h", timedelta(hours=36)),
        ("2d12h", timedelta(days=2, hours=12)),
        ("90m", timedelta(minutes=90)),
        ("1d2h3m", timedelta(days=1, hours=2, minutes=3)),
        (" 3D ", timedelta(days=3)),
    ],
)
def test_a_pace_is_days_hours_and_minutes(rule: str, time: timedelta) -> None:
    assert allowance(rule) == time
    assert deadline(rule, START) == START + time


@pytest.mark.parametrize(
    "rule", ["", "0d", "0h0m", "3", "d", "3 d", "12h3d", "-3d", "3.5d", "3w", "soon", "9999d"]
)
def test_what_is_no_pace_is_named(rule: str) -> None:
    assert allowance(rule) == Problem("pace.unread", {"rule": rule})
    with pytest.raises(ValueError, match="not a pace"):
        deadline(rule, START)


@given(st.text(max_size=12))
def test_any_text_is_a_pace_or_a_problem(rule: str) -> None:
    time = allowance(rule)
    assert isinstance(time, Problem) or time > timedelta(0)


def test_a_phase_may_have_a_share_of_the_time() -> None:
    assert deadline("3d", START, Fraction(1, 2)) == START + timedelta(hours=36)
    assert deadline("1d", START, Fraction(1, 3)) == START + timedelta(hours=8)


def test_a_reminder_comes_when_four_fifths_are_gone() -> None:
    assert reminder(START, START + timedelta(days=5)) == START + timedelta(days=4)


@given(SPANS)
def test_a_reminder_never_comes_after_the_deadline(span: timedelta) -> None:
    assert START <= reminder(START, START + span) <= START + span


@given(SPANS, SPANS)
def test_a_phase_opens_at_the_receipt_of_the_letter_but_the_servers_delay_costs_an_hour_at_most(
    late: timedelta, early: timedelta
) -> None:
    assert opening(START, START + late) == START + max(timedelta(0), late - SLACK)
    assert opening(START + early, START) == START, "a clock that is wrong gives nobody more time"
