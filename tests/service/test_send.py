"""Letters leave the outbox, over real SMTP."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import repeat

import pytest
from sqlmodel import col, select

from corr.core import marks
from corr.mail.account import Account
from corr.mail.presets import Limits
from corr.mail.smtp import Delivery, Envelope, SmtpPostman
from corr.service.send import LEASE, send
from corr.store.claim import claim_outbox
from corr.store.tables import Outbox
from tests.mail.scripted import Act, ScriptedSmtp
from tests.service.world import AOI, BEN, World


def deliver(world: World, server: ScriptedSmtp) -> list[str]:
    """Send what is due, and return how each delivery ended."""
    return [end.status for end in send(world.office, postman(server), "here")]


def postman(server: ScriptedSmtp) -> SmtpPostman:
    return SmtpPostman(Account.parse(f"smtp://127.0.0.1:{server.port}"), timeout=5.0)


def received(server: ScriptedSmtp) -> list[bytes]:
    """Return the letters without the points that SMTP puts before points (RFC 5321, 4.5.2)."""
    return [re.sub(rb"^\.\.", b".", letter, flags=re.MULTILINE) for letter in server.letters]


def stored(world: World) -> list[tuple[str, str]]:
    return [(row.address, row.status) for row in world.outbox()]


def test_every_letter_is_sent_once_from_an_address_of_its_own(world: World) -> None:
    """That address says which letter came back; it gives no right, and counts nothing that others get."""
    code = world.game()
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent", "sent"]
        assert deliver(world, server) == []
    assert stored(world) == [(AOI, "sent"), (BEN, "sent")]
    senders = sorted(command for command in server.commands if command.startswith("MAIL"))
    for seat, sender in enumerate(senders, 1):
        assert re.fullmatch(rf"MAIL FROM:<play\+bounce\.{code}-1-{seat}-1-[a-z2-7]{{20}}@corr\.test>", sender)
    assert not list(marks.find(senders))
    assert sorted(received(server)) == sorted(row.raw for row in world.outbox())
    row = world.outbox()[0]
    assert (row.sent_at, row.attempts, row.last_code, row.leased_by) == (world.now, 1, 250, None)


def test_a_letter_is_not_due_before_its_time(world: World) -> None:
    world.game()
    with world.office.database.session() as session:
        for row in session.exec(select(Outbox)):
            row.due_at = world.now + timedelta(minutes=1)
    with ScriptedSmtp() as server:
        assert deliver(world, server) == []
        world.sleep(minutes=1)
        assert deliver(world, server) == ["sent", "sent"]


def test_a_letter_that_is_put_off_goes_out_later_and_later(world: World) -> None:
    world.game()
    delays: list[timedelta] = []
    with ScriptedSmtp({"rcpt": repeat("451 4.3.0 Try again later")}) as server:
        for _ in range(4):
            deliver(world, server)
            row = world.outbox(AOI)[0]
            assert (row.status, row.last_code) == ("deferred", 451)
            delays.append(row.due_at - world.now)
            assert deliver(world, server) == []
            world.frozen.move_to(row.due_at)
    assert delays == [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60)]
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent", "sent"]
    assert [row.attempts for row in world.outbox()] == [5, 5]


def test_a_letter_that_the_server_refuses_for_good_is_not_tried_again(world: World) -> None:
    world.game()
    with ScriptedSmtp({"rcpt": ["550 5.1.1 No such user"]}) as server:
        assert sorted(deliver(world, server)) == ["failed", "sent"]
        world.sleep(days=10)
        assert deliver(world, server) == []
    assert Counter(row.status for row in world.outbox()) == {"failed": 1, "sent": 1}


def test_without_a_server_everything_waits(world: World) -> None:
    world.game()
    with ScriptedSmtp() as server:
        gone = postman(server)
    assert [end.status for end in send(world.office, gone, "here")] == ["deferred", "deferred"]
    world.sleep(minutes=1)
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent", "sent"]


def test_a_delivery_of_unknown_end_is_tried_once_more_with_the_same_bytes(world: World) -> None:
    world.game()
    one_letter(world)
    with ScriptedSmtp({"text": [Act.HANG_UP]}) as server:
        assert deliver(world, server) == ["unknown"]
        world.sleep(minutes=9, seconds=59)
        assert deliver(world, server) == []
        world.sleep(seconds=1)
        assert deliver(world, server) == ["sent"]
        assert received(server) == [world.outbox(AOI)[0].raw]
        world.sleep(days=1)
        assert deliver(world, server) == []


def test_a_delivery_of_which_the_end_is_unknown_twice_is_left_to_a_human(world: World) -> None:
    world.game()
    one_letter(world)
    with ScriptedSmtp({"text": [Act.HANG_UP, Act.HANG_UP]}) as server:
        deliver(world, server)
        world.sleep(minutes=10)
        assert deliver(world, server) == ["unknown"]
        world.sleep(days=10)
        assert deliver(world, server) == []
    assert world.outbox(AOI)[0].status == "failed"


def test_what_a_dead_sender_had_leased_goes_out_when_the_lease_is_over(world: World) -> None:
    world.game()
    with world.office.database.session() as session:
        assert len(claim_outbox(session, world.now, world.now + LEASE, 50, "dead")) == 2
    with ScriptedSmtp() as server:
        world.sleep(seconds=LEASE.total_seconds() - 1)
        assert deliver(world, server) == []
        world.sleep(seconds=1)
        assert deliver(world, server) == ["sent", "sent"]


def test_what_a_dead_sender_had_begun_to_send_is_unknown_and_sent_once_more(world: World) -> None:
    world.game()
    one_letter(world)
    with world.office.database.session() as session:
        (letter,) = claim_outbox(session, world.now, world.now + LEASE, 50, "dead")
        session.get_one(Outbox, letter.id).data_started_at = world.now
    with ScriptedSmtp() as server:
        world.sleep(seconds=LEASE.total_seconds())
        assert deliver(world, server) == []
        assert world.outbox(AOI)[0].status == "unknown"
        world.sleep(minutes=10)
        assert deliver(world, server) == ["sent"]


class Dies(SmtpPostman):
    """A postman whose process dies after so many letters."""

    letters = 1

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
    ) -> None:
        left = iter(range(self.letters))

        def dying(end: Delivery) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            done(end)

        super().deliver(envelopes, starting, dying)


def test_a_sender_that_dies_in_a_batch_leaves_the_rest_to_the_next_and_repeats_at_most_one(
    world: World,
) -> None:
    world.game()
    world.reply(AOI, "5")
    with ScriptedSmtp() as server:
        with pytest.raises(KeyboardInterrupt):
            send(
                world.office,
                Dies(Account.parse(f"smtp://127.0.0.1:{server.port}"), limits=Limits(connections=1)),
                "dying",
            )
        assert Counter(row.status for row in world.outbox()) == {"sent": 1, "sending": 3}
        assert deliver(world, server) == []
        world.sleep(seconds=LEASE.total_seconds())
        assert deliver(world, server) == ["sent", "sent"]
        world.sleep(minutes=10)
        assert deliver(world, server) == ["sent"]
    assert sorted(Counter(server.letters).values()) == [1, 1, 1, 2]


def one_letter(world: World) -> None:
    """Leave only Aoi's letter to be sent."""
    with world.office.database.session() as session:
        for row in session.exec(select(Outbox).where(col(Outbox.address) != AOI)):
            row.status = "dropped"
