"""What players say to each other, and the letters that bring it."""

from __future__ import annotations

import pytest
from sqlmodel import select

from corr.core.talk import LONGEST_POST
from corr.demo.clients import apple_ja, outlook, text_of
from corr.service.talk import MOST_IN_AN_HOUR, overhear
from corr.store.tables import Audit
from engines.api import Problem
from tests.service.talkers import ALL, CHIKA, begin, heard, kinds, posts
from tests.service.world import AOI, BEN, World, counts, headline

# Saying


def test_what_is_said_goes_to_the_others_in_a_letter_of_its_own(three: World) -> None:
    begin(three)
    three.reply(AOI, "say Good luck, All!\n  and have fun")
    for who in (BEN, CHIKA):
        assert heard(three, who) == ["Good luck, All!\n  and have fun"]
        assert headline(three.newest(who)).startswith("Aoi writes to everybody in")
    assert kinds(three, AOI) == ["start", "answer"]
    assert "Said to everybody at the table." in three.text(AOI)


def test_what_is_said_in_japanese_goes_to_the_others(three: World) -> None:
    begin(three, locale="ja")
    three.reply(AOI, "発言　よろしくお願いします", client=apple_ja)
    assert heard(three, BEN) == ["よろしくお願いします"]
    assert "Aoiさんから全員にメッセージが届きました" in headline(three.newest(BEN))
    assert "参加者全員に伝えました。" in three.text(AOI)


def test_a_whisper_goes_to_one_alone(three: World) -> None:
    begin(three)
    three.reply(AOI, "say to ben psst")
    assert heard(three, BEN) == ["psst"]
    assert "writes to you alone" in headline(three.newest(BEN))
    assert kinds(three, CHIKA) == ["start"]
    assert "Said to Ben." in three.text(AOI)
    (post,) = posts(three)
    assert (post.channel, post.seat, post.listeners) == ("seat-2", 1, [2])


def test_a_whisper_to_a_name_that_nobody_has_comes_back_and_nobody_hears_it(three: World) -> None:
    begin(three)
    assert three.reply(AOI, "say to Dan psst\nmore").problem == "talk.nobody"
    assert "no other player goes by that name" in three.text(AOI)
    assert "Dan psst more" in three.text(AOI)
    assert counts(three, ALL) == (2, 1, 1)


