"""The words of corr in a letter to a running game."""

from __future__ import annotations

import pytest

from corr.demo.clients import gmail_ja
from tests.service.test_play import STUCK_WHITE
from tests.service.world import AOI, BEN, World, counts, headline

# Fewer letters


def test_stop_leaves_out_letters_that_ask_nothing_until_start(world: World) -> None:
    world.game("ukulele", options={"first_player": "1", "position": f"{STUCK_WHITE} b - 2"})
    world.reply(BEN, "stop")
    assert "only when something is asked of you" in world.text(BEN)
    before = len(world.letters(BEN))
    world.reply(AOI, "59-37")
    assert len(world.letters(BEN)) == before, "Ben had to pass, so nothing is asked of him"
    world.reply(BEN, "start")
    assert "about every move again" in world.text(BEN)


def test_stop_keeps_letters_that_ask_for_something(world: World) -> None:
    world.game()
    world.reply(BEN, "停止")
    world.reply(AOI, "5")
    assert "Your move" in headline(world.newest(BEN))


# Resigning


@pytest.mark.parametrize("words", ["resign", "I resign.", "/resign", "投了します", "投了"])
def test_who_resigns_is_asked_once_more_and_nothing_has_happened(world: World, words: str) -> None:
    code = world.game()
    assert world.reply(AOI, words, client=gmail_ja).status == "done"
    assert "Do you really want to resign" in headline(world.newest(AOI))
    assert world.row(code).status == "running"
    assert counts(world) == (2, 1)


def test_a_yes_to_that_question_resigns(world: World) -> None:
    code = world.game()
    world.reply(AOI, "resign")
    world.reply(AOI, "yes")
    assert world.row(code).outcome == {"winners": [2], "reason": "resignation"}
    assert "is over. Ben won. By resignation." in headline(world.newest(BEN))
    assert "Aoi resigned." in world.text(BEN)
    assert "You have resigned." in world.text(AOI)


def test_a_yes_to_any_other_letter_resigns_nothing(world: World) -> None:
    code = world.game()
    start = world.newest(AOI)
    world.reply(AOI, "resign")
    assert world.reply(AOI, "yes", start).problem == "ask.none"
    assert world.row(code).status == "running"


def test_a_no_takes_the_resignation_back_and_a_later_yes_to_it_does_nothing(world: World) -> None:
    code = world.game()
    world.reply(AOI, "resign")
    question = world.newest(AOI)
    world.reply(AOI, "no", question)
    assert "You have not resigned" in world.text(AOI)
    assert world.reply(AOI, "yes", question).problem == "ask.none"
    assert world.row(code).status == "running"


def test_the_side_that_is_not_to_move_may_resign_too(world: World) -> None:
    code = world.game()
    world.reply(BEN, "resign")
    world.reply(BEN, "yes")
    assert world.row(code).outcome == {"winners": [1], "reason": "resignation"}


# Draws


