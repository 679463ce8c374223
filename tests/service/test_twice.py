"""The same letter twice has one effect."""

from __future__ import annotations

from email.policy import SMTP

import pytest
from sqlmodel import col, select

from corr.store.tables import Address, Outbox
from tests.service.world import AOI, BEN, World, counts


def sent(world: World) -> None:
    """Let everything in the outbox have been sent."""
    with world.office.database.session() as session:
        for row in session.exec(select(Outbox).where(col(Outbox.status) == "queued")):
            row.status, row.sent_at, row.attempts = "sent", world.now, 1
            row.data_started_at = world.now


@pytest.mark.parametrize("words", ["5", "12", "help", "resign"])
def test_the_same_letter_twice_has_one_effect_and_its_first_answer_is_sent_again(
    world: World, words: str
) -> None:
    code = world.game()
    raw = world.written(AOI, words).as_bytes(policy=SMTP)
    world.receive(raw)
    world.settle()
    sent(world)
    before, events = world.outbox(), len(world.events(code))
    number = world.receive(raw)
    world.settle()
    again = world.inbound(number)
    assert (again.status, again.rules_hit) == ("ignored", "repeated")
    assert len(world.events(code)) == events
    after = world.outbox()
    assert [row.message_id for row in after] == [row.message_id for row in before]
    (queued,) = [row for row in after if row.status == "queued"]
    assert (queued.address, queued.raw) == (AOI, before[queued.id - 1].raw)
    assert (queued.in_reply_to, queued.data_started_at) == (world.inbound(number).message_id, None)


def test_an_answer_that_has_not_left_yet_is_not_queued_twice(world: World) -> None:
    world.game()
    raw = world.written(AOI, "5").as_bytes(policy=SMTP)
    world.receive(raw)
    world.receive(raw)
    world.settle()
    assert counts(world) == (2, 2)


def test_the_answer_is_found_that_went_to_another_address_of_the_writer(world: World) -> None:
    world.game()
    with world.office.database.session() as session:
        aoi = session.exec(select(Address).where(col(Address.address) == AOI)).one()
        second = Address(
            player_id=aoi.player_id,
            address="aoi@work.test",
            verified_at=world.now,
            created_at=world.now,
        )
        session.add(second)
    raw = world.written("aoi@work.test", "5", world.newest(AOI)).as_bytes(policy=SMTP)
    world.receive(raw)
    world.settle()
    assert "Taken: 5" in world.text(AOI)
    sent(world)
    world.receive(raw)
    world.settle()
    assert [row.address for row in world.outbox() if row.status == "queued"] == [AOI]


def test_the_same_message_id_with_other_words_is_another_letter(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    first, second = world.written(AOI, "48-26"), world.written(AOI, "28-46")
    second.replace_header("Message-ID", first["Message-ID"])
    world.post(first)
    world.post(second)
    world.settle()
    assert [event.words for event in world.events(code)][1:] == ["48-26", "28-46"]


def test_a_copy_that_the_next_hop_changed_only_on_the_way_is_the_same_letter(world: World) -> None:
    code = world.game()
    letter = world.written(AOI, "5")
    world.post(letter)
    letter["Received"] = "from elsewhere by here"
    world.post(letter)
    world.settle()
    assert len(world.events(code)) == 2
    assert counts(world) == (2, 2)


def test_the_same_words_in_a_letter_of_its_own_are_judged_anew(world: World) -> None:
    world.game()
    letter = world.newest(AOI)
    world.reply(AOI, "5", letter)
    assert world.reply(AOI, "5", letter).problem == "timing.stale"
    assert counts(world) == (3, 2)


def test_of_two_copies_that_wait_at_once_the_older_one_counts(world: World) -> None:
    world.game()
    raw = world.written(BEN, "help").as_bytes(policy=SMTP)
    numbers = [world.receive(raw), world.receive(raw)]
    world.settle()
    assert [world.inbound(number).status for number in numbers] == ["done", "ignored"]
