from datetime import UTC, datetime, timedelta

import pytest

from corr.mail.retries import Status, retry_at

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def delays(status: Status, text: str = "") -> list[timedelta]:
    """Say how long each failed attempt waits for the next, until none follows."""
    waits: list[timedelta] = []
    while (then := retry_at(status, len(waits) + 1, NOW, text)) is not None:
        waits.append(then - NOW)
    return waits


def test_a_deferred_letter_waits_longer_each_time_then_six_hours() -> None:
    minutes = [wait / timedelta(minutes=1) for wait in delays("deferred")]
    assert minutes[:7] == [1, 5, 15, 60, 180, 360, 360]
    assert set(minutes[5:]) == {360}


@pytest.mark.parametrize("text", ["", "4.2.2 mailbox full"])
def test_after_five_days_a_letter_is_given_up(text: str) -> None:
    total = sum(delays("deferred", text), timedelta())
    assert timedelta(days=5) - timedelta(hours=6) < total <= timedelta(days=5)


def test_a_full_mailbox_is_not_tried_again_within_minutes() -> None:
    assert retry_at("deferred", 1, NOW, "4.2.2 The mailbox is full") == NOW + timedelta(hours=6)
    assert retry_at("deferred", 1, NOW, "14.2.23 is no such code") == NOW + timedelta(minutes=1)


def test_a_letter_that_may_have_arrived_goes_out_once_more_after_ten_minutes() -> None:
    assert delays("unknown") == [timedelta(minutes=10)]


@pytest.mark.parametrize("status", ["sent", "failed"])
def test_what_is_settled_is_not_tried_again(status: Status) -> None:
    assert delays(status) == []


def test_attempts_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="number 1"):
        retry_at("deferred", 0, NOW)
