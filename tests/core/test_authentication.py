"""Whose word on a sender is believed, and what it must say (RFC 8601)."""

from __future__ import annotations

import pytest

from corr.core.authentication import proven
from corr.core.letter import read_letter

OURS = "mx.corr.test"
RECEIVED = (
    "Received: from out.players.test (out [192.0.2.1]) by mx.corr.test with ESMTPS id 1; Mon, 2 Mar 2026"
)
GOOD = f"Authentication-Results: {OURS}; dmarc=pass (p=none) header.from=players.test"
DKIM = f"Authentication-Results: {OURS}; dkim=pass header.d=players.test"


def is_proven(
    *head: str, sender: str = "aoi@players.test", to: str = "play@corr.test", us: str | None = OURS
) -> bool:
    """Read a letter with *head* on top, as our own server called *us* would."""
    lines = [*head, f"From: Aoi <{sender}>", f"To: corr <{to}>", "Message-ID: <1@players.test>", "", "5", ""]
    return proven(read_letter("\r\n".join(lines).encode()), us, "play@corr.test")


@pytest.mark.parametrize(
    "results",
    [
        "dmarc=pass (p=none dis=none) header.from=players.test",
        "dmarc=PASS header.from=Players.TEST".replace("PASS", "pass"),
        "spf=fail smtp.mailfrom=else.test; dmarc=pass header.from=players.test",
        "dkim=pass header.d=players.test header.s=s1 header.b=WyA/x",
        'dkim=pass (2048-bit key) header.d=players.test header.b="f/+abc="',
        "dkim=pass header.i=@players.test",
        "dkim=fail header.d=list.test; dkim=pass header.d=players.test",
        "spf=pass smtp.mailfrom=bounce@players.test",
        "spf=pass smtp.mailfrom=players.test",
        "dmarc=pass\r\n\t(p=none (sp=none))\r\n\theader.from=players.test",
    ],
)
def test_dmarc_or_an_aligned_dkim_or_spf_proves_the_sender(results: str) -> None:
    assert is_proven(f"Authentication-Results: {OURS};\r\n {results}", RECEIVED)


@pytest.mark.parametrize(
    "results",
    [
        "none",
        "dmarc=fail header.from=players.test",
        "dmarc=none header.from=players.test",
        "dmarc=pass header.from=elsewhere.test",
        "dmarc=pass",
        "dmarc=fail header.from=players.test; dkim=pass header.d=players.test",
        "dkim=pass header.d=elsewhere.test",
        "dkim=pass header.d=test",
        "dkim=pass header.d=sub.players.test",
        "dkim=neutral header.d=players.test",
        "spf=pass smtp.mailfrom=aoi@elsewhere.test",
        "spf=pass smtp.helo=players.test",
        "auth=pass smtp.auth=players.test",
    ],
)
def test_nothing_else_does(results: str) -> None:
    assert not is_proven(f"Authentication-Results: {OURS}; {results}", RECEIVED)


@pytest.mark.parametrize(
    "comment",
    [
        "(oops; dmarc=pass header.from=players.test)",
        "(é; dmarc=pass header.from=players.test)",
        r"(a \) ; dmarc=pass header.from=players.test (b)",
        r"(a \( ; dmarc=pass header.from=players.test)",
        "(a ; dmarc=pass header.from=players.test",
        ") ; dmarc=pass header.from=players.test",
        'reason="x; dmarc=pass header.from=players.test"',
        'reason="(" ; dmarc=pass header.from=players.test; x=")"',
        'smtp.mailfrom="x; dmarc=pass header.from=players.test"@evil.test',
        "(" * 3_000,
    ],
)
def test_what_the_sender_put_into_a_comment_or_a_quotation_proves_nothing(comment: str) -> None:
    """Servers repeat names and addresses that the sender chose."""
    assert not is_proven(f"Authentication-Results: {OURS}; spf=fail {comment}", RECEIVED)


def test_the_name_of_the_server_is_compared_without_case_and_as_a_whole() -> None:
    assert is_proven(GOOD, RECEIVED, us="MX.Corr.Test")
    for other in ("corr.test", "mx.corr.test.evil.test", "mx", "xmx.corr.test"):
        assert not is_proven(GOOD, RECEIVED, us=other)


@pytest.mark.parametrize("us", [None, ""])
def test_without_a_configured_name_nobody_is_believed(us: str | None) -> None:
    assert not is_proven(GOOD, RECEIVED, us=us)


def test_results_below_the_first_received_are_the_senders_own() -> None:
    assert not is_proven(RECEIVED, GOOD)
    assert not is_proven(RECEIVED, GOOD, RECEIVED)
    assert not is_proven(GOOD.replace(OURS, "other.test"), RECEIVED, GOOD)


def test_a_letter_without_received_came_through_no_server() -> None:
    assert not is_proven(GOOD)


def test_a_hand_over_by_lmtp_in_our_house_is_stepped_over() -> None:
    inside = (
        "Received: from mx.corr.test by imap.corr.test with LMTP id x (envelope-from <a@x>); Mon, 2 Mar 2026"
    )
    assert is_proven(inside, GOOD, RECEIVED)
    assert not is_proven(inside, RECEIVED, GOOD)
    assert not is_proven(inside)
    lie = "Received: from x (y with LMTP z) by mx.corr.test with ESMTP id 1; Mon, 2 Mar 2026"
    assert not is_proven(lie, GOOD, RECEIVED)


def test_several_results_of_our_own_server_are_read_together() -> None:
    spf = f"Authentication-Results: {OURS}; spf=fail smtp.mailfrom=else.test"
    assert is_proven(spf, DKIM, RECEIVED)
    assert not is_proven(
        DKIM, f"Authentication-Results: {OURS}; dmarc=fail header.from=players.test", RECEIVED
    )


def test_a_signed_letter_to_somebody_else_is_no_letter_to_corr() -> None:
    """A DKIM signature is good for every copy: Eve may send on what Aoi wrote to her."""
    assert not is_proven(DKIM, RECEIVED, to="eve@elsewhere.test")
    assert not is_proven(DKIM, RECEIVED, "To: play@corr.test", to="eve@elsewhere.test")
    assert not is_proven(DKIM, RECEIVED, "Cc: eve@elsewhere.test")
    assert is_proven(DKIM, RECEIVED, to="PLAY+anything@corr.test")


def test_without_one_sender_nothing_is_proven() -> None:
    assert not is_proven(GOOD, RECEIVED, "From: eve@elsewhere.test")
