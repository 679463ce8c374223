"""No letter is in the hands of two senders, however slow one of them is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from corr.daemon.loop import worker_name
from corr.mail.account import Account
from corr.mail.presets import Limits
from corr.mail.smtp import Delivery, Envelope, SmtpPostman
from corr.service.send import LEASE, send
from corr.store.claim import Claimed, claim_outbox
from tests.kill.house import House
from tests.mail.scripted import ScriptedSmtp
from tests.service.conftest import frozen, world
from tests.service.world import AOI, BEN, World

__all__ = ["frozen", "world"]


class Slow(SmtpPostman):
    """A postman with one connection, for whom something happens before each text."""

    def __init__(self, server: ScriptedSmtp, before: Callable[[], None]) -> None:
        account = Account.parse(f"smtp://127.0.0.1:{server.port}")
        super().__init__(account, timeout=5.0, limits=Limits(connections=1))
        self._before = before

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
    ) -> None:
        def start(letter: int) -> None:
            self._before()
            starting(letter)

        super().deliver(envelopes, start, done)


def stolen(world: World) -> list[Claimed]:
    """Let another worker look for letters, and return what it got."""
    with world.office.database.session() as session:
        return claim_outbox(session, world.now, world.now + LEASE, 50, "another")


def test_what_waits_behind_slow_letters_is_not_taken_by_another_worker(world: World) -> None:
    """Four letters, each as slow as a lease allows: the last is due long after the first lease."""
    world.game()
    world.reply(AOI, "5")

    def minutes_pass() -> None:
        world.frozen.tick(LEASE - timedelta(seconds=1))
        assert stolen(world) == []

    with ScriptedSmtp() as server:
        ends = send(world.office, Slow(server, minutes_pass), "slow")
        assert [end.status for end in ends] == ["sent"] * 4
        assert len(set(server.letters)) == len(server.letters) == 4


def test_a_worker_that_slept_through_its_lease_leaves_the_letters_to_who_has_taken_them(world: World) -> None:
    world.game()
    taken: list[Claimed] = []

    def sleep() -> None:
        world.frozen.tick(LEASE)
        taken.extend(stolen(world))

    with ScriptedSmtp() as server:
        assert send(world.office, Slow(server, sleep), "sleeper") == []
        assert server.letters == []
    assert {row.address for row in taken} == {AOI, BEN}
    assert {(row.status, row.leased_by, row.data_started_at) for row in world.outbox()} == {
        ("sending", "another", None)
    }


def test_what_was_sent_before_the_sleep_is_recorded_all_the_same(world: World) -> None:
    """Its end is written with the start of the next letter, or, when that is another's, alone."""
    world.game()
    nights = iter([timedelta(), LEASE])

    def sleep() -> None:
        world.frozen.tick(next(nights))
        stolen(world)

    with ScriptedSmtp() as server:
        assert [end.status for end in send(world.office, Slow(server, sleep), "sleeper")] == ["sent"]
    assert [(row.status, row.leased_by) for row in world.outbox()] == [("sent", None), ("sending", "another")]


def test_no_two_batches_are_leased_under_one_name(house: House) -> None:
    """Else a process would keep what one of the same number had in its hands when it was killed."""
    assert len({worker_name(house.server) for _ in range(100)}) == 100
