"""A game is made, its players say yes or no, and it begins."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import pytest
from sqlmodel import func, select

from corr.store.tables import Game, Outbox, Player
from engines.api import Problem
from tests.service.world import AOI, BEN, World, counts, headline, said


def test_a_seat_counts_only_when_the_invited_person_has_said_yes(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    assert "Please answer yes or no" in headline(world.newest(AOI))
    assert world.reply(AOI, "yes").status == "done"
    assert world.row(code).status == "open"
    assert "We are waiting for the others" in world.text(AOI)
    assert counts(world) == (2, 1)
    assert world.reply(BEN, "Yes, gladly!").status == "done"
    assert world.row(code).status == "running"
    assert "The game has begun" in world.text(AOI)
    assert "The game has begun" in world.text(BEN)


@pytest.mark.parametrize("words", ["yes", "はい"])
def test_a_yes_beside_the_subject_of_the_invitation_counts(world: World, words: str) -> None:
    code = world.wish()
    assert isinstance(code, str)
    letter = world.written(AOI, "")
    letter.replace_header("Subject", f"{letter['Subject']} {words}")
    number = world.post(letter)
    world.settle()
    assert world.inbound(number).status == "done"
    world.reply(BEN, "yes")
    assert world.row(code).status == "running"


def test_a_yes_counts_only_from_the_address_that_was_invited(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    stranger = world.written("eve@elsewhere.test", "yes", world.newest(AOI))
    number = world.post(stranger)
    world.settle()
    assert world.inbound(number).rules_hit == "not-holder"
    assert "from another address" in world.text(AOI)
    assert world.outbox("eve@elsewhere.test") == []
    world.reply(BEN, "yes")
    assert world.row(code).status == "open"


def test_who_says_yes_twice_is_counted_once(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    world.reply(AOI, "yes")
    world.reply(AOI, "yes")
    assert world.row(code).status == "open"


def test_one_no_calls_the_game_off_and_everybody_is_told(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    world.reply(AOI, "yes")
    world.reply(BEN, "no")
    assert world.row(code).status == "void"
    assert "Ben declined" in headline(world.newest(AOI))
    assert "You have declined" in world.text(BEN)
    world.reply(AOI, "yes")
    assert "The game is over" in world.text(AOI)
    assert world.row(code).status == "void"


def test_who_has_said_yes_may_still_say_no_before_the_game_begins(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    world.reply(AOI, "yes")
    world.reply(AOI, "no")
    assert world.row(code).status == "void"
    assert "Aoi declined" in headline(world.newest(BEN))


@pytest.mark.parametrize("words", ["perhaps", "5", "yes\nno", "resign"])
def test_neither_yes_nor_no_brings_the_invitation_again(world: World, words: str) -> None:
    world.wish()
    received = world.reply(AOI, words)
    assert (received.status, received.problem) == ("refused", "timing.not-started")
    assert "Please answer yes or no" in headline(world.newest(AOI))
    assert f"Not read as a move: {words.splitlines()[0]}" in world.text(AOI)
    assert counts(world) == (2, 1)


def test_an_invitation_answers_a_wish_for_the_rules_as_it_promises(world: World) -> None:
    world.wish("ukulele")
    assert "Reply with the word rules" in world.text(AOI)
    assert world.reply(AOI, "rules").status == "done"
    assert "== Rules ==" in world.text(AOI)
    assert "Please answer yes or no" in headline(world.newest(AOI))


def test_somebody_invited_may_choose_his_language_before_he_answers(world: World) -> None:
    world.wish("ukulele")
    world.reply(AOI, "lang ja")
    assert "これからは日本語でお送りします。" in world.text(AOI)
    assert world.reply(AOI, "はい").status == "done"
    assert "ご参加ありがとうございます" in world.text(AOI)


def test_the_start_letter_has_the_digest_and_the_result_letter_the_seed(world: World) -> None:
    code = world.game("ukulele")
    (digest,) = re.findall(r"[0-9a-f]{64}", world.text(AOI))
    assert digest == world.row(code).seed_digest
    world.reply(AOI, "resign")
    world.reply(AOI, "yes")
    for who in (AOI, BEN):
        seed, again = re.findall(r"[0-9a-f]{64}", world.text(who))
        assert (sha256(bytes.fromhex(seed)).hexdigest(), again) == (digest, digest)


def test_a_game_begins_at_once_where_the_master_vouches_for_the_addresses(world: World) -> None:
    code = world.game()
    assert world.row(code).status == "running"
    assert [said(letter).count("The game has begun") for letter in world.letters(BEN)] == [1]


@pytest.mark.parametrize(("first", "mover"), [("1", AOI), ("2", BEN)])
def test_the_option_first_player_says_who_begins(world: World, first: str, mover: str) -> None:
    world.game("ukulele", options={"first_player": first})
    assert headline(world.newest(mover)).startswith("Your move")
    (other,) = {AOI, BEN} - {mover}
    assert headline(world.newest(other)).startswith("Waiting for")


@pytest.mark.parametrize(
    ("wish", "key", "names"),
    [
        ({"engine": "go"}, "lobby.no-engine", "go"),
        ({"options": {"colour": "red"}}, "lobby.no-option", "colour"),
        ({"engine": "ukulele", "options": {"can_move": "never"}}, "lobby.no-value", "never"),
        ({"engine": "ukulele", "options": {"array": "47"}}, "ukulele.array-one-rank", "7"),
        ({"options": {"position": "xo"}}, "tictactoe.no-board", ""),
        ({"seats": [("Aoi", AOI)]}, "lobby.seats-exactly", "1"),
        ({"seats": [("Aoi", AOI), ("Ben", BEN), ("Cid", "c@players.test")]}, "lobby.seats-exactly", "3"),
        ({"seats": [("Aoi", AOI), ("Ben", "ben")]}, "lobby.bad-address", "ben"),
        ({"seats": [("Aoi", AOI), ("Ben", "bén@players.test")]}, "lobby.bad-address", "Ben"),
        ({"seats": [("Aoi", AOI), ("Ben", "ben@under_score.test")]}, "lobby.bad-address", "Ben"),
        ({"seats": [("Aoi", AOI), ("Ben", "b[e]n@players.test")]}, "lobby.bad-address", "Ben"),
        ({"seats": [("Aoi", AOI), ("B" * 41, BEN)]}, "lobby.bad-name", "B" * 41),
        ({"seats": [("Aoi", AOI), ("Be\nn", BEN)]}, "lobby.bad-name", "Be\nn"),
        ({"seats": [("Aoi", AOI), ("Ben", "Play+x@corr.test")]}, "lobby.own-address", "Ben"),
        ({"seats": [("Aoi", AOI), ("AOI", BEN)]}, "lobby.name-twice", ""),
        ({"seats": [("Aoi", AOI), ("Ben", AOI.upper())]}, "lobby.address-twice", ""),
        ({"seats": [("Aoi", AOI), ("Ben", '"aoi"@players.test')]}, "lobby.address-twice", ""),
        ({"pace": "soon"}, "pace.unread", "soon"),
        ({"pace": "0d"}, "pace.unread", "0d"),
        ({"timeout": "duel"}, "lobby.no-timeout", "duel"),
    ],
)
def test_what_cannot_be_had_is_named_and_leaves_nothing(
    world: World, wish: dict[str, Any], key: str, names: str
) -> None:
    problem = world.wish(**wish)
    assert isinstance(problem, Problem)
    assert problem.key == key
    assert not names or names in {str(value) for value in problem.values.values()}
    with world.office.database.session() as session:
        for table in (Game, Player, Outbox):
            assert session.exec(select(func.count()).select_from(table)).one() == 0


def test_two_games_of_the_same_people_have_codes_and_keys_of_their_own(world: World) -> None:
    first, second = world.game(), world.game()
    assert first != second
    ids = [letter["Message-ID"] for letter in world.letters(AOI)]
    assert len(set(ids)) == 2
    with world.office.database.session() as session:
        assert session.exec(select(func.count()).select_from(Player)).one() == 2
