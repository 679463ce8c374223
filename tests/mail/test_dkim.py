"""Signatures are checked for real: made by the library, their key fetched from a DNS over loopback."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.authentication import proven, proven_by_signature
from corr.core.letter import read_letter
from corr.mail.dkim import LONGEST, LONGEST_KEY, look_up, stamped
from tests.mail.signing import SIGNED, Signer, name_server

PLAY = "play@corr.test"
LETTER = (
    b"From: Aoi <aoi@players.test>\r\nTo: play@corr.test\r\nSubject: a move\r\n"
    b"Message-ID: <1@players.test>\r\nDate: Mon, 2 Mar 2026 12:00:00 +0000\r\n\r\n5\r\n"
)
PLAYERS = Signer("players.test")


def is_proven(raw: bytes, *signers: Signer) -> bool:
    """Fetch the keys, and read what was written on top."""
    records = {name: key for signer in signers or (PLAYERS,) for name, key in signer.records.items()}
    with name_server(records):
        return proven_by_signature(read_letter(stamped(raw, read_letter(raw), look_up)), PLAY)


def test_a_good_signature_of_the_domain_of_from_proves_the_sender() -> None:
    assert is_proven(PLAYERS.sign(LETTER))


def test_without_a_signature_nothing_is_proven_and_nobody_is_asked() -> None:
    with name_server(PLAYERS.records) as asked:
        found = stamped(LETTER, read_letter(LETTER), look_up)
    assert found == b"Authentication-Results: corr.invalid; none\r\n" + LETTER
    assert asked == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\r\n5\r\n", b"\r\n6\r\n"),
        (b"Subject: a move", b"Subject: resign"),
        (b"<1@players.test>", b"<2@players.test>"),
        (b"From: Aoi <aoi@", b"From: Aoi <ben@"),
        (b"To: play@corr.test", b"To: play+x@corr.test"),
    ],
)
def test_what_was_changed_on_the_way_proves_nothing(old: bytes, new: bytes) -> None:
    signed = PLAYERS.sign(LETTER)
    assert old in signed
    assert not is_proven(signed.replace(old, new))


@pytest.mark.parametrize("name", ["to", "subject", "message-id"])
def test_a_signature_that_leaves_a_header_open_proves_nothing(name: str) -> None:
    """Else it would be good for a letter to somebody else, other words, or the same order once more."""
    assert not is_proven(PLAYERS.sign(LETTER, tuple(header for header in SIGNED if header != name)))


@pytest.mark.parametrize(
    "added", [b"Subject: resign\r\n", b"To: play@corr.test\r\n", b"From: ben@players.test\r\n"]
)
def test_a_second_header_on_top_proves_nothing(added: bytes) -> None:
    assert not is_proven(added + PLAYERS.sign(LETTER))


def test_a_signature_over_only_the_beginning_proves_nothing() -> None:
    assert not is_proven(PLAYERS.sign(LETTER, length=True))


def test_the_signature_of_another_domain_proves_nothing() -> None:
    evil = Signer("evil.test")
    assert not is_proven(evil.sign(LETTER), evil, PLAYERS)
    parent = Signer("test")
    assert not is_proven(parent.sign(LETTER), parent)


def test_a_second_signature_may_be_the_one_that_counts() -> None:
    """Providers sign with a domain of their own, too, and forwarders on top of that."""
    evil = Signer("relay.test")
    assert is_proven(evil.sign(PLAYERS.sign(LETTER)), evil, PLAYERS)


def test_a_key_that_is_gone_proves_nothing() -> None:
    assert not is_proven(PLAYERS.sign(LETTER), Signer("other.test"))


def test_a_dns_that_fails_proves_nothing() -> None:
    def fails(name: str) -> bytes | None:
        raise OSError(name)

    raw = PLAYERS.sign(LETTER)
    assert not proven_by_signature(read_letter(stamped(raw, read_letter(raw), fails)), PLAY)


def test_a_long_letter_is_not_checked() -> None:
    raw = PLAYERS.sign(LETTER + b"x\r\n" * (LONGEST // 3))
    with name_server(PLAYERS.records) as asked:
        assert not proven_by_signature(read_letter(stamped(raw, read_letter(raw), look_up)), PLAY)
    assert asked == []


HOSTILE = {
    "spaces": b"x" + b" " * 240_000 + b"x\r\n",
    "gaps": (b"x" + b" " * 199) * 1_200 + b"\r\n",
    "tabs and spaces": b"\t " * 100_000,
    "empty lines": b"\r\n" * 100_000 + b"x",
    "one line": b"x" * 240_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_no_body_makes_the_check_slow(body: bytes) -> None:
    """Anybody can sign for a domain of his own, so it is checked with a good key."""
    raw = PLAYERS.sign(LETTER).replace(b"\r\n5\r\n", b"\r\n5\r\n" + body)
    began = process_time()
    assert not is_proven(raw)
    assert process_time() - began < 2


@pytest.mark.parametrize("gap", [b" " * 150, b"\t\r\n " * 49, b" " * 100_000])
def test_no_signature_makes_the_check_slow(gap: bytes) -> None:
    value = (
        b"DKIM-Signature: v=1; a=rsa-sha256; d=players.test; s=s1; h=from:to:subject:message-id; bh=aaaa; b="
    )
    raw = value + (b"abcd" + gap) * (100_000 // len(gap)) + b"!\r\n" + LETTER
    began = process_time()
    assert not is_proven(raw)
    assert process_time() - began < 2


def test_a_giant_key_is_not_used() -> None:
    """It would be raised to a giant power, bit by bit."""
    raw = PLAYERS.sign(LETTER)
    (record,) = PLAYERS.records.values()
    assert not proven_by_signature(
        read_letter(stamped(raw, read_letter(raw), lambda _: record + b"; n=" + b"x" * LONGEST_KEY)), PLAY
    )
    assert proven_by_signature(read_letter(stamped(raw, read_letter(raw), lambda _: record + b"; n=x")), PLAY)


def test_at_most_three_signatures_are_tried() -> None:
    """Or one letter could make corr ask a thousand questions."""
    raw = LETTER
    for _ in range(6):
        raw = PLAYERS.sign(raw).replace(b"s=s1", b"s=s2", 1)
    with name_server(PLAYERS.records) as asked:
        stamped(raw, read_letter(raw), look_up)
    assert len(asked) == 3


def test_what_a_sender_writes_himself_proves_nothing() -> None:
    """Ours stands above it, and a server of that name is trusted by nobody."""
    forged = b"Authentication-Results: corr.invalid; dkim=pass header.d=players.test\r\n" + LETTER
    assert not is_proven(forged)
    assert not proven(read_letter(forged), None, PLAY)


@given(st.binary(max_size=400), st.binary(max_size=200))
def test_any_signature_is_checked_without_an_error(value: bytes, body: bytes) -> None:
    folded = value.replace(b"\n", b"\n ")
    raw = b"DKIM-Signature: v=1; a=rsa-sha256; d=players.test; s=s1; h=from:to:subject:message-id; " + folded
    raw += b"\r\n" + LETTER + body
    found = stamped(raw, read_letter(raw), lambda _: PLAYERS.records["s1._domainkey.players.test."])
    assert found.endswith(raw)
    assert not proven_by_signature(read_letter(found), PLAY)
