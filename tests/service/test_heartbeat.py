"""corr writes to itself, and tells the operator once when that does not come back: over real servers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlmodel import select

from corr.demo.clients import text_of
from corr.demo.player import MailHost
from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.smtp import SmtpPostman
from corr.service.fetch import fetch
from corr.service.heartbeat import DEAF_AFTER, PATIENCE, Heart
from corr.service.receive import work
from corr.store.tables import Inbound
from tests.service.world import ADDRESS, World

OPERATOR = "ops@operator.test"


class Watched:
    """An office whose inbox is watched, with mail servers and an operator who reads mail."""

    def __init__(self, world: World, servers: EmbeddedServers) -> None:
        self.world = world
        self.host = MailHost(servers.imap_port, servers.smtp_port, "secret")
        self.postman = SmtpPostman(Account.parse(f"smtp://127.0.0.1:{servers.smtp_port}"), timeout=5.0)
        self.heart = Heart(world.office, self.postman, OPERATOR, timedelta(hours=6), DEAF_AFTER)
        self.seen = world.now

    def beat(self, *, reading: bool = True, thief: bool = False) -> None:
        """Let the inbox be read, unless a *thief* takes the letters first, and look at it."""
        if thief:
            self.take(ADDRESS)
        if reading:
            with self.host.inbox(ADDRESS) as inbox:
                fetch(self.world.office, inbox, "play")
            while work(self.world.office):
                pass
            self.seen = self.world.now
        self.heart.beat(self.seen)

    def beats(self, minutes: float, *, reading: bool = True, thief: bool = False) -> None:
        """Let time go by in steps of ten minutes."""
        for _ in range(int(minutes // 10)):
            self.world.sleep(minutes=10)
            self.beat(reading=reading, thief=thief)

    def take(self, address: str) -> list[EmailMessage]:
        """Take everything out of a mailbox."""
        found: list[EmailMessage] = []
        with self.host.inbox(address) as inbox:
            for batch in inbox.leftovers():
                inbox.file([arrival.uid for arrival in batch])
                found += [message_from_bytes(arrival.raw, policy=default) for arrival in batch]
        return found

    def told(self) -> list[EmailMessage]:
        """Return what has come to the operator since the last time."""
        return self.take(OPERATOR)

    def stored(self) -> int:
        with self.world.office.database.session() as session:
            return len(session.exec(select(Inbound)).all())


@pytest.fixture
def watched(world: World) -> Iterator[Watched]:
    with EmbeddedServers(("corr.test", "operator.test"), "secret") as servers:
        yield Watched(world, servers)


def test_heartbeats_come_back_are_answered_by_nobody_and_leave_nothing_behind(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "corr"):
        watched.beat()
        watched.beats(13 * 60)
    assert (watched.stored(), watched.world.outbox(), watched.told()) == (0, [], [])
    assert not caplog.records


def test_a_heartbeat_goes_out_every_six_hours(watched: Watched) -> None:
    letters = 0
    for _ in range(2):
        watched.beat(reading=False)
        letters += len(watched.take(ADDRESS))
        watched.world.sleep(hours=6)
        watched.seen = watched.world.now
    assert letters == 2


def test_when_another_program_takes_the_letters_the_operator_hears_of_it_once_and_once_of_its_end(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    watched.beat()
    watched.beats(PATIENCE / timedelta(minutes=1), thief=True)
    assert watched.told() == []
    watched.beats(180, thief=True)
    (alarm,) = watched.told()
    assert "letters do not come in" in str(alarm["Subject"])
    assert alarm["Auto-Submitted"] == "auto-generated"
    assert "`corr doctor --send`" in text_of(alarm)
    assert "メールも届いていないおそれがあります" in text_of(alarm)
    watched.beats(60)
    (relief,) = watched.told()
    assert "come in again" in str(relief["Subject"])
    watched.beats(13 * 60)
    assert watched.told() == []
    assert sum(record.levelname == "ERROR" for record in caplog.records) == 1
    assert watched.stored() == 0


def test_when_the_inbox_cannot_be_read_the_operator_hears_of_it_once_and_once_of_its_end(
    watched: Watched,
) -> None:
    watched.beat()
    watched.beats(120, reading=False)
    (alarm,) = watched.told()
    assert "the inbox cannot be read" in str(alarm["Subject"])
    watched.beats(60)
    (relief,) = watched.told()
    assert "come in again" in str(relief["Subject"])


def test_an_alarm_that_cannot_be_sent_is_sent_later_unless_all_is_well_by_then(watched: Watched) -> None:
    good, watched.heart.postman = watched.postman, SmtpPostman(Account.parse("smtp://127.0.0.1:9"))
    watched.beats(60, reading=False)
    watched.heart.postman = good
    watched.beats(10, reading=False)
    assert len(watched.told()) == 1
    watched.beats(60)
    assert len(watched.told()) == 1
    watched.heart.postman = SmtpPostman(Account.parse("smtp://127.0.0.1:9"))
    watched.beats(60, reading=False)
    watched.beats(60)
    watched.heart.postman = good
    watched.beats(60)
    assert watched.told() == []


def test_heartbeats_of_a_former_process_are_taken_out_too(watched: Watched) -> None:
    watched.beat()
    watched.heart = Heart(watched.world.office, watched.postman, OPERATOR, timedelta(hours=6), DEAF_AFTER)
    watched.beats(20)
    assert watched.stored() == 0
