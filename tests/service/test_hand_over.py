"""A seat changes hands: other marks, the same game."""

from __future__ import annotations

import pytest

from corr.service.hand_over import hand_over
from corr.service.lobby import Invited
from engines.api import Problem
from tests.service.ledger import ledger, open_asks, sent_since
from tests.service.world import ADDRESS, AOI, BEN, World, headline

CAROL = "carol@players.test"


def hand(
    world: World, code: str, seat: str = "Aoi", to: tuple[str, str] = ("Carol", CAROL)
) -> Problem | None:
    return hand_over(world.office, code, seat, Invited(*to), "she is ill")


def test_the_new_holder_gets_position_and_history_and_plays(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5")
    world.reply(BEN, "1")
    before = len(world.outbox())
    assert hand(world, code) is None
    assert sorted(sent_since(world, before)) == [(AOI, "note"), (BEN, "note"), (CAROL, "note")]
    text = world.text(CAROL)
    for told in ("take over the seat of Aoi", "Aoi took cell 5", "Ben took cell 1", "fingerprint (SHA-256)"):
        assert told.replace("Aoi took", "Carol took") in text
    assert world.reply(CAROL, "9").status == "done"
    assert "Carol took cell 9." in world.text(BEN)


def test_a_secret_history_goes_to_the_new_holder_alone(world: World) -> None:
    """It is told anew from the facts, as the seat may know them."""
    code = world.game("guess")
    world.reply(AOI, "3")
    assert hand(world, code) is None
    assert "3" in world.text(CAROL).partition("The game so far")[2].partition("==")[2][:200]
    assert "The game so far" not in world.text(BEN)


def test_the_old_holder_hears_why_and_the_others_only_who(world: World) -> None:
    code = world.game()
    hand(world, code)
    assert "she is ill" in headline(world.newest(AOI))
    assert "Carol now plays in place of Aoi." in headline(world.newest(BEN))
    assert all("she is ill" not in world.text(who) for who in (BEN, CAROL))
    for who, others in ((AOI, (BEN, CAROL)), (BEN, (AOI, CAROL)), (CAROL, (AOI, BEN))):
        assert all(other.encode() not in row.raw for row in world.outbox(who) for other in others)


def test_old_marks_end_and_a_tenure_says_from_when(world: World) -> None:
    code = world.game()
    hand(world, code)
    tenures = [row for row in ledger(world)["tenures"] if row["seat"] == 1]
    old, new = tenures
    assert (old["to_at"], new["from_at"], new["to_at"]) == (world.now, world.now, None)
    assert old["key"] != new["key"]
    assert (new["from_seq"], new["reason"]) == (1, "she is ill")
    (audit,) = ledger(world)["audit"]
    assert (audit["act"], audit["reason"], audit["before"]["seat"]) == ("hand-over", "she is ill", 1)
    world.reply(AOI, "5", world.letters(AOI)[0])
    assert len(world.events(code)) == 1


def test_questions_of_the_old_holder_end_with_him(world: World) -> None:
    code = world.game()
    world.reply(AOI, "draw\nresign")
    world.post(world.written("eve@elsewhere.test", "5", world.letters(AOI)[0]))
    world.settle()
    assert len(open_asks(world)) == 3
    hand(world, code)
    assert open_asks(world) == []


def test_a_seat_handed_to_its_own_holder_gets_a_new_key(world: World) -> None:
    """What to do when somebody has forwarded a letter."""
    code = world.game()
    leaked, before = world.newest(AOI), len(world.outbox())
    assert hand(world, code, to=("Aoi", AOI)) is None
    assert sent_since(world, before) == [(AOI, "note")]
    world.reply("eve@elsewhere.test", "5", leaked)
    assert len(world.outbox(AOI)) == 2
    assert world.reply(AOI, "5").status == "done"


@pytest.mark.parametrize(
    ("seat", "to", "key"),
    [
        ("Nobody", ("Carol", CAROL), "lobby.no-seat"),
        ("1", ("Ben", CAROL), "lobby.name-twice"),
        ("1", ("Carol", BEN.upper()), "lobby.address-twice"),
        ("1", ("Carol", "carol"), "lobby.bad-address"),
        ("1", ("Carol", ADDRESS), "lobby.own-address"),
        ("1", ("Carol\nBcc: x", CAROL), "lobby.bad-name"),
    ],
)
def test_who_cannot_sit_there_is_refused(world: World, seat: str, to: tuple[str, str], key: str) -> None:
    code = world.game()
    before = ledger(world)
    problem = hand(world, code, seat, to)
    assert problem is not None
    assert problem.key == key
    assert ledger(world) == before


def test_a_name_that_is_the_number_of_the_other_seat_is_asked_back(world: World) -> None:
    """A master finds a seat as a player does; which one is meant must be plain."""
    code = world.game(seats=(("2", AOI), ("Ben", BEN)))
    before = ledger(world)
    problem = hand(world, code, "2")
    assert problem is not None
    assert (problem.key, problem.values) == ("lobby.seat-unclear", {"code": code, "seat": "2"})
    assert ledger(world) == before
    assert hand(world, code, "ｂｅｎ") is None


def test_only_a_running_game_has_seats_to_give(world: World) -> None:
    code = world.game(at_once=False)
    for asked, key in ((code, "lobby.not-running"), ("ZZZZ", "lobby.no-game")):
        problem = hand(world, asked)
        assert problem is not None
        assert problem.key == key
