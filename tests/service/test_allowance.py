"""How many letters may go out: the limits of the account, and its server's refusals."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import repeat

import pytest
from sqlmodel import col, select

from corr.core.page import Kind
from corr.mail.account import Account
from corr.mail.presets import Limits
from corr.mail.smtp import SmtpPostman
from corr.service.send import send
from corr.store.claim import UNHURRIED, claim_outbox
from corr.store.tables import Outbox
from tests.mail.scripted import ScriptedSmtp
from tests.service.world import World

QUOTA = "550 5.4.5 Daily user sending limit exceeded"


def deliver(world: World, server: ScriptedSmtp) -> list[str]:
    """Send what is due over one connection, and return how each delivery ended."""
    account = Account.parse(f"smtp://127.0.0.1:{server.port}")
    postman = SmtpPostman(account, timeout=5.0, limits=Limits(connections=1))
    return [end.status for end in send(world.office, postman, "here")]


def test_when_the_quota_is_used_up_the_whole_account_pauses_for_an_hour(world: World) -> None:
    """A letter that is written meanwhile waits too, and none has used up an attempt."""
    world.game()
    with ScriptedSmtp({"rcpt": [QUOTA]}) as server:
        assert deliver(world, server) == ["deferred", "deferred"]
        world.game()
        for _ in range(2):
            assert deliver(world, server) == []
            world.sleep(minutes=30)
        assert deliver(world, server) == ["sent"] * 4
    assert [row.attempts for row in world.outbox()] == [1] * 4


def test_a_quota_that_lasts_longer_than_five_days_costs_no_letter(world: World) -> None:
    world.game()
    with ScriptedSmtp({"mail": repeat(QUOTA)}) as server:
        for _ in range(6):
            assert set(deliver(world, server)) == {"deferred"}
            world.sleep(days=1)
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent", "sent"]


def test_who_sends_too_fast_pauses_for_five_minutes(world: World) -> None:
    world.game()
    with ScriptedSmtp({"rcpt": ["421 4.7.0 Try again later, closing connection"]}) as server:
        deliver(world, server)
        world.sleep(minutes=4, seconds=59)
        assert deliver(world, server) == []
        world.sleep(seconds=1)
        assert deliver(world, server) == ["sent", "sent"]


def test_a_letter_that_is_greylisted_holds_up_no_other(world: World) -> None:
    world.game()
    with ScriptedSmtp({"rcpt": ["450 4.2.0 Greylisted"]}) as server:
        assert sorted(deliver(world, server)) == ["deferred", "sent"]
        world.game()
        assert deliver(world, server) == ["sent", "sent"]


def test_a_server_that_is_down_for_a_week_costs_no_letter(world: World) -> None:
    world.game()
    with ScriptedSmtp() as server:
        pass
    for _ in range(40):
        assert set(deliver(world, server)) == {"deferred"}
        world.sleep(hours=5)
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent", "sent"]


@pytest.mark.parametrize(
    ("limits", "hours"),
    [(Limits(per_day=3), 24), (Limits(per_hour=3), 1), (Limits(per_hour=9, per_day=3), 24)],
)
def test_no_more_go_out_within_a_span_than_the_account_may_send(
    world: World, limits: Limits, hours: int
) -> None:
    """What was sent is read from the outbox: another process knows it as well."""
    world.office = replace(world.office, limits=limits)
    world.game()
    world.game()
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent"] * 3
        assert deliver(world, server) == []
        world.sleep(hours=hours, seconds=-1)
        assert deliver(world, server) == []
        world.sleep(seconds=1)
        assert deliver(world, server) == ["sent"]


def test_a_batch_takes_half_a_minute_at_the_pace_of_the_account(world: World) -> None:
    world.office = replace(world.office, limits=Limits(per_minute=6))
    world.game()
    world.game()
    with ScriptedSmtp() as server:
        assert deliver(world, server) == ["sent"] * 3


def test_letters_for_whose_reader_a_clock_runs_go_out_first(world: World) -> None:
    """Of what waits, talk goes last, though it has waited longest."""
    world.game()
    world.game()
    with world.office.database.session() as session:
        talk = session.exec(select(Outbox).order_by(col(Outbox.id))).first()
        assert talk is not None
        talk.kind = Kind.TALK.value
    world.office = replace(world.office, limits=Limits(per_day=3))
    with ScriptedSmtp() as server:
        deliver(world, server)
    assert [row.kind for row in world.outbox() if row.status != "sent"] == ["talk"]


@pytest.mark.parametrize("kind", UNHURRIED)
def test_what_no_clock_waits_for_goes_last_whatever_else_its_kind_tells(world: World, kind: str) -> None:
    """A kind may name more behind a point: the post of a letter of talk, the question of an invitation."""
    world.game()
    with world.office.database.session() as session:
        first = session.exec(select(Outbox).order_by(col(Outbox.id))).first()
        assert first is not None
        first.kind = f"{kind}.7"
    world.sleep(minutes=1)
    with world.office.database.session() as session:
        later = world.now + timedelta(minutes=1)
        letters = claim_outbox(session, world.now, later, 10, "here")
        kinds = [session.get_one(Outbox, letter.id).kind for letter in letters]
    assert kinds == ["start", f"{kind}.7"]
