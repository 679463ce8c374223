"""What corr does with letters that came back, and with other letters that nobody wrote."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import SMTP, default

import pytest
from sqlmodel import col, select

from corr.core import marks
from corr.mail.account import Account
from corr.mail.bounces import envelope_tag
from corr.mail.smtp import SmtpPostman
from corr.service.bounces import MOST_SOFT, SOFT_COUNTS, sender_of
from corr.service.hand_over import hand_over
from corr.service.lobby import Invited
from corr.service.send import send
from corr.store.claim import Claimed
from corr.store.tables import Address, Inbound, Outbox, Tenure
from tests.mail.reports import Report, absence, dsn, qmail, receipt
from tests.mail.scripted import ScriptedSmtp
from tests.service.world import AOI, BEN, World


def sent(world: World) -> None:
    """Let everything that waits go out."""
    with ScriptedSmtp() as server:
        send(world.office, SmtpPostman(Account.parse(f"smtp://127.0.0.1:{server.port}"), timeout=5.0), "here")


def come_back(world: World, report: Report, who: str = AOI) -> Inbound:
    """Let the newest letter to somebody come back; returns what became of the report."""
    row = world.outbox(who)[-1]
    number = world.receive(report(envelope_sender(world, row), who, row.message_id))
    world.settle()
    return world.inbound(number)


def envelope_sender(world: World, row: Outbox) -> str:
    """Return from where a letter is sent."""
    with world.office.database.session() as session:
        held = select(Tenure.key).where(Tenure.game_id == row.game_id, Tenure.seat == row.seat)
        key = session.exec(held.where(col(Tenure.to_at).is_(None))).one_or_none()
    claimed = Claimed(row.id, row.game_id, row.seat, row.address, row.message_id, row.raw, key)
    return sender_of(world.office, claimed)


def address(world: World, who: str = AOI) -> Address:
    with world.office.database.session() as session:
        return session.exec(select(Address).where(Address.address == who)).one()


def second(world: World, who: str, other: str) -> None:
    """Give a player another verified address."""
    with world.office.database.session() as session:
        known = session.exec(select(Address).where(Address.address == who)).one()
        session.add(
            Address(player_id=known.player_id, address=other, verified_at=world.now, created_at=world.now)
        )


@pytest.mark.parametrize("report", [dsn(), qmail])
def test_an_address_that_does_not_exist_gets_no_more_letters(world: World, report: Report) -> None:
    code = world.game()
    sent(world)
    heard = come_back(world, report)
    assert (heard.status, heard.rules_hit, heard.problem) == ("ignored", "bounce", "bounce.hard")
    assert (heard.game_id, heard.seat) == (world.row(code).id, 1)
    assert (address(world).state, address(world).bounces) == ("bouncing", 1)
    assert world.outbox(AOI)[-1].status == "failed"
    before = len(world.outbox())
    world.answer(BEN, "history")
    assert len(world.outbox()) == before + 1, "nothing is ever said to a machine"


def test_what_was_not_sent_goes_out_when_a_letter_comes_from_the_address(world: World) -> None:
    """Only the newest: what stood in the older ones is over."""
    world.game()
    start = world.newest(AOI)
    sent(world)
    come_back(world, dsn())
    world.reply(AOI, "help", start)
    assert address(world).state == "good"
    come_back_again = world.outbox(AOI)[-1]
    assert come_back_again.status == "queued", "the answer to that letter"
    sent(world)
    come_back(world, dsn())
    world.reply(AOI, "5", start)
    assert [row.status for row in world.outbox(AOI)][-2:] == ["failed", "queued"]


def test_a_dead_address_keeps_what_it_would_have_got(world: World) -> None:
    world.game()
    start = world.newest(BEN)
    sent(world)
    come_back(world, dsn(), BEN)
    world.reply(AOI, "5")
    assert world.outbox(BEN)[-1].status == "dropped"
    sent(world)
    assert world.outbox(BEN)[-1].status == "dropped"
    world.reply(BEN, "help", start)
    assert [row.status for row in world.outbox(BEN)][-2:] == ["queued", "queued"]


def test_letters_go_to_the_other_address_and_the_one_that_came_back_too(world: World) -> None:
    world.game()
    second(world, AOI, "aoi@elsewhere.test")
    sent(world)
    come_back(world, dsn())
    assert [(row.status, row.attempts) for row in world.outbox("aoi@elsewhere.test")] == [("queued", 0)]
    sent(world)
    assert [row.status for row in world.outbox("aoi@elsewhere.test")] == ["sent"]
    world.reply(BEN, "5")
    world.reply("aoi@elsewhere.test", "5")
    assert world.outbox()[-2].address == "aoi@elsewhere.test"


def test_soft_bounces_are_counted_each_letter_once(world: World) -> None:
    world.game()
    full = dsn("5.2.2", diagnostic="552 Mailbox full")
    for number in range(1, MOST_SOFT + 1):
        sent(world)
        come_back(world, full, BEN)
        assert come_back(world, full, BEN).problem == "bounce.unknown", "told already"
        assert address(world, BEN).bounces == number
        assert address(world, BEN).state == ("bouncing" if number == MOST_SOFT else "soft")
        world.game()


def test_a_delay_is_no_failure(world: World) -> None:
    world.game()
    sent(world)
    assert come_back(world, dsn("4.4.1", "delayed")).problem == "bounce.delayed"
    assert address(world).state == "good"
    assert world.outbox(AOI)[-1].status == "sent"


@pytest.mark.parametrize("report", [dsn(), qmail])
def test_nobody_else_can_make_an_address_look_dead(world: World, report: Report) -> None:
    """A report must name a letter of ours, whose id holds a hash that only its reader has seen."""
    code = world.game()
    sent(world)
    wrong = f"{code}.1.1.1.aaaaaaaaaaaaaaaaaaaa"
    number = world.receive(report(world.office.tagged(envelope_tag(wrong)), AOI, f"<{wrong}@corr.test>"))
    world.settle()
    assert (world.inbound(number).status, world.inbound(number).problem) == ("ignored", "bounce.unknown")
    assert address(world).state == "good"


def test_whoever_was_forwarded_a_letter_cannot_make_an_address_look_dead(world: World) -> None:
    """It shows the mark, not the hash of its envelope sender: at most it counts like a full mailbox."""
    world.game()
    sent(world)
    row = world.outbox(AOI)[-1]
    mark = str(next(marks.find([row.message_id])))
    for to in (world.office.tagged(envelope_tag(mark)), world.office.tagged(mark), world.office.address):
        world.receive(dsn()(to, AOI, row.message_id))
    world.settle()
    assert (address(world).state, address(world).bounces) == ("soft", 1)
    world.reply(AOI, "help", message_from_bytes(row.raw, policy=default))
    assert address(world).state == "good"


def test_where_a_provider_puts_its_own_envelope_sender_five_letters_show_a_dead_address(world: World) -> None:
    for number in range(1, MOST_SOFT + 1):
        world.game()
        sent(world)
        row = world.outbox(BEN)[-1]
        world.receive(dsn()(world.office.address, BEN, row.message_id))
        world.settle()
        assert address(world, BEN).bounces == number
    assert address(world, BEN).state == "bouncing"


def test_a_bounce_of_an_answer_outside_of_games_proves_nothing(world: World) -> None:
    """Whoever forges From knows what corr answers to, and with it the id of the answer."""
    world.game()
    world.game()
    forged = world.plain(AOI, "hello")
    world.post(forged)
    world.settle()
    sent(world)
    row = world.outbox(AOI)[-1]
    assert row.game_id is None
    assert come_back(world, dsn()).problem == "bounce.unknown"
    assert address(world).state == "good"


def test_old_soft_bounces_are_forgotten(world: World) -> None:
    full = dsn("5.2.2", diagnostic="552 Mailbox full")
    for _ in range(MOST_SOFT + 2):
        world.game()
        sent(world)
        come_back(world, full, BEN)
        world.sleep(days=SOFT_COUNTS.days, minutes=1)
    assert (address(world, BEN).state, address(world, BEN).bounces) == ("soft", 1)


def test_a_bounce_finds_its_letter_after_the_seat_was_handed_over(world: World) -> None:
    code = world.game()
    row = world.outbox(AOI)[-1]
    sender = envelope_sender(world, row)
    sent(world)
    assert hand_over(world.office, code, "1", Invited("Carol", "carol@players.test"), "she is ill") is None
    number = world.receive(dsn()(sender, AOI, row.message_id))
    world.settle()
    assert world.inbound(number).problem == "bounce.hard"
    assert address(world).state == "bouncing"
    assert address(world, "carol@players.test").state == "good"


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To", "To"])
def test_the_envelope_sender_is_found_wherever_servers_write_it(world: World, header: str) -> None:
    world.game()
    sent(world)
    row = world.outbox(AOI)[-1]
    raw = dsn()("elsewhere@corr.test", AOI, "<lost@relay.example>")
    number = world.receive(f"{header}: {envelope_sender(world, row)}\r\n".encode() + raw)
    world.settle()
    assert world.inbound(number).problem == "bounce.hard"


def test_a_refusal_by_our_own_server_marks_the_address_too(world: World) -> None:
    world.game()
    with ScriptedSmtp({"rcpt": ["550 5.1.1 No such user"]}) as server:
        send(world.office, SmtpPostman(Account.parse(f"smtp://127.0.0.1:{server.port}"), timeout=5.0), "here")
    (refused,) = (row for row in world.outbox() if row.status == "failed")
    assert address(world, refused.address).state == "bouncing"


@pytest.mark.parametrize("report", [dsn(), dsn("4.4.1", "delayed"), qmail, receipt, absence])
def test_nothing_is_ever_sent_to_a_machine(world: World, report: Report) -> None:
    """Not even where it quotes a mark, comes from a player's address, or says what looks like an order."""
    code = world.game()
    letter = world.newest(AOI)
    raw = report(str(letter["Reply-To"]), AOI, str(letter["Message-ID"]))
    before = (len(world.outbox()), world.events(code))
    number = world.receive(raw)
    world.settle()
    assert world.inbound(number).status == "ignored"
    assert (len(world.outbox()), world.events(code)) == before


def test_a_flood_from_one_sender_is_dropped_and_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corr.service.receive.MOST_LETTERS", 3)
    world.game()
    fates = [world.reply(BEN, "help").rules_hit for _ in range(5)]
    assert fates == ["holder"] * 3 + ["flood"] * 2
    assert world.reply(AOI, "5").rules_hit == "holder"
    world.sleep(hours=1, seconds=1)
    assert world.reply(BEN, "help").rules_hit == "holder"


def test_a_letter_that_cannot_be_read_is_refused_once_an_hour(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    bomb = letter.as_bytes(policy=SMTP).replace(b"\r\n\r\n", b"\r\n" + b"X-A: 1\r\n" * 2000 + b"\r\n", 1)
    fates: list[str | None] = []
    for copy in range(3):
        number = world.receive(bomb.replace(b"X-A: 1", b"X-A: %d" % copy))
        world.settle()
        fates.append(world.inbound(number).rules_hit)
    assert fates == ["flawed", "flawed-again", "flawed-again"]
    assert world.reply(AOI, "5").status == "done"
