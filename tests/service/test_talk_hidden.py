"""What talk does not tell: names, addresses, letters, and who listens."""

from __future__ import annotations

from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory
from selectolax.lexbor import LexborHTMLParser

from corr.core.marks import find
from corr.demo.clients import Client, gmail, gmail_ja, html_of, text_of, thunderbird
from tests.databases import Source
from tests.service.conftest import START
from tests.service.talkers import CHIKA, ForThree, begin, body, heard, kinds, posts
from tests.service.world import AOI, BEN, World, headline, said

# Without a name


def test_a_nameless_reply_reaches_the_writer_and_names_nobody(three: World) -> None:
    begin(three, press="anonymous")
    three.reply(AOI, "say to Ben psst")
    assert headline(three.newest(BEN)).startswith("A player writes to you alone")
    three.reply(BEN, "who are you?")
    assert heard(three, AOI) == ["who are you?"]
    assert "Said, without your name." in three.text(BEN)
    for who in (AOI, BEN):
        assert "Aoi" not in body(three.newest(who))
    assert "Aoi" not in said(three.newest(BEN)).replace("Aoi – Ben – Chika", "")


def test_without_names_nobody_can_be_muted_and_an_old_mute_does_not_tell(three: World) -> None:
    """Whose posts stay away when Ben is muted are Ben's."""
    code = begin(three)
    three.reply(CHIKA, "mute Ben")
    with three.office.database.session() as session:
        game = session.merge(three.row(code))
        game.policy = {**game.policy, "press": "anonymous"}
    assert three.reply(CHIKA, "mute Aoi").problem == "talk.mute-nameless"
    three.reply(BEN, "say hello")
    assert heard(three, CHIKA) == ["hello"]


@pytest.mark.parametrize("words", ["say {}", "say to Chika {}"])
def test_nameless_words_are_the_same_bytes_whoever_says_them(
    source: Source, frozen: FrozenDateTimeFactory, tmp_path: Path, words: str
) -> None:
    """Two worlds that differ in who speaks, with which program and in which language."""
    text = words.format("I know what you did.\n\nDo YOU?")
    worlds = [
        letters_to_chika(source, frozen, tmp_path, who, text, client)
        for who, client in ((AOI, gmail), (BEN, thunderbird))
    ]
    assert len(worlds[0]) == 2
    assert worlds[0] == worlds[1]


def letters_to_chika(
    source: Source, frozen: FrozenDateTimeFactory, folder: Path, who: str, text: str, client: Client
) -> list[bytes]:
    frozen.move_to(START)
    with source.ready(folder) as database:
        world = World(database, frozen)
        world.engine_now(ForThree())
        begin(world, press="anonymous")
        world.reply(BEN, "lang ja")
        world.sleep(hours=1)
        world.reply(who, text, client=client)
        return [row.raw for row in world.outbox(CHIKA)]


# What does not go along


def test_nothing_of_the_writers_letter_goes_along_but_the_words(world: World) -> None:
    world.game()
    letter = world.written(AOI, "say Hello Ben\u202e!\x07", client=thunderbird)
    letter["X-Mailer"] = "Secret Mailer 7"
    letter["Organization"] = "Secret Works"
    number = world.post(letter)
    world.settle()
    assert world.inbound(number).status == "done"
    raw, newest = world.outbox(BEN)[-1].raw, world.newest(BEN)
    whole = raw.decode() + text_of(newest) + html_of(newest)
    assert body(newest) == "Hello Ben!"
    for secret in ("aoi@", "Secret", str(letter["Message-ID"]), "played by mail", "wrote:", "\u202e"):
        assert secret not in whole, secret
    (mark,) = {signed.mark for signed in find([str(newest["Reply-To"]), str(newest["References"])])}
    assert mark.seat == 2


def test_what_the_writer_marks_up_is_shown_as_letters(world: World) -> None:
    world.game()
    world.reply(AOI, 'say <a href="https://bad.test">click</a> https://bad.test')
    html = html_of(world.newest(BEN))
    assert "&lt;a href=" in html
    assert not [link for link in LexborHTMLParser(html).css("a") if "bad" in str(link.attributes["href"])]


def test_a_quoted_letter_with_its_mark_is_not_said(world: World) -> None:
    world.game()
    world.reply(BEN, "say first")
    tag = str(world.newest(AOI)["Reply-To"])
    world.reply(AOI, f"second to {tag}")
    assert "first" not in body(world.newest(BEN))
    assert list(find([body(world.newest(BEN))])) == []


def test_an_address_that_comes_along_with_a_quote_is_blotted_out(world: World) -> None:
    world.game()
    world.reply(AOI, "say Hello\nAn: Aoi (Aoi@Players.test)")
    assert heard(world, BEN) == ["Hello\nAn: Aoi (…)"]


# Not hearing


def test_who_is_muted_is_heard_no_more_and_is_not_told(three: World) -> None:
    begin(three)
    three.reply(BEN, "mute Aoi")
    assert "You read nothing more from Aoi" in three.text(BEN)
    assert kinds(three, AOI) == ["start"]
    three.reply(AOI, "say hello")
    three.reply(AOI, "say to Ben hello?")
    assert heard(three, BEN) == []
    assert heard(three, CHIKA) == ["hello"]
    assert "Said to Ben." in three.text(AOI)
    assert posts(three)[-1].listeners == []


def test_a_mute_is_taken_back(world: World) -> None:
    world.game()
    world.reply(BEN, "消音 アオイ", client=gmail_ja)
    assert "no other player goes by that name" in world.text(BEN)
    world.reply(BEN, "消音 Aoiさん", client=gmail_ja)
    world.reply(BEN, "消音解除 aoi", client=gmail_ja)
    assert "You read again what Aoi says." in world.text(BEN)
    world.reply(AOI, "say hello")
    assert heard(world, BEN) == ["hello"]


def test_a_mute_concerns_one_game_alone(world: World) -> None:
    """In another game the same person may play under another name."""
    world.game()
    world.reply(BEN, "mute Aoi")
    world.game()
    world.reply(AOI, "say hello")
    assert heard(world, BEN) == ["hello"]


def test_who_wants_fewer_letters_gets_no_talk(world: World) -> None:
    world.game()
    world.reply(BEN, "stop")
    world.reply(AOI, "say hello")
    assert kinds(world, BEN) == ["start", "answer"]
    assert "Said to Ben." in world.text(AOI)


def test_the_button_that_ends_letters_works_in_a_letter_of_talk(world: World) -> None:
    """List-Unsubscribe opens an empty letter with one word in its subject."""
    world.game()
    world.reply(AOI, "say hello")
    letter = world.plain(BEN, "", subject="stop")
    letter.replace_header("To", str(world.newest(BEN)["Reply-To"]))
    number = world.post(letter)
    world.settle()
    assert world.inbound(number).status == "done"
    assert "only when something is asked of you" in world.text(BEN)
    assert heard(world, AOI) == []


def test_the_answer_to_talk_does_not_tell_whether_anybody_listens(world: World) -> None:
    answers: list[str] = []
    for words in ("board", "mute Aoi", "stop"):
        world.game()
        world.reply(BEN, words)
        world.reply(AOI, "say hello")
        answers.append(world.text(AOI).split("What I read")[1].split("==")[1])
    assert len(set(answers)) == 1
