"""What the doctor says of letters and addresses."""

from __future__ import annotations

from sqlmodel import select

from corr.mail.presets import PRESETS, Limits
from corr.service.checkup import checkup
from corr.service.roundtrip import Finding
from corr.store.tables import Address
from tests.mail.scripted import ScriptedSmtp
from tests.service.test_send import deliver
from tests.service.world import AOI, World


def found(world: World, limits: Limits = PRESETS["gmail"].limits) -> dict[str, Finding]:
    with world.office.database.session() as session:
        return {one.check: one for one in checkup(session, "gmail", limits, "corr.test", world.now)}


def test_it_tells_the_preset_its_limits_and_what_has_been_sent(world: World) -> None:
    world.game()
    with ScriptedSmtp() as server:
        deliver(world, server)
    world.sleep(hours=2)
    assert found(world)["sending"] == Finding(
        "sending",
        True,
        "gmail: at most 20 a minute, 450 a day; 0 sent within an hour, 2 within 24 hours",
    )


def test_it_tells_that_a_limit_is_used_up(world: World) -> None:
    world.game()
    with ScriptedSmtp() as server:
        deliver(world, server)
    for limits in (Limits(per_day=2), Limits(per_hour=2)):
        sending = found(world, limits)["sending"]
        assert not sending.well
        assert "the limit is used up" in sending.detail


def test_it_tells_that_the_provider_takes_no_more(world: World) -> None:
    world.game()
    with ScriptedSmtp({"mail": ["550 5.4.5 Daily user sending limit exceeded"] * 2}) as server:
        deliver(world, server)
    sending = found(world)["sending"]
    assert not sending.well
    assert "all letters wait until 2026-03-02 13:00 UTC" in sending.detail


def test_it_counts_the_letters_that_wait_and_asks_for_the_daemon_when_they_wait_long(world: World) -> None:
    world.game()
    world.post(world.written(AOI, "5"))
    assert found(world)["letters"] == Finding("letters", True, "2 to be sent, 1 to be read")
    world.sleep(hours=1, seconds=1)
    letters = found(world)["letters"]
    assert not letters.well
    assert "the oldest since 2026-03-02 12:00 UTC: does `corr serve` run?" in letters.detail


def test_it_names_the_addresses_from_which_letters_come_back(world: World) -> None:
    world.game()
    assert found(world)["addresses"].detail == "letters come back from none"
    with world.office.database.session() as session:
        session.exec(select(Address).where(Address.address == AOI)).one().state = "bouncing"
    assert "letters come back from aoi@players.test (Aoi)" in found(world)["addresses"].detail


def test_it_tells_what_players_at_japanese_carriers_must_allow_where_there_are_some(world: World) -> None:
    assert "carriers" not in found(world)
    seats = [("Chika", "chika@docomo.ne.jp"), ("Dan", "dan@i.softbank.jp")]
    world.wish(seats=seats, at_once=True)
    carriers = found(world)["carriers"].detail
    assert "players at docomo, SoftBank: let them allow corr.test" in carriers
    assert "_dmarc.corr.test" in carriers