def test_a_move_beside_talk_is_played_and_one_inside_talk_is_said(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5\nsay I think that\n9\nis better")
    assert [event.kind for event in world.events(code)] == ["board", "marked"]
    assert heard(world, BEN) == ["I think that\n9\nis better"]
    assert kinds(world, BEN) == ["start", "turn", "talk"]


def test_a_slash_ends_talk(world: World) -> None:
    code = world.game()
    world.reply(AOI, "say hello\n/5\n/board")
    assert heard(world, BEN) == ["hello"]
    assert world.row(code).position == 2


def test_nothing_said_is_no_post(world: World) -> None:
    world.game()
    assert world.reply(AOI, "say").problem == "talk.empty"
    assert (counts(world), list(posts(world))) == ((2, 1), [])
    assert headline(world.newest(AOI)).startswith("Your move"), "there are no words to name"


# Replies to talk


def test_a_reply_to_talk_is_said_whole(world: World) -> None:
    code = world.game()
    world.reply(AOI, "say hello")
    world.reply(BEN, "Hello!\nyes, resign\n5", client=outlook)
    assert heard(world, AOI) == ["Hello!\nyes, resign\n5"]
    assert world.row(code).position == 1
    assert "Said to Aoi." in world.text(BEN)


def test_the_receipt_of_a_reply_to_talk_is_short(world: World) -> None:
    world.game()
    world.reply(AOI, "say hello")
    world.reply(BEN, "hello")
    assert "The position" not in world.text(BEN)
    assert "hello" in world.text(BEN)


def test_a_reply_to_a_letter_of_action_acts(world: World) -> None:
    code = world.game()
    start = world.newest(AOI)
    world.reply(BEN, "say hello")
    world.reply(AOI, "5", start)
    assert world.row(code).position == 2
    assert heard(world, BEN) == []


def test_a_line_with_a_slash_in_a_reply_to_talk_acts(world: World) -> None:
    code = world.game()
    world.reply(BEN, "say hello")
    world.reply(AOI, "hello Ben\n/5\nyour turn")
    assert world.row(code).position == 2
    assert heard(world, BEN) == ["hello Ben\nyour turn"]


def test_a_reply_to_a_whisper_is_a_whisper(three: World) -> None:
    begin(three)
    three.reply(AOI, "say to Ben psst")
    three.reply(BEN, "what?")
    assert heard(three, AOI) == ["what?"]
    assert counts(three, [CHIKA]) == (1,)
    assert "Said to Aoi." in three.text(BEN)


def test_a_whisper_that_begins_a_reply_to_all_is_told_to_one(three: World) -> None:
    begin(three)
    three.reply(AOI, "say hello")
    three.reply(BEN, "say to Chika do not trust Aoi")
    assert heard(three, CHIKA) == ["hello", "do not trust Aoi"]
    assert heard(three, AOI) == []


def test_a_reply_to_all_is_heard_by_all(three: World) -> None:
    begin(three)
    three.reply(AOI, "say hello")
    three.reply(BEN, "hello to you")
    assert heard(three, AOI) == ["hello to you"]
    assert heard(three, CHIKA) == ["hello", "hello to you"]


def test_a_reply_to_talk_from_another_address_plays_nothing_of_what_it_says(world: World) -> None:
    code = world.game()
    world.reply(BEN, "say hello")
    world.post(world.written("aoi@elsewhere.test", "5", world.newest(AOI)))
    world.settle()
    assert kinds(world, AOI) == ["start", "talk", "note"]
    assert world.row(code).position == 1


# Regimes


def test_where_nothing_is_said_it_comes_back_whole_and_the_masters_can_be_reached(world: World) -> None:
    world.game(press="none")
    assert world.reply(AOI, "say Dear Ben,\n  how are you?").problem == "talk.none"
    assert "    Dear Ben,\n      how are you?" in text_of(world.newest(AOI)).replace("\r\n", "\n")
    assert world.reply(AOI, "tell gm Is Ben ill?").status == "done"
    assert [(post.channel, post.body) for post in posts(world)] == [("gm", "Is Ben ill?")]
    assert counts(world) == (3, 1)


def test_where_all_is_public_a_whisper_comes_back(three: World) -> None:
    begin(three, press="public")
    assert three.reply(AOI, "say to Ben psst").problem == "talk.public-only"
    assert three.reply(AOI, "say hello").status == "done"
    assert [heard(three, who) for who in ALL] == [[], ["hello"], ["hello"]]


def test_delayed_talk_comes_with_the_next_position(world: World) -> None:
    world.game(press="delayed")
    world.reply(BEN, "say hello")
    world.reply(AOI, "say hello too")
    assert kinds(world, AOI) == ["start", "answer"]
    assert "Ben will read it as soon as the position has changed." in world.text(AOI)
    world.reply(AOI, "5\nsay and this")
    assert heard(world, AOI) == ["hello"]
    assert heard(world, BEN) == ["hello too", "and this"]
    world.reply(BEN, "/1")
    assert (len(heard(world, AOI)), len(heard(world, BEN))) == (1, 2)


def test_delayed_talk_comes_with_the_end_of_the_game(world: World) -> None:
    world.game(press="delayed")
    world.reply(BEN, "say hello")
    world.reply(AOI, "resign")
    world.reply(AOI, "yes")
    assert kinds(world, AOI)[-2:] == ["result", "talk"]
    assert heard(world, AOI) == ["hello"]


@pytest.mark.parametrize(
    ("press", "english", "japanese"),
    [
        ("open", "“say to” and a name for one.", "「伝言」とお名前に続けて書くと"),
        ("public", "Everybody reads what is said.", "発言は全員に届きます。"),
        ("none", "Players do not write to each other", "参加者どうしの会話はできません"),
        ("anonymous", "Nobody learns who says what.", "発言した人の名前は誰にも知らされません"),
        ("delayed", "It arrives when the position has changed.", "次の局面になったときです"),
    ],
)
def test_the_invitation_and_the_first_letter_tell_how_people_talk(
    world: World, press: str, english: str, japanese: str
) -> None:
    world.wish(press=press)
    assert english in world.text(AOI)
    world.game(press=press)
    assert english in world.text(AOI)
    world.wish(press=press, locale="ja", seats=(("Dan", "dan@players.test"), ("Eri", "eri@players.test")))
    assert japanese in text_of(world.newest("eri@players.test")).replace("\r\n", "").replace("\n", "")


# Limits


def test_a_seat_has_so_many_posts_an_hour_and_what_is_too_much_comes_back(world: World) -> None:
    world.game()
    for number in range(MOST_IN_AN_HOUR):
        world.reply(AOI, f"say {number}")
    assert world.reply(AOI, "say one more\nthing").problem == "talk.too-often"
    assert "one more thing" in world.text(AOI)
    assert len(heard(world, BEN)) == MOST_IN_AN_HOUR
    world.sleep(hours=1, minutes=1)
    assert world.reply(AOI, "say one more").status == "done"


def test_what_is_too_long_comes_back_whole(world: World) -> None:
    world.game()
    lines = [f"line {number} " + "x" * 60 for number in range(LONGEST_POST // 60)]
    assert world.reply(AOI, "say " + "\n".join(lines)).problem == "talk.too-long"
    assert all(line in world.text(AOI) for line in lines)
    assert kinds(world, BEN) == ["start"]


def test_a_paragraph_without_line_breaks_is_said_to_its_end(world: World) -> None:
    world.game()
    words = " ".join(f"word{number}" for number in range(300))
    world.reply(AOI, f"say {words}")
    assert "".join(words.split()) == "".join(posts(world)[0].body.split())
    assert "word299" in text_of(world.newest(BEN))


def test_the_same_letter_twice_is_said_once(world: World) -> None:
    world.game()
    letter = world.written(AOI, "say hello")
    for _ in range(2):
        world.post(letter)
        world.settle()
    assert heard(world, BEN) == ["hello"]


def test_after_the_end_nothing_is_said_any_more_but_with_the_last_move(world: World) -> None:
    world.game(options={"position": "11.22...."})
    before = world.newest(BEN)
    world.reply(AOI, "3\nsay Thank you for the game!")
    assert kinds(world, BEN) == ["start", "result", "talk"]
    assert world.reply(BEN, "Thank you!").problem == "talk.over"
    assert "Thank you!" in world.text(BEN)
    assert world.reply(BEN, "say Bye", before).problem == "talk.over"
    assert heard(world, AOI) == []


def test_a_letter_without_a_mark_says_nothing(world: World) -> None:
    world.game()
    number = world.post(world.plain(AOI, "say hello\nBen"))
    world.settle()
    assert world.inbound(number).problem == "intake.no-mark"
    assert "hello Ben" in world.text(AOI)
    assert kinds(world, BEN) == ["start"]


# Masters


def test_a_report_shows_the_masters_the_post_and_nobody_is_told(three: World) -> None:
    code = begin(three)
    three.reply(AOI, "say to Ben I hate you")
    three.reply(BEN, "report\nplease look")
    assert "The game masters will see that message." in three.text(BEN)
    assert kinds(three, AOI) == ["start", "answer"]
    found = overhear(three.office, code)
    assert not isinstance(found, Problem)
    (first, _), (report, who) = found
    assert (report.channel, report.body, who) == (f"report-{first.id}", "please look", "Ben")


def test_a_report_of_nothing_is_asked_what_it_is_about(world: World) -> None:
    world.game()
    assert world.reply(AOI, "通報").problem == "talk.report-what"
    assert world.reply(AOI, "通報 ひどいです").status == "done"
    assert [(post.channel, post.body) for post in posts(world)] == [("gm", "ひどいです")]


def test_who_reads_what_is_said_is_written_down(world: World) -> None:
    code = world.game()
    world.reply(AOI, "say hello")
    found = overhear(world.office, code)
    assert not isinstance(found, Problem)
    assert [(post.body, who) for post, who in found] == [("hello", "Aoi")]
    with world.office.database.session() as session:
        (audit,) = session.exec(select(Audit)).all()
        assert (audit.actor, audit.act, audit.game_id) == ("operator", "talk", found[0][0].game_id)
    assert isinstance(overhear(world.office, "XXXX"), Problem)
