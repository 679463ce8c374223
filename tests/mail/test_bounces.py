"""A bounce is told from what only looks like one, and names the letter that came back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.mail.bounces import Severity, envelope_tag, is_hard, read_bounce, returned_to
from tests.mail.reports import Report, absence, dsn, qmail, receipt

ID = "<K7QX.14.1.3.abcdefghijklmnopqrst@corr.test>"
VERP = "play+bounce.K7QX-14-1-3-abcdefghijklmnopqrst@corr.test"
AOI = "aoi@players.test"


@pytest.mark.parametrize(
    ("report", "severity"),
    [
        (dsn(), Severity.HARD),
        (dsn("5.1.10"), Severity.HARD),
        (dsn("5.2.1"), Severity.HARD),
        (dsn("5.0.0"), Severity.HARD),
        (dsn("5.2.2", diagnostic="552 5.2.2 Mailbox full"), Severity.SOFT),
        (dsn("5.7.1", diagnostic="550 5.7.1 Refused by policy"), Severity.SOFT),
        (dsn("4.4.1", diagnostic="Connection timed out"), Severity.SOFT),
        (dsn("4.4.1", "delayed", "Will keep trying until message is 5 days old"), Severity.DELAYED),
        (qmail, Severity.HARD),
    ],
)
def test_a_report_tells_how_bad_it_is(report: Report, severity: Severity) -> None:
    bounce = read_bounce(report(VERP, AOI, ID), [VERP])
    assert bounce is not None
    assert bounce.severity is severity
    assert bounce.letters[0] == ID


@pytest.mark.parametrize("report", [receipt, absence, dsn("2.0.0", "delivered"), dsn("2.1.5", "relayed")])
def test_receipts_absences_and_successes_are_no_bounces(report: Report) -> None:
    assert read_bounce(report(VERP, AOI, ID), [VERP]) is None


@pytest.mark.parametrize("report", [dsn(), qmail])
def test_without_an_envelope_of_its_own_the_enclosed_letter_is_named(report: Report) -> None:
    bounce = read_bounce(report("play@corr.test", AOI, ID), ["play@corr.test"])
    assert bounce is not None
    assert ID in bounce.letters


@given(st.from_regex(r"[A-Z0-9]{4}\.\d{1,3}\.\d\.\d{1,3}\.[a-z2-7]{20}", fullmatch=True))
def test_the_envelope_sender_leads_back_to_the_letter(tag: str) -> None:
    message_id = f"<{tag}@corr.test>"
    assert returned_to([f"play+{envelope_tag(message_id)}@corr.test"]) == (message_id,)


@pytest.mark.parametrize(
    "address", ["play@corr.test", "play+K7QX.1.1.1.x@corr.test", "bounce.a@corr.test", "x"]
)
def test_other_addresses_name_no_letter(address: str) -> None:
    assert returned_to([address]) == ()


@given(st.binary(max_size=3000))
def test_anything_is_read_without_an_error(raw: bytes) -> None:
    read_bounce(raw, [VERP])


def test_a_full_mailbox_and_a_filter_are_no_dead_address() -> None:
    assert [
        is_hard(code) for code in ("5.1.1", "5.1.2", "5.2.1", "5.0.0", "5.2.2", "5.7.1", "4.1.1", "")
    ] == [
        *(True,) * 4,
        *(False,) * 4,
    ]
