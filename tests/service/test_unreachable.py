"""Letters to somebody come back: who at the table hears of it, when, and how often."""

from __future__ import annotations

import pytest

from corr.mail.account import Account
from corr.mail.presets import Limits
from corr.mail.smtp import SmtpPostman
from corr.service.bounces import MOST_SOFT
from corr.service.send import send
from tests.mail.reports import Report, dsn, qmail
from tests.mail.scripted import ScriptedSmtp
from tests.service.test_bounces import address, come_back, second, sent
from tests.service.world import AOI, BEN, World, counts, headline, said


def notes(world: World, who: str = BEN, name: str = "Aoi") -> int:
    """Count the letters that tell somebody of another's trouble."""
    return sum(f"Letters to {name} do not arrive" in said(letter) for letter in world.letters(who))


@pytest.mark.parametrize("report", [dsn(), qmail])
def test_the_others_are_told_that_letters_to_somebody_do_not_arrive(world: World, report: Report) -> None:
    """Neither to which address nor why."""
    world.game()
    sent(world)
    come_back(world, report)
    assert headline(world.newest(BEN)).startswith("Letters to Aoi do not arrive at present.")
    for secret in (AOI, "5.1.1", "No such user", "no such user", "MAILER-DAEMON"):
        assert secret not in world.newest(BEN).as_string()
        assert secret not in world.text(BEN)


def test_they_are_told_in_their_language(world: World) -> None:
    world.game()
    world.reply(BEN, "lang ja")
    sent(world)
    come_back(world, dsn())
    assert "現在、Aoiさんへのメールが届かない状態です。" in world.text(BEN)


def test_they_are_told_once_for_each_trouble(world: World) -> None:
    world.game()
    start = world.newest(AOI)
    sent(world)
    come_back(world, dsn())
    world.sleep(minutes=5)
    world.reply(AOI, "5", start)
    world.reply(BEN, "1")
    assert notes(world) == 1
    sent(world)
    come_back(world, dsn())
    assert notes(world) == 2


def test_while_the_trouble_lasts_nothing_more_is_said_of_it(world: World) -> None:
    world.game()
    sent(world)
    come_back(world, dsn(), BEN)
    world.sleep(minutes=5)
    world.reply(AOI, "5")
    world.sleep(hours=45)
    world.settle()
    assert notes(world, AOI, "Ben") == 1


def test_of_a_letter_that_found_another_address_nobody_hears(world: World) -> None:
    world.game()
    second(world, AOI, "aoi@elsewhere.test")
    sent(world)
    come_back(world, dsn())
    assert notes(world) == 0


def test_a_full_mailbox_is_no_trouble_until_it_has_been_full_for_long(world: World) -> None:
    for number in range(1, MOST_SOFT + 1):
        world.game()
        sent(world)
        come_back(world, dsn("5.2.2", diagnostic="552 Mailbox full"))
        assert notes(world) == (number == MOST_SOFT)


def test_only_the_game_whose_letter_came_back_hears_of_it_at_once(world: World) -> None:
    """Else whoever sits in two games would learn by which names one person plays."""
    world.game()
    world.game()
    sent(world)
    come_back(world, dsn())
    assert notes(world) == 1


def test_where_sealed_orders_are_given_the_news_waits_for_the_next_phase(world: World) -> None:
    """The letter that came back may be the answer to a sealed order, or the reminder of one that lacks."""
    world.game("guess")
    wrong = next(card for card in "1234" if not any(f"card {card}" in world.text(who) for who in (AOI, BEN)))
    world.reply(AOI, wrong)
    sent(world)
    come_back(world, dsn())
    assert (counts(world), notes(world)) == ((2, 1), 0)
    world.reply(BEN, wrong)
    assert notes(world) == 1


def test_where_nobody_learns_who_says_what_nobody_is_told(world: World) -> None:
    world.game(press="anonymous")
    sent(world)
    come_back(world, dsn())
    world.reply(BEN, "help")
    assert address(world).state == "bouncing"
    assert notes(world) == 0


def refuse(world: World, *replies: str) -> None:
    """Let our own mail server answer so to the recipients of the letters that wait, in their order."""
    with ScriptedSmtp({"rcpt": list(replies)}) as server:
        account, in_order = Account.parse(f"smtp://127.0.0.1:{server.port}"), Limits(connections=1)
        send(world.office, SmtpPostman(account, timeout=5.0, limits=in_order), "here")


def test_a_refusal_by_our_own_server_is_told_when_a_reminder_is_due(world: World) -> None:
    world.game()
    refuse(world, "550 5.1.1 No such user")
    assert address(world).state == "bouncing"
    assert notes(world) == 0
    world.sleep(hours=45)
    world.settle()
    assert notes(world) == 1


def test_a_refusal_by_our_own_server_is_told_with_the_next_phase(world: World) -> None:
    world.game()
    refuse(world, "250 2.1.5 Ok", "550 5.1.1 No such user")
    assert address(world, BEN).state == "bouncing"
    world.reply(AOI, "5")
    assert notes(world, AOI, "Ben") == 1


def test_who_wants_urgent_letters_only_is_not_told(world: World) -> None:
    world.game()
    world.reply(BEN, "stop")
    sent(world)
    come_back(world, dsn())
    assert notes(world) == 0


def test_a_game_that_is_over_tells_nothing(world: World) -> None:
    world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    sent(world)
    come_back(world, dsn())
    assert notes(world) == 0
