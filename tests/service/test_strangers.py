"""Who writes, where address and mark come oddly: phones with dots, forwarders, lists, made-up senders."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from corr.mail.account import Account
from corr.mail.dkim import look_up
from corr.mail.smtp import SmtpPostman
from corr.service.receive import MOST_STRANGERS
from corr.service.send import send
from corr.store.tables import Inbound
from tests.mail.scripted import ScriptedSmtp
from tests.mail.signing import Signer, name_server
from tests.service.ledger import deliver, ledger, sent_since
from tests.service.world import ADDRESS, AOI, BEN, World, headline

DOTS = "taro..x.@docomo.test"


def handled(world: World, letter: EmailMessage) -> Inbound:
    """Let a letter come in and be worked on; returns what became of it."""
    number = world.post(letter)
    world.settle()
    return world.inbound(number)


def with_header(letter: EmailMessage, name: str, value: str) -> EmailMessage:
    del letter[name]
    letter[name] = value
    return letter


# Addresses of phones


@pytest.mark.parametrize(
    "written", [DOTS, '"taro..x."@docomo.test', "TARO..X.@Docomo.Test", f"太郎 <{DOTS}>"]
)
def test_an_address_that_no_standard_allows_plays_like_any_other(world: World, written: str) -> None:
    """Japanese carriers gave out such addresses; programs write them with and without quotes."""
    code = world.game(seats=[("Taro", DOTS), ("Ben", BEN)])
    raw = world.written(DOTS, "5").as_bytes(policy=SMTP)
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"From:")]
    number = world.receive(b"\r\n".join([f"From: {written}".encode(), *lines, b"", body]))
    world.settle()
    assert (world.inbound(number).status, world.inbound(number).rules_hit) == ("done", "holder")
    assert len(world.events(code)) == 2


def test_letters_go_out_to_such_an_address(world: World) -> None:
    world.game(seats=[("Taro", DOTS), ("Ben", BEN)])
    with ScriptedSmtp() as server:
        send(world.office, SmtpPostman(Account.parse(f"smtp://127.0.0.1:{server.port}"), timeout=5.0), "here")
    assert f"RCPT TO:<{DOTS}>" in server.commands
    assert [row.status for row in world.outbox(DOTS)] == ["sent"]


def test_such_an_address_can_be_added(world: World) -> None:
    code = world.game()
    start = world.newest(AOI)
    world.reply(AOI, f"address add {DOTS}")
    world.reply(DOTS, "yes")
    assert world.reply(DOTS, "5", start).status == "done"
    assert len(world.events(code)) == 2


# Forwarders and lists


def test_the_envelope_sender_of_a_forwarder_says_nothing_of_the_writer(world: World) -> None:
    code = world.game()
    letter = world.written(AOI, "5")
    letter["Return-Path"] = "<SRS0=HHH=TT=players.test=aoi@forwarder.test>"
    assert handled(world, letter).rules_hit == "holder"
    assert len(world.events(code)) == 2


def test_a_failed_dmarc_takes_nothing_away_from_a_mark(world: World) -> None:
    """Forwarders break signatures (RFC 7960)."""
    world.office = replace(world.office, authserv_id="mx.corr.test")
    code = world.game()
    raw = world.written(AOI, "5").as_bytes(policy=SMTP)
    failed = b"Authentication-Results: mx.corr.test; dmarc=fail header.from=players.test\r\n"
    world.receive(failed + b"Received: from x by mx.corr.test with ESMTP id 1; now\r\n" + raw)
    world.settle()
    assert len(world.events(code)) == 2


@pytest.mark.parametrize("header", ["Reply-To", "X-Original-From", "Sender", "Resent-From"])
def test_a_sender_that_was_rewritten_on_the_way_is_asked_about(world: World, header: str) -> None:
    """Whatever else the letter says of its writer: anybody can write that, and bring a stolen mark."""
    code = world.game()
    letter = with_header(world.written(AOI, "5"), "From", '"Aoi via Games" <games@lists.test>')
    letter[header] = AOI
    before = len(world.outbox())
    assert handled(world, letter).rules_hit == "not-holder"
    assert sent_since(world, before) == [(AOI, "question.was-it-you")]
    assert len(world.events(code)) == 1
    world.reply(AOI, "yes")
    assert len(world.events(code)) == 2


# From and mark of two players


@pytest.mark.parametrize(
    "words", ["5", "resign", "yes", "draw", "say hello", "lang ja", "address remove a@b.test"]
)
def test_a_letter_whose_sender_and_mark_disagree_is_nobodys(world: World, words: str) -> None:
    """It is neither Ben's, in whose name it came, nor Aoi's, whose mark it brings; she alone hears of it."""
    world.game()
    before, letters = ledger(world), len(world.outbox())
    number = world.post(world.written(BEN, words, world.newest(AOI)))
    world.settle()
    row = world.inbound(number)
    assert (row.status, row.rules_hit, row.seat) == ("refused", "not-holder", 1)
    assert ledger(world) == before
    assert sent_since(world, letters) == [(AOI, "note")]
    assert BEN not in world.newest(AOI).as_string()


# Strangers


def test_senders_that_somebody_makes_up_are_not_all_written_to(world: World) -> None:
    """Else whoever forges From could let corr write to the whole world."""
    world.game()
    rules = [
        handled(world, world.plain(f"victim{n}@x{n}.test", "hello")).rules_hit
        for n in range(MOST_STRANGERS + 3)
    ]
    assert rules == ["stranger"] * MOST_STRANGERS + ["crowded"] * 3
    assert world.reply(AOI, "5").status == "done", "players are heard all the same"
    world.sleep(hours=1, seconds=1)
    assert handled(world, world.plain("curious@x.test", "hello")).rules_hit == "stranger"


# Signatures that corr checks itself


def checking(world: World) -> Signer:
    """Let corr check signatures; returns who signs for the players."""
    world.office = replace(world.office, key_lookup=look_up)
    deliver(world)
    world.sleep(minutes=1)
    return Signer("players.test")


def signed(world: World, signer: Signer, words: str) -> bytes:
    letter = world.plain(AOI, words)
    letter["Date"] = "Mon, 02 Mar 2026 12:00:00 +0000"
    return signer.sign(letter.as_bytes(policy=SMTP))


def come(world: World, signer: Signer, raw: bytes) -> Inbound:
    with name_server(signer.records):
        number = world.receive(raw)
    world.settle()
    return world.inbound(number)


def test_a_good_signature_counts_like_a_mark(world: World) -> None:
    code = world.game()
    signer = checking(world)
    row = come(world, signer, signed(world, signer, "5"))
    assert (row.rules_hit, row.status) == ("proven", "done")
    assert row.raw.startswith(b"Authentication-Results: corr.invalid; dkim=pass header.d=players.test\r\n")
    assert len(world.events(code)) == 2


def test_it_does_not_where_corr_is_not_told_to_check(world: World) -> None:
    code = world.game()
    signer = checking(world)
    world.office = replace(world.office, key_lookup=None)
    raw = signed(world, signer, "5")
    forged = b"Authentication-Results: corr.invalid; dkim=pass header.d=players.test\r\n" + raw
    for letter in (raw, forged):
        assert come(world, signer, letter).rules_hit in {"known-without-mark", "repeated"}
    assert len(world.events(code)) == 1


def test_the_same_signed_letter_once_more_is_a_copy(world: World) -> None:
    code = world.game()
    signer = checking(world)
    raw = signed(world, signer, "5")
    assert come(world, signer, raw).status == "done"
    assert come(world, signer, raw).rules_hit == "repeated"
    assert len(world.events(code)) == 2


@pytest.mark.parametrize("words", ["address add eve@elsewhere.test", "address remove aoi2@players.test"])
def test_who_may_write_for_a_player_is_changed_by_no_signature(world: World, words: str) -> None:
    """What binds needs the mark of a letter that went to the player."""
    world.game()
    signer = checking(world)
    before = ledger(world)
    assert come(world, signer, signed(world, signer, words)).problem == "intake.no-mark"
    assert ledger(world) == before


def test_a_signed_resignation_is_asked_and_only_a_mark_says_yes(world: World) -> None:
    code = world.game()
    signer = checking(world)
    come(world, signer, signed(world, signer, "resign"))
    come(world, signer, signed(world, signer, "yes"))
    assert world.row(code).status == "running"
    asked = next(letter for letter in reversed(world.letters(AOI)) if "resign" in headline(letter).lower())
    world.reply(AOI, "yes", asked)
    assert world.row(code).status == "over"


def test_a_letter_to_corr_alone_is_meant_for_it(world: World) -> None:
    """A signature is good for every copy: of a letter to somebody else, too."""
    code = world.game()
    signer = checking(world)
    letter = with_header(world.plain(AOI, "5"), "To", f"{ADDRESS}, {BEN}")
    assert come(world, signer, signer.sign(letter.as_bytes(policy=SMTP))).rules_hit == "known-without-mark"
    assert len(world.events(code)) == 1
