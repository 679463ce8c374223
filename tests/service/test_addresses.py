"""Several addresses of one player: added by a yes from there, and never told to anybody."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from corr.service.addresses import MOST_ASKED
from tests.service.ledger import ledger, sent_since
from tests.service.world import ADDRESS, AOI, BEN, World, headline

WORK = "aoi@work.test"
EVE = "eve@elsewhere.test"


def addresses(world: World) -> list[tuple[str, bool]]:
    """Return every verified address, and whether letters go there."""
    rows = ledger(world)["addresses"]
    return [(row["address"], row["is_primary"]) for row in rows if row["verified_at"]]


FIRST = [(AOI, True), (BEN, True)]


def added(world: World, who: str = WORK) -> EmailMessage:
    """Let Aoi add an address; returns the letter that went there."""
    world.reply(AOI, f"address add {who}")
    return world.newest(who)


def test_a_yes_from_there_adds_an_address(world: World) -> None:
    code = world.game()
    before = len(world.outbox())
    world.reply(AOI, f"address add {WORK}")
    assert sent_since(world, before) == [(WORK, "question.address"), (AOI, "answer")]
    assert "Is this address yours, Aoi?" in headline(world.newest(WORK))
    assert addresses(world) == FIRST
    world.reply(WORK, "yes")
    assert sent_since(world, before)[2:] == [(WORK, "note"), (AOI, "note")]
    assert addresses(world) == [*FIRST, (WORK, False)]
    number = world.post(world.written(WORK, "5", world.newest(AOI)))
    world.settle()
    assert world.inbound(number).rules_hit == "holder"
    assert len(world.events(code)) == 2
    assert "Taken: 5" in world.text(AOI)
    assert len(world.outbox(WORK)) == 2


def test_it_works_in_japanese(world: World) -> None:
    world.game(locale="ja")
    world.reply(AOI, f"アドレス追加　{WORK}")
    assert "7日以内に「はい」とお答え" in world.text(WORK)
    world.reply(WORK, "はい")
    assert addresses(world) == [*FIRST, (WORK, False)]
    world.reply(AOI, f"アドレス削除 {WORK}")
    assert addresses(world) == FIRST


def test_what_programs_make_of_an_address_is_read(world: World) -> None:
    world.game()
    world.reply(AOI, "address add Aoi@Work.test <mailto:Aoi@Work.test>.")
    world.reply(WORK, "Yes, please!")
    assert addresses(world) == [*FIRST, (WORK, False)]


def test_a_no_adds_nothing(world: World) -> None:
    world.game()
    letter = added(world)
    world.reply(WORK, "no")
    assert "was no" in headline(world.newest(AOI))
    world.reply(WORK, "yes", letter)
    assert "nothing to answer here any more" in headline(world.newest(WORK))
    assert addresses(world) == FIRST


def test_neither_yes_nor_no_asks_again(world: World) -> None:
    world.game()
    letter = added(world)
    world.reply(WORK, "what is this?")
    assert "with yes or no" in headline(world.newest(WORK))
    world.reply(WORK, "yes", letter)
    assert addresses(world) == [*FIRST, (WORK, False)]


def test_the_tag_is_good_from_that_address_alone(world: World) -> None:
    world.game()
    letter = added(world)
    for thief in (EVE, BEN, AOI):
        world.post(world.written(thief, "yes", letter))
    world.settle()
    assert addresses(world) == FIRST


def test_the_tag_speaks_for_no_seat(world: World) -> None:
    code = world.game()
    world.reply(WORK, "5", added(world))
    assert len(world.events(code)) == 1


def test_a_yes_counts_for_seven_days(world: World) -> None:
    world.game(pace="30d")
    added(world)
    world.sleep(days=7, minutes=1)
    world.reply(WORK, "yes")
    assert addresses(world) == FIRST


def test_a_yes_counts_once(world: World) -> None:
    world.game()
    letter = added(world)
    world.reply(WORK, "yes", letter)
    world.reply(AOI, f"address remove {WORK}")
    world.reply(WORK, "yes", letter)
    assert addresses(world) == FIRST


def test_a_wish_can_be_taken_back(world: World) -> None:
    world.game()
    letter = added(world)
    world.reply(AOI, f"address remove {WORK}")
    world.reply(WORK, "yes", letter)
    assert addresses(world) == FIRST


def test_without_a_mark_no_address_is_added(world: World) -> None:
    world.game()
    before = ledger(world)
    world.post(world.plain(AOI, f"address add {EVE}"))
    world.settle()
    assert ledger(world) == before
    assert world.outbox(EVE) == []


def test_another_players_address_gets_no_letter_and_gives_nothing_away(world: World) -> None:
    world.game()
    before = len(world.outbox())
    unknown = world.answer(AOI, f"address add {WORK}").replace(WORK, "X")
    taken = world.answer(AOI, f"address add {BEN}", world.letters(AOI)[0]).replace(BEN, "X")
    assert "A letter goes to X." in taken
    assert taken == unknown
    assert sent_since(world, before) == [(WORK, "question.address"), (AOI, "answer"), (AOI, "answer")]
    assert addresses(world) == FIRST


def test_letters_on_demand_are_few(world: World) -> None:
    world.game()
    for count in range(MOST_ASKED + 2):
        world.reply(AOI, f"address add {count}@elsewhere.test")
    assert "asked lately" in world.text(AOI)
    assert [len(world.outbox(f"{n}@elsewhere.test")) for n in range(5)] == [1] * MOST_ASKED + [0] * 2


def test_one_address_is_asked_once_a_day_whoever_wishes_it(world: World) -> None:
    world.game()
    for who in (AOI, BEN, AOI):
        world.reply(who, f"address add {EVE}\naddress remove {EVE}\naddress add {EVE}")
    assert len(world.outbox(EVE)) == 1


@pytest.mark.parametrize("words", ["nobody", "a@b", f"play+x@{ADDRESS.partition('@')[2]}", "a b@c"])
def test_what_is_no_address_is_refused(world: World, words: str) -> None:
    world.game()
    before = ledger(world)
    assert f"Not carried out: address add {words}" in world.answer(AOI, f"address add {words}")
    assert ledger(world) == before


def test_the_address_to_which_letters_go_cannot_be_removed(world: World) -> None:
    """Or whoever brings a stolen mark under a forged name could have them sent to himself."""
    world.game()
    world.reply(WORK, "yes", added(world))
    assert "cannot be removed" in world.answer(AOI, f"address remove {AOI}")
    assert "none of your addresses" in world.answer(AOI, f"address remove {BEN}")
    assert addresses(world) == [*FIRST, (WORK, False)]


def test_one_without_a_mark_is_answered_at_the_primary_address(world: World) -> None:
    world.game()
    world.game()
    world.reply(WORK, "yes", added(world))
    before = len(world.outbox())
    world.post(world.plain(WORK, "games"))
    world.settle()
    assert sent_since(world, before) == [(AOI, "note")]


def test_no_opponent_sees_an_address(world: World) -> None:
    world.game()
    world.reply(WORK, "yes", added(world))
    world.post(world.written(WORK, "5", world.letters(AOI)[0]))
    world.settle()
    for row in world.outbox(BEN):
        assert b"work.test" not in row.raw