def test_a_draw_can_be_offered_together_with_a_move(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5\ndraw")
    assert "Your offer of a draw goes to your opponent" in world.text(AOI)
    assert counts(world) == (2, 2)
    assert "Aoi took cell 5." in world.text(BEN)
    assert "yes: call it a draw" in world.text(BEN)
    world.reply(BEN, "yes")
    assert world.row(code).outcome == {"winners": [], "reason": "agreement"}


@pytest.mark.parametrize("words", ["yes", "draw", "はい", "引き分け"])
def test_a_draw_offered_alone_is_accepted_by_yes_and_by_draw(world: World, words: str) -> None:
    code = world.game()
    world.reply(BEN, "draw?")
    assert "Ben offers a draw" in headline(world.newest(AOI))
    assert world.row(code).status == "running"
    world.reply(AOI, words, client=gmail_ja)
    assert world.row(code).outcome == {"winners": [], "reason": "agreement"}
    for who in (AOI, BEN):
        assert "is over. The game is a draw. By agreement." in headline(world.newest(who))


@pytest.mark.parametrize("words", ["no", "no draw", "引分拒否"])
def test_who_offered_a_draw_is_told_that_it_is_declined(world: World, words: str) -> None:
    code = world.game()
    world.reply(AOI, "draw")
    question = world.newest(BEN)
    world.reply(BEN, words, client=gmail_ja)
    assert "Aoi" not in headline(world.newest(AOI))
    assert "Ben declined the draw" in headline(world.newest(AOI))
    assert world.reply(BEN, "yes", question).problem == "ask.none"
    assert world.row(code).status == "running"


def test_an_offer_lapses_when_the_other_plays_on(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5\ndraw")
    question = world.newest(BEN)
    world.reply(BEN, "1")
    assert world.reply(BEN, "yes", question).problem == "ask.none"
    assert world.row(code).status == "running"


def test_an_offer_stands_while_the_one_who_made_it_plays_on(world: World) -> None:
    code = world.game()
    world.reply(AOI, "draw")
    question = world.newest(BEN)
    world.reply(AOI, "5")
    world.reply(BEN, "yes", question)
    assert world.row(code).outcome == {"winners": [], "reason": "agreement"}


def test_a_yes_to_a_letter_that_did_not_offer_a_draw_accepts_none_but_is_asked(world: World) -> None:
    """A second yes to the invitation, say, must not end the game."""
    code = world.wish()
    assert isinstance(code, str)
    invitation = world.newest(BEN)
    world.reply(AOI, "yes")
    world.reply(BEN, "yes")
    world.reply(AOI, "draw")
    assert world.reply(BEN, "yes", invitation).problem == "ask.none"
    assert world.row(code).status == "running"
    assert "yes: call it a draw" in world.text(BEN)
    world.reply(BEN, "yes")
    assert world.row(code).status == "over"


def test_a_draw_is_offered_once(world: World) -> None:
    world.game()
    world.reply(AOI, "draw")
    assert world.reply(AOI, "draw").problem == "draw.already"
    assert counts(world) == (3, 2)


@pytest.mark.parametrize(
    ("words", "problem"), [("no draw", "draw.none"), ("yes", "ask.none"), ("no", "ask.none")]
)
def test_an_answer_without_a_question_is_refused(world: World, words: str, problem: str) -> None:
    world.game()
    assert world.reply(AOI, words).problem == problem


@pytest.mark.parametrize("words", ["resign", "draw", "yes", "claim"])
def test_after_the_end_nothing_ends_it_again(world: World, words: str) -> None:
    code = world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    outcome = world.row(code).outcome
    assert world.reply(BEN, words).problem == "timing.over"
    assert world.row(code).outcome == outcome


# Claiming


def test_a_claim_wins_where_the_game_says_so_and_the_time_is_over(world: World) -> None:
    code = world.game(timeout="claim")
    world.sleep(days=1)
    assert world.reply(BEN, "claim").problem == "claim.too-early"
    world.sleep(days=1, minutes=1)
    world.settle()
    assert "You may claim the win" in world.text(BEN)
    assert world.row(code).status == "running"
    world.reply(BEN, "claim")
    assert world.row(code).outcome == {"winners": [2], "reason": "time"}
    assert "Aoi ran out of time." in world.text(AOI)


def test_a_claim_after_the_time_is_right_though_the_server_has_not_noticed_yet(world: World) -> None:
    code = world.game(timeout="claim")
    world.sleep(days=2, minutes=1)
    world.reply(BEN, "claim")
    assert world.row(code).outcome == {"winners": [2], "reason": "time"}


def test_who_moves_after_the_time_and_before_the_claim_plays_on(world: World) -> None:
    code = world.game(timeout="claim")
    world.sleep(days=3)
    world.settle()
    world.reply(AOI, "5")
    assert world.reply(BEN, "claim").problem == "claim.not-allowed"
    assert world.row(code).status == "running"


@pytest.mark.parametrize("timeout", ["loss", "nothing"])
def test_nothing_is_claimed_where_the_game_does_not_say_so(world: World, timeout: str) -> None:
    world.game(timeout=timeout)
    assert world.reply(BEN, "claim").problem == "claim.not-allowed"


def test_who_is_waited_for_claims_nothing(world: World) -> None:
    world.game(timeout="claim")
    world.sleep(days=3)
    world.settle()
    assert world.reply(AOI, "claim").problem == "claim.not-allowed"


# Asking


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("help", "resign: give up; you are asked once more"),
        ("ヘルプ", "resign: give up; you are asked once more"),
        ("rules", "Three in a row win."),
        ("規則", "Three in a row win."),
        ("history", "1. Aoi took cell 5."),
        ("棋譜", "1. Aoi took cell 5."),
        ("board", "1 2 3 4 X 6 7 8 9"),
        ("盤面", "1 2 3 4 X 6 7 8 9"),
        ("games", "Tic-tac-toe ["),
        ("一覧", "Tic-tac-toe ["),
    ],
)
def test_a_question_is_answered_and_nobody_else_hears_of_it(world: World, words: str, shown: str) -> None:
    world.game()
    world.reply(AOI, "5")
    before = counts(world)
    assert world.reply(BEN, words, client=gmail_ja).status == "done"
    assert shown in world.text(BEN)
    assert counts(world) == (before[0], before[1] + 1)


