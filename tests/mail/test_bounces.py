"""A bounce is told from what only looks like one, and names the letter that came back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.core import marks
from corr.core.marks import RETURN, Mark
from corr.mail.bounces import Severity, envelope_tag, is_hard, read_bounce, returned_to
from corr.mail.retries import Trouble, classify
from engines.api import Seat
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
        (dsn("5.1.7", diagnostic="550 5.1.7 Invalid sender address"), Severity.SOFT),
        (dsn("5.1.8", diagnostic="550 5.1.8 Sender domain not found"), Severity.SOFT),
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
    assert list(bounce.returned) == list(marks.find([ID]))


@pytest.mark.parametrize("report", [receipt, absence, dsn("2.0.0", "delivered"), dsn("2.1.5", "relayed")])
def test_receipts_absences_and_successes_are_no_bounces(report: Report) -> None:
    assert read_bounce(report(VERP, AOI, ID), [VERP]) is None


@pytest.mark.parametrize("report", [dsn(), qmail])
def test_without_an_envelope_of_its_own_the_enclosed_letter_is_named(report: Report) -> None:
    bounce = read_bounce(report("play@corr.test", AOI, ID), ["play@corr.test"])
    assert bounce is not None
    assert bounce.returned == ()
    assert ID in bounce.enclosed


CODES = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=4, max_size=8)
MARKS = st.builds(
    Mark, CODES, st.integers(0, 999_999), st.integers(1, 999).map(Seat), st.integers(1, 999_999)
)


@given(st.binary(min_size=32, max_size=32), MARKS)
def test_the_envelope_sender_leads_back_to_the_letter(key: bytes, mark: Mark) -> None:
    tag = str(marks.sign(key, mark, RETURN))
    address = f"play+{envelope_tag(tag)}@corr.test"
    assert [str(signed) for signed in returned_to([address])] == [tag]
    assert [str(signed) for signed in returned_to([address.lower()])] == [tag]
    assert not list(marks.find([address])), "it is no mark"
    assert len(address.partition("@")[0]) <= 64, "RFC 5321, 4.5.3.1.1"


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


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 99))
def test_a_server_and_a_report_draw_the_line_at_the_same_codes(subject: int, detail: int) -> None:
    """What marks an address dead is the same, said at once or in a letter that comes back."""
    code = f"5.{subject}.{detail}"
    assert is_hard(code) == (classify(550, f"{code} Sorry") is Trouble.ADDRESS)
