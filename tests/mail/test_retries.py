"""What servers' answers mean, and when letters go out again."""

from datetime import UTC, datetime, timedelta

import pytest

from corr.mail.retries import COURSES, RULES, Trouble, classify, retry_at

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

# What providers write, and what stands in RFC 3463.
ANSWERS = [
    (550, "5.4.5 Daily user sending limit exceeded. For more information", Trouble.QUOTA),
    (454, "4.4.5 Daily sending quota exceeded", Trouble.QUOTA),
    (550, "5.7.1 Daily SMTP relay limit exceeded for customer", Trouble.QUOTA),
    (450, "4.2.1 Peak SMTP relay limit exceeded for customer", Trouble.QUOTA),
    (550, "5.1.8 Access denied, bad outbound sender AS(42004)", Trouble.QUOTA),
    (550, "5.1.90 Your message can't be sent: daily limit for recipients", Trouble.QUOTA),
    (554, "5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed", Trouble.QUOTA),
    (554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException", Trouble.QUOTA),
    (554, "5.2.2 mailbox full; STOREDRV.Submission.Exception:QuotaExceededException", Trouble.QUOTA),
    (550, "5.2.255 Sender throttled due to continuous invalid recipients errors.", Trouble.QUOTA),
    (421, "4.7.0 Try again later, closing connection.", Trouble.RATE),
    (421, "4.7.28 Our system has detected an unusual rate of mail", Trouble.RATE),
    (421, "4.4.5 Server busy, try again later.", Trouble.RATE),
    (432, "4.3.2 Concurrent connections limit exceeded", Trouble.RATE),
    (454, "4.7.0 Too many login attempts, please try again later", Trouble.RATE),
    (451, "4.7.1 Rate limit exceeded", Trouble.RATE),
    (421, "4.7.0 TLS required for RCPT domain, closing connection.", Trouble.BUSY),
    (421, "4.4.2 Idle too long", Trouble.UNREACHABLE),
    (421, "", Trouble.UNREACHABLE),
    (530, "5.7.0 Authentication required", Trouble.LOGIN),
    (535, "5.7.8 Username and Password not accepted", Trouble.LOGIN),
    (450, "4.2.0 <a@b.test>: Recipient address rejected: Greylisted", Trouble.BUSY),
    (451, "4.7.1 Greylisting in action, please come back later", Trouble.BUSY),
    (450, "4.2.1 The user you are trying to contact is receiving mail too quickly.", Trouble.BUSY),
    (452, "4.3.1 Disk full", Trouble.BUSY),
    (451, "", Trouble.BUSY),
    (451, "4.4.4 Temporary server error", Trouble.NETWORK),
    (452, "4.2.2 The email account that you tried to reach is over quota.", Trouble.FULL),
    (552, "5.2.2 Mailbox full", Trouble.FULL),
    (451, "14.2.23 is no such code", Trouble.BUSY),
    (450, "4.7.25 Client host rejected: cannot find your hostname", Trouble.HELD),
    (550, "5.1.1 No such user", Trouble.ADDRESS),
    (550, "5.2.1 The email account that you tried to reach is disabled.", Trouble.ADDRESS),
    (550, "5.0.0 User unknown", Trouble.ADDRESS),  # programs that know no finer code
    (550, "5.1.0 Address rejected", Trouble.ADDRESS),
    (553, "5.1.7 Invalid sender address", Trouble.SENDER),
    (554, "5.1.9 Relayed to a system that does not understand it", Trouble.REFUSED),
    (552, "5.3.4 Message size exceeds fixed limit", Trouble.SIZE),
    (552, "Too large", Trouble.SIZE),
    (554, "5.7.1 Spam", Trouble.POLICY),
    (550, "No such user here", Trouble.REFUSED),
    (554, "5.6.0 No", Trouble.REFUSED),
]


@pytest.mark.parametrize(("code", "text", "trouble"), ANSWERS)
def test_an_answer_is_known_for_whose_matter_it_is(code: int, text: str, trouble: Trouble) -> None:
    assert classify(code, text) is trouble


def test_every_rule_is_shown_by_an_answer() -> None:
    assert {rule.trouble for rule in RULES} == {trouble for _, _, trouble in ANSWERS}


def test_every_trouble_has_its_course() -> None:
    assert set(COURSES) == set(Trouble)


def delays(trouble: Trouble) -> list[timedelta]:
    """Say how long each failed attempt waits for the next, until none follows."""
    waits: list[timedelta] = []
    while (then := retry_at(trouble, len(waits) + 1, NOW)) is not None:
        waits.append(then - NOW)
    return waits


FIRST = [
    (Trouble.BUSY, [1, 5, 15, 60, 180, 360, 360]),
    (Trouble.DROPPED, [1, 5, 15, 60, 180, 360, 360]),
    (Trouble.SENDER, [1, 5, 15, 60, 180, 360, 360]),
    (Trouble.NETWORK, [15, 60, 180, 360, 360]),
    (Trouble.HELD, [60, 180, 360, 360]),
    (Trouble.FULL, [360, 360]),
]


@pytest.mark.parametrize(("trouble", "minutes"), FIRST)
def test_a_deferred_letter_waits_longer_each_time_then_six_hours_until_five_days_are_over(
    trouble: Trouble, minutes: list[int]
) -> None:
    waits = delays(trouble)
    assert [wait // timedelta(minutes=1) for wait in waits][: len(minutes)] == minutes
    assert set(waits[len(minutes) :]) == {timedelta(hours=6)}
    assert timedelta(days=5) - timedelta(hours=6) < sum(waits, timedelta()) <= timedelta(days=5)


@pytest.mark.parametrize(
    ("trouble", "minutes"),
    [
        (Trouble.UNREACHABLE, 1),
        (Trouble.TLS, 5),
        (Trouble.LOGIN, 5),
        (Trouble.RATE, 5),
        (Trouble.QUOTA, 60),
    ],
)
def test_a_trouble_of_the_account_is_waited_for_however_long_it_lasts(trouble: Trouble, minutes: int) -> None:
    for attempt in (1, 2, 1_000):
        assert retry_at(trouble, attempt, NOW) == NOW + timedelta(minutes=minutes)


def test_a_letter_that_may_have_arrived_goes_out_once_more_after_ten_minutes() -> None:
    assert delays(Trouble.UNKNOWN) == [timedelta(minutes=10)]


@pytest.mark.parametrize("trouble", [Trouble.ADDRESS, Trouble.POLICY, Trouble.SIZE, Trouble.REFUSED])
def test_what_is_refused_for_good_is_not_tried_again(trouble: Trouble) -> None:
    assert delays(trouble) == []


def test_attempts_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="number 1"):
        retry_at(Trouble.BUSY, 0, NOW)