def test_several_questions_are_answered_in_one_letter_with_an_order(world: World) -> None:
    world.game()
    world.reply(AOI, "rules\n5\nhistory\nrules")
    text = world.text(AOI)
    assert text.count("Three in a row win.") == 1
    assert "Taken: 5" in text
    assert counts(world) == (2, 2)


# Settings


def test_the_answer_to_a_wish_for_another_language_is_in_that_language(world: World) -> None:
    world.game()
    world.reply(AOI, "lang ja")
    assert "これからは日本語でお送りします。" in world.text(AOI)
    world.reply(AOI, "言語 英語", client=gmail_ja)
    assert "From now on I write to you in English." in world.text(AOI)


def test_a_language_that_corr_does_not_speak_is_refused(world: World) -> None:
    world.game()
    assert world.reply(AOI, "lang tlh").problem == "lang.unknown"
    assert "I do not speak “tlh”" in world.text(AOI)


@pytest.mark.parametrize("words", ["zone Asia/Tokyo", "zone asia/tokyo", "時間帯 Asia/Tokyo"])
def test_the_answer_to_a_wish_for_another_time_zone_is_in_that_zone(world: World, words: str) -> None:
    world.game()
    assert "Wed 4 Mar 12:00 UTC" in world.text(AOI)
    world.reply(AOI, words, client=gmail_ja)
    assert "Wed 4 Mar 21:00 JST" in world.text(AOI)
    assert "JST" not in world.answer(BEN, "board")


def test_a_time_zone_that_does_not_exist_is_refused(world: World) -> None:
    world.game()
    assert world.reply(AOI, "zone Moon/Base").problem == "zone.unknown"


# Forms of letters


@pytest.mark.parametrize(
    ("words", "kind", "charset"),
    [
        ("format text", "text/plain", "utf-8"),
        ("書式 テキスト", "text/plain", "utf-8"),
        ("Format TEXT-JP", "text/plain", "iso-2022-jp"),
        ("format html", "multipart/alternative", None),
    ],
)
def test_letters_come_in_the_form_that_a_player_asked_for(
    world: World, words: str, kind: str, charset: str | None
) -> None:
    """From this answer on, and to this player alone."""
    world.game("ukulele")
    world.reply(AOI, "lang ja")
    world.reply(AOI, words)
    answer = world.newest(AOI)
    assert (answer.get_content_type(), answer.get_content_charset()) == (kind, charset)
    assert "これからは、" in world.text(AOI)
    assert world.newest(BEN).get_content_type() == "multipart/alternative"


def test_the_form_of_letters_can_be_changed_back(world: World) -> None:
    world.game()
    world.reply(AOI, "format text-jp")
    world.reply(AOI, "format html")
    assert world.newest(AOI).get_content_type() == "multipart/alternative"


def test_an_unknown_form_is_refused_with_those_there_are(world: World) -> None:
    world.game()
    assert "format text-jp" in world.answer(AOI, "format pdf")
    assert world.newest(AOI).get_content_type() == "multipart/alternative"
