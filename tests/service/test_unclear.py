"""Letters that answer and play at once, answer nothing, or hide a move among other words."""

from __future__ import annotations

import pytest

from corr.demo.clients import gmail_ja
from tests.service.ledger import ledger
from tests.service.talkers import heard
from tests.service.world import AOI, BEN, World, headline

pytestmark = pytest.mark.parametrize("source", ["sqlite"], indirect=True)  # words are the same on both

# Answering and playing


@pytest.mark.parametrize("words", ["no\n1", "1\nno", "no draw\n1", "いいえ\n1", "no, thanks\n1"])
def test_who_declines_a_draw_and_plays_has_done_both(world: World, words: str) -> None:
    code = world.game()
    world.reply(AOI, "5\ndraw")
    assert world.reply(BEN, words, client=gmail_ja).status == "done"
    said = world.text(BEN)
    assert "You decline the draw; the game goes on." in said
    assert "Taken: 1" in said
    assert "Not carried out" not in said
    assert world.row(code).position == 3


@pytest.mark.parametrize(
    "words", ["yes\n1", "1\nはい", "together\nyes\n1", "Hi!\nyes\n1\nBest wishes", "yes\n1\nno"]
)
def test_who_accepts_a_draw_and_plays_on_is_asked_which_is_meant(world: World, words: str) -> None:
    """The one ends the game and the other declines: nobody shall guess."""
    code = world.game()
    world.reply(AOI, "5\ndraw")
    assert world.reply(BEN, words, client=gmail_ja).problem == "ask.contradiction"
    assert world.row(code).status == "running"
    assert world.row(code).position == 2
    said = world.text(BEN)
    assert "Not carried out: 1" in said
    assert "write only the one that you mean" in said
    assert "yes: call it a draw" in said
    world.reply(BEN, "yes")
    assert world.row(code).outcome == {"winners": [], "reason": "agreement"}


