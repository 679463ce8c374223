"""What an answer tells beside the fate of each line: help, the rules, own orders, when it came."""

from __future__ import annotations

import pytest

from corr.service.lobby import Invited, Wish, new_game
from tests.service.world import AOI, BEN, World

STORED = "Your orders as they stand"


# Help and questions


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("help orders", "How to write a move"),
        ("help time", "What counts is when your letter reaches me"),
        ("help reply", "look into the spam folder"),
        ("help settings", "zone Asia/Tokyo"),
        ("help talk", "say to Ben"),
        ("help stop", "Fewer letters, or none"),
        ("help me, please", "Each of these stands alone on a line"),
    ],
)
def test_help_explains_the_topic_that_is_named_and_else_all_in_short(
    world: World, words: str, told: str
) -> None:
    world.game()
    assert told in world.answer(AOI, words)


def test_help_shows_in_japanese_what_is_legal_and_until_when(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"}, locale="ja")
    said = world.answer(AOI, "ヘルプ 手\nヘルプ 期限")
    assert "いまは次の手が可能です" in said
    assert "この手の期限は3月" in said


def test_a_question_is_answered_from_the_rules(world: World) -> None:
    world.game("ukulele")
    said = world.answer(BEN, "ask When do I have to pass?")
    assert "== From the rules ==" in said
    assert "Passing: You must move if you can" in said
    assert "I found nothing about this in the rules: what is the weather" in world.answer(
        BEN, "ask what is the weather"
    )


def test_a_question_works_without_a_mark_as_help_does(world: World) -> None:
    world.game("ukulele")
    world.post(world.plain(AOI, "ask When do I have to pass?"))
    world.settle()
    assert "You pass only if you have no legal move" in world.text(AOI)


def test_a_part_of_the_history_keeps_its_numbers(world: World) -> None:
    world.game()
    for who, words in ((AOI, "5"), (BEN, "1"), (AOI, "9"), (BEN, "3")):
        world.reply(who, words)
    assert "1. Aoi took cell 5. 2. Ben took cell 1. 3." in world.answer(AOI, "history")
    assert "== The game so far == 3. Aoi took cell 9. 4. Ben" in world.answer(AOI, "history 2")
    assert "== The game so far == 2. Ben took cell 1. 3. Aoi took cell 9. ==" in world.answer(AOI, "棋譜 2-3")
    assert "So far not that much has happened." in world.answer(AOI, "history 50-60")


# Receipts


def test_an_answer_says_when_the_letter_came(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    world.post(letter)
    world.sleep(minutes=20)
    world.settle()
    assert "Thank you, your letter has arrived. It came on Mon 2 Mar 12:00 UTC." in world.text(AOI)
    assert "Please look below. It came on Mon 2 Mar 12:20 UTC." in world.answer(BEN, "5")


def test_sealed_orders_are_listed_with_the_time_at_which_each_came(world: World) -> None:
    world.game("guess")
    card = next(card for card in "1234" if f"You hold card {card}" not in world.text(AOI))
    world.sleep(hours=1)
    first = world.answer(AOI, card)
    assert f"== {STORED} == - {card} (received on Mon 2 Mar 13:00 UTC)" in first
    world.sleep(hours=1)
    assert f"- {card} (received on Mon 2 Mar 13:00 UTC)" in world.answer(AOI, "me")
    assert STORED not in world.answer(BEN, "me")


def test_no_orders_are_listed_once_the_phase_is_over(world: World) -> None:
    world.game()
    assert STORED not in world.answer(AOI, "5")


def test_me_tells_what_only_the_reader_was_told(world: World) -> None:
    world.game("guess")
    said = world.answer(AOI, "me")
    assert "== What only you know ==" in said
    secret = said.split("== What only you know ==")[1].split("==")[0]
    assert "card" in secret
    world.game()
    assert "So far you have been told nothing that the others do not know." in world.answer(AOI, "自分")


# Settings


def test_each_setting_is_told_back_with_its_value(world: World) -> None:
    world.game()
    said = world.answer(AOI, "zone asia/tokyo\nremind off\nname Aoi Hanada\nformat text")
    for told in (
        "From now on times are given in the zone Asia/Tokyo.",
        "Reminders: off.",
        "the others call you Aoi Hanada.",
        "From now on you get plain text.",
    ):
        assert told in said
    assert "JST" in said
    assert "期限前のお知らせ：オン" in world.answer(AOI, "言語 日本語\n催促 オン")


def test_who_wants_no_reminders_gets_none_until_he_wants_them_again(world: World) -> None:
    world.game(pace="1d")
    assert "Reminders: off." in world.answer(AOI, "remind off")
    before = len(world.letters(AOI))
    world.sleep(hours=20)
    world.settle()
    assert len(world.letters(AOI)) == before
    world.reply(AOI, "5\nremind on")
    world.reply(BEN, "1")
    before = len(world.letters(AOI))
    world.sleep(hours=20)
    world.settle()
    assert len(world.letters(AOI)) == before + 1


def test_a_chosen_name_holds_in_the_games_that_come(world: World) -> None:
    world.game()
    world.reply(AOI, "name 葵")
    assert "Aoi" in world.newest(AOI)["Subject"]
    world.game()
    assert "葵 – Ben" in world.newest(BEN)["Subject"]


def test_a_chosen_name_does_not_take_that_of_another_at_the_table(world: World) -> None:
    world.game()
    world.reply(AOI, "name BEN")
    world.game()
    assert "Aoi – Ben" in world.newest(BEN)["Subject"]


@pytest.mark.parametrize("name", ["x" * 41, "me@example.org"])
def test_a_name_that_would_spoil_a_subject_is_refused(world: World, name: str) -> None:
    world.game()
    assert "does not do as a name" in world.answer(AOI, f"name {name}")


@pytest.mark.parametrize("words", ["remind perhaps", "催促 いつか"])
def test_a_setting_that_cannot_be_read_says_how_to_write_it(world: World, words: str) -> None:
    world.game()
    assert "Write “remind on” or “remind off”." in world.answer(AOI, words)


# Invitations


@pytest.mark.parametrize(
    ("address", "locale", "told"),
    [
        ("aoi@docomo.ne.jp", "ja", "docomoのメールをお使いです。"),
        ("aoi@ezweb.ne.jp", "ja", "「迷惑メールフィルター設定」の「受信リスト設定」に play@corr.test を"),
        ("aoi@i.softbank.jp", "ja", "「受信許可リスト」に play@corr.test を登録"),
        ("aoi@docomo.ne.jp", "en", "add play@corr.test to 受信リスト設定"),
        ("aoi@players.test", "ja", "携帯電話のメールをお使いの方は"),
    ],
)
def test_an_invitation_to_phone_mail_says_what_to_allow(
    world: World, address: str, locale: str, told: str
) -> None:
    people = [Invited("Aoi", address), Invited("Ben", BEN)]
    code = new_game(world.office, Wish("tictactoe", people, locale=locale))
    assert isinstance(code, str)
    assert told.replace(" ", "") in world.text(address).replace(" ", "")