def test_who_was_asked_which_is_meant_can_play_on(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5\ndraw")
    world.reply(BEN, "yes\n1")
    world.reply(BEN, "no\n1")
    assert world.row(code).position == 3
    assert "You decline the draw" in world.text(BEN)


def test_a_yes_to_resigning_beside_a_move_does_neither(world: World) -> None:
    code = world.game()
    world.reply(AOI, "resign")
    before = ledger(world)
    assert world.reply(AOI, "yes\n5").problem == "ask.contradiction"
    assert ledger(world) == before
    assert "yes: I resign" in world.text(AOI)
    world.reply(AOI, "no\n5")
    assert "You have not resigned" in world.text(AOI)
    assert world.row(code).position == 2


# Yes and no that answer nothing


@pytest.mark.parametrize(
    "words", ["No, sorry for the delay", "Yes! It was a nice evening", "はい、お待たせしました", "No thanks!"]
)
def test_a_yes_or_no_with_more_words_is_chatter_where_nothing_was_asked(world: World, words: str) -> None:
    world.game()
    assert world.reply(AOI, f"{words}\n5", client=gmail_ja).status == "done"
    assert headline(world.newest(AOI)).startswith("Waiting for Ben")
    assert "Not carried out" not in world.text(AOI)
    assert "Taken: 5" in world.text(AOI)


def test_chatter_that_begins_with_no_takes_nothing_back(world: World) -> None:
    code = world.game()
    world.reply(AOI, "together\nNo, sorry for the delay\n5")
    assert world.row(code).position == 2


def test_a_friendly_yes_after_the_end_is_chatter(world: World) -> None:
    world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    world.reply(BEN, "Yes, good game!")
    assert "Not carried out" not in world.text(BEN)


# Questions that are not answered


@pytest.mark.parametrize(
    "words", ["ok", "Okay!", "sure", "yep", "Ja", "oui", "si", "うん", "ええ", "お願いします", "Let me think"]
)
def test_what_is_neither_yes_nor_no_resigns_nothing_and_is_asked_again(world: World, words: str) -> None:
    code = world.game()
    world.reply(AOI, "resign")
    world.reply(AOI, words, client=gmail_ja)
    assert world.row(code).status == "running"
    assert "Do you really want to resign" in headline(world.newest(AOI))
    said = world.text(AOI)
    assert "Please answer the question with yes or no." in said
    assert "cell" not in said.split("== The position")[0], "nothing about how moves are written"
    world.reply(AOI, "yes")
    assert world.row(code).outcome == {"winners": [2], "reason": "resignation"}


@pytest.mark.parametrize("words", ["ok", "うん", "Nice idea"])
def test_what_is_neither_yes_nor_no_accepts_no_draw_and_is_asked_again(world: World, words: str) -> None:
    code = world.game()
    world.reply(AOI, "draw")
    world.reply(BEN, words, client=gmail_ja)
    assert world.row(code).status == "running"
    assert "Aoi offers a draw" in headline(world.newest(BEN))
    assert "yes: call it a draw" in world.text(BEN)
    world.reply(BEN, "yes")
    assert world.row(code).status == "over"


def test_an_order_that_is_refused_leaves_the_question_open_and_it_is_put_again(world: World) -> None:
    world.game()
    world.reply(AOI, "5\ndraw")
    world.reply(BEN, "5")
    assert "Cell 5 is taken." in world.text(BEN)
    assert "yes: call it a draw" in world.text(BEN)


@pytest.mark.parametrize("words", ["help", "5"])
def test_a_question_is_not_put_again_to_who_did_something_else(world: World, words: str) -> None:
    world.game()
    world.reply(AOI, "resign")
    world.reply(AOI, words)
    assert "yes: I resign" not in world.text(AOI)


def test_a_question_that_is_settled_is_not_put_again(world: World) -> None:
    world.game()
    world.reply(AOI, "resign")
    question = world.newest(AOI)
    world.reply(AOI, "no", question)
    world.reply(AOI, "ok", question)
    assert "yes: I resign" not in world.text(AOI)


def test_who_was_asked_whether_a_letter_was_his_is_pointed_to_that_question(world: World) -> None:
    code = world.game()
    world.post(world.written("aoi@work.test", "5", world.newest(AOI)))
    world.settle()
    question = world.newest(AOI)
    assert "Did you write this letter" in headline(question)
    assert "Please reply to my earlier letter with yes or no." in world.answer(AOI, "ok", question)
    world.reply(AOI, "yes", question)
    assert world.row(code).position == 2


# Moves among other words


@pytest.mark.parametrize(
    "words", ["Say hello to your wife\n5", "report is due, sorry\nok\n5\nBen", "tell gm I am away\n５"]
)
def test_a_move_among_what_is_said_is_not_played_and_the_answer_says_how_to_play_it(
    world: World, words: str
) -> None:
    code = world.game()
    world.reply(AOI, words)
    assert world.row(code).position == 1
    assert "“5” stands in your message, so it was not played. To play it, write /5" in world.text(AOI)
    world.reply(AOI, "/5")
    assert world.row(code).position == 2


def test_of_a_move_that_was_said_to_the_others_they_hear_no_remark(world: World) -> None:
    world.game()
    world.reply(AOI, "say hello\n5")
    assert heard(world, BEN) == ["hello\n5"]
    assert "/5" not in world.text(BEN)


@pytest.mark.parametrize(
    ("who", "words"), [(AOI, "5\nsay hello\n1"), (BEN, "say hello\n1"), (AOI, "say\nHi!")]
)
def test_what_cannot_be_a_move_now_gets_no_such_remark(world: World, who: str, words: str) -> None:
    world.game()
    world.reply(who, words)
    assert "stands in your message" not in world.text(who)


# Names


@pytest.mark.parametrize(
    "words",
    ["Name of the game!", "name of the game", "Name is Bob", "name: anything, really", "name What is yours?"],
)
def test_a_sentence_that_begins_with_name_gives_nobody_one(world: World, words: str) -> None:
    world.game()
    assert world.reply(AOI, f"{words}\n5").status == "done"
    assert "the others call you" not in world.text(AOI)
    assert headline(world.newest(AOI)).startswith("Waiting for Ben")
    world.game()
    assert "Aoi – Ben" in world.newest(BEN)["Subject"]


def test_who_may_have_meant_a_name_reads_how_one_is_written(world: World) -> None:
    world.game()
    assert "write “name” and the name alone" in world.answer(AOI, "name aoi of the north")


@pytest.mark.parametrize("name", ["Aoi Hanada", "Maria del Carmen", "aoi", "葵", "K. O'Neil", "Jean-Luc 2"])
def test_what_looks_like_a_name_is_one(world: World, name: str) -> None:
    world.game()
    assert f"the others call you {name}" in world.answer(AOI, f"name {name}")


# All or nothing


def test_a_letter_that_is_cut_at_its_hundredth_line_is_not_whole(world: World) -> None:
    code = world.game()
    world.reply(AOI, "\n".join(["together", "5", *(f"line number {n} of a long letter" for n in range(99))]))
    assert world.row(code).position == 1
    assert "only the first 100 were read" in world.text(AOI)
    assert "Not carried out: 5 Taken back" in world.text(AOI)
