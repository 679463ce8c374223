"""A letter's orders: taken, refused with the reason, or not read; and who is told."""

from __future__ import annotations

import pytest

from corr.core import marks
from corr.demo.clients import gmail_ja, outlook
from corr.demo.player import offered
from tests.service.ledger import ledger
from tests.service.world import AOI, BEN, World, counts, headline

STUCK_WHITE = "/".join(["....w....", *["........."] * 6, ".....b...", "....b...."])
"""Black can jump 59-37; White's only man can never move."""

TWO_JUMPS = ("48-26", "28-46")
"""Two moves that one side can make in succession from the start."""


def test_an_order_is_taken_and_both_are_written_to(world: World) -> None:
    code = world.game()
    assert world.reply(AOI, "5").status == "done"
    assert "Taken: 5" in world.text(AOI)
    assert headline(world.newest(AOI)).startswith("Waiting for Ben")
    assert headline(world.newest(BEN)).startswith("Your move")
    assert "Aoi took cell 5." in world.text(BEN)
    assert counts(world) == (2, 2)
    assert [(event.kind, event.seat, event.words) for event in world.events(code)][1:] == [("marked", 1, "5")]


def test_a_letter_has_one_answer_in_its_thread(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    world.post(letter)
    world.settle()
    answer = world.newest(AOI)
    assert str(answer["In-Reply-To"]).strip() == letter["Message-ID"]
    assert answer["Subject"] == letter["Subject"].removeprefix("Re: ")
    assert answer["Auto-Submitted"] == "auto-replied"


def test_an_illegal_order_is_refused_with_its_reason_and_what_is_legal(world: World) -> None:
    code = world.game()
    world.reply(AOI, "5")
    received = world.reply(BEN, "5")
    assert (received.status, received.problem) == ("refused", "tictactoe.taken")
    text = world.text(BEN)
    assert "Not carried out: 5" in text
    assert "Cell 5 is taken." in text
    assert "1 2 3 4 6 7 8 9" in text
    assert counts(world) == (2, 3)
    assert len(world.events(code)) == 2


def test_an_order_that_can_mean_several_lists_them_and_any_of_them_is_taken(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    received = world.reply(AOI, "48")
    assert (received.status, received.problem) == ("refused", "ambiguous.order")
    assert "Did you mean one of these? 48-26 48-66" in world.text(AOI)
    assert "48-26" in offered(world.newest(AOI))
    assert world.reply(AOI, "48-26").status == "done"


def test_chatter_is_not_read_and_does_no_harm(world: World) -> None:
    world.game()
    assert world.reply(AOI, "Good morning, Ben!\n5\nBest wishes").status == "done"
    text = world.text(AOI)
    for words in ("Good morning, Ben!", "Best wishes"):
        assert f"Not read as a move: {words}" in text
        assert words not in world.text(BEN)
    assert "Taken: 5" in text


def test_good_lines_count_beside_bad_ones(world: World) -> None:
    world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    assert world.reply(AOI, "11-33\n48-26").status == "done"
    assert "Not carried out: 11-33" in world.text(AOI)
    assert "Taken: 48-26" in world.text(AOI)


@pytest.mark.parametrize("word", ["together", "一括"])
def test_together_takes_all_lines_or_none(world: World, word: str) -> None:
    code = world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    world.reply(AOI, f"{word}\n48-26\n11-33")
    assert "Not carried out: 48-26 Taken back, since you asked for all or nothing" in world.text(AOI)
    assert len(world.events(code)) == 1
    world.reply(AOI, "\n".join((word, *TWO_JUMPS)))
    assert headline(world.newest(BEN)).startswith("Your move")


ILLEGAL, LEGAL = "11-33", "48-26"


@pytest.mark.parametrize(
    ("lines", "taken_back"),
    [
        (("lang ja", LEGAL, ILLEGAL), "lang ja"),
        ((LEGAL, "zone Atlantis"), LEGAL),
        ((LEGAL, "lang klingon", "say Good luck!"), "Good luck!"),
        (("draw", ILLEGAL), "draw"),
    ],
)
def test_with_together_orders_and_words_count_all_or_none(
    world: World, lines: tuple[str, ...], taken_back: str
) -> None:
    """A letter of which nothing was done is not done, though the word itself was understood."""
    world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    before = ledger(world)
    received = world.reply(AOI, "\n".join(("together", *lines)))
    assert received.status == "refused"
    assert received.problem is not None
    assert f"Not carried out: {taken_back} Taken back, since you asked" in world.text(AOI)
    assert ledger(world) == before
    assert len(world.outbox(BEN)) == 1, "nobody else hears of it"


def test_with_together_help_is_given_all_the_same(world: World) -> None:
    """It changes nothing, and whoever wrote a bad line may need it."""
    world.game("ukulele", options={"first_player": "1", "handicap": "2"})
    assert world.reply(AOI, f"together\nhelp orders\n{ILLEGAL}").status == "done"


def test_a_word_about_the_other_lines_alone_does_nothing(world: World) -> None:
    world.game()
    for words in ("together", "anyway", "together\nthank you"):
        assert world.reply(AOI, words).status == "refused"


def test_a_reply_to_an_old_position_is_refused_unless_the_player_writes_anyway(world: World) -> None:
    world.game()
    old = world.newest(AOI)
    world.reply(AOI, "5")
    world.reply(BEN, "1")
    received = world.reply(AOI, "9", old)
    assert (received.status, received.problem) == ("refused", "timing.stale")
    assert headline(world.newest(AOI)).startswith("Not carried out: “9”")
    assert world.reply(AOI, "9\nanyway", old).status == "done"
    assert "Aoi took cell 9." in world.text(BEN)


def test_chatter_in_an_old_reply_stays_unread(world: World) -> None:
    world.game()
    old = world.newest(AOI)
    world.reply(AOI, "5")
    world.reply(BEN, "1")
    world.reply(AOI, "hello there\n9", old)
    assert "Not read as a move: hello there" in world.text(AOI)


def test_half_turns_of_a_handicap_are_told_to_the_opponent_once_and_whole(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1", "handicap": "3"})
    position = world.row(code).position
    first = world.newest(AOI)
    world.reply(AOI, TWO_JUMPS[0])
    world.reply(AOI, TWO_JUMPS[1])
    assert counts(world) == (3, 1)
    assert world.row(code).position == position
    third = offered(world.newest(AOI))[0]
    world.reply(AOI, third, first)  # the first letter is no older than the turn
    assert counts(world) == (4, 2)
    told = world.text(BEN).partition("== What happened ==")[2].partition("== The position ==")[0]
    for jump in (*TWO_JUMPS, third):
        assert jump.replace("-", " to ") in told or jump in told
    assert world.row(code).position == position + 1


def test_a_forced_pass_is_told(world: World) -> None:
    world.game("ukulele", options={"first_player": "1", "position": f"{STUCK_WHITE} b - 2"})
    world.reply(AOI, "59-37")
    for who in (AOI, BEN):
        assert "Ben had no move and passed." in world.text(who)
        assert "37" in world.text(who)
    assert headline(world.newest(AOI)).startswith("Your move")


def test_orders_out_of_turn_are_not_read(world: World) -> None:
    code = world.game()
    received = world.reply(BEN, "5")
    assert (received.status, received.problem) == ("refused", "timing.not-your-turn")
    assert "It is not your turn." in world.text(BEN)
    assert len(world.events(code)) == 1


def test_the_move_that_ends_the_game_sends_everybody_the_result_and_the_record(world: World) -> None:
    code = world.game(options={"position": "11.22...."})
    assert world.reply(AOI, "3").status == "done"
    for who in (AOI, BEN):
        assert "is over. Aoi won. Three in a row." in headline(world.newest(who))
        assert "1. Aoi took cell 3." in world.text(who)
    assert "Taken: 3" in world.text(AOI)
    row = world.row(code)
    assert (row.status, row.outcome) == ("over", {"winners": [1], "reason": "three-in-a-row"})
    assert row.phase_key is None


def test_after_the_end_orders_are_not_read_and_the_rules_and_the_record_still_are(world: World) -> None:
    world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    received = world.reply(BEN, "9")
    assert (received.status, received.problem) == ("refused", "timing.over")
    assert "Aoi took cell 3." in world.answer(BEN, "history")
    assert "Three in a row win." in world.answer(BEN, "rules")


def test_the_words_of_a_subject_count_when_the_body_has_none(world: World) -> None:
    world.game()
    letter = world.written(AOI, "")
    letter.replace_header("Subject", "resign")
    number = world.post(letter)
    world.settle()
    assert world.inbound(number).status == "done"
    assert "Do you really want to resign" in headline(world.newest(AOI))


@pytest.mark.parametrize("reply", ["Re: ", "AW: ", "返信："])
@pytest.mark.parametrize("locale", ["en", "ja"])
def test_an_order_beside_our_own_subject_counts_when_the_body_has_none(
    world: World, locale: str, reply: str
) -> None:
    """Whichever letter is answered, and in whichever language it was written."""
    world.game("ukulele", options={"first_player": "1"})
    world.reply(AOI, f"lang {locale}")
    answered = world.newest(AOI)
    world.reply(AOI, "lang en" if locale == "ja" else "lang ja")
    letter = world.written(AOI, "", answered)
    letter.replace_header("Subject", f"{reply}{answered['Subject']} 59-26")
    number = world.post(letter)
    world.settle()
    assert world.inbound(number).status == "done"


@pytest.mark.parametrize("name", ["resign", "59-26", "投了", "5"])
def test_a_player_may_be_called_like_an_order_and_an_empty_reply_gives_none(world: World, name: str) -> None:
    code = world.game("ukulele", options={"first_player": "1"}, seats=((name, AOI), ("Ben", BEN)))
    received = world.reply(AOI, "")
    assert (received.status, received.problem) == ("refused", "reading.empty")
    assert len(world.events(code)) == 1


def test_the_words_of_a_subject_do_not_count_when_the_body_has_some(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    letter.replace_header("Subject", "resign")
    world.post(letter)
    world.settle()
    assert "resign" not in headline(world.newest(AOI))
    assert "Taken: 5" in world.text(AOI)


def test_of_more_than_a_hundred_lines_the_first_hundred_are_read_and_the_answer_says_so(world: World) -> None:
    world.game()
    world.reply(AOI, "\n".join([*(f"line number {n} of a long letter" for n in range(100)), "5"]))
    assert "only the first 100 were read" in world.text(AOI)
    assert "Taken: 5" not in world.text(AOI)


@pytest.mark.parametrize("words", ["", "\n\n", "-- \nAoi"])
def test_an_empty_letter_is_answered(world: World, words: str) -> None:
    world.game()
    received = world.reply(AOI, words)
    assert (received.status, received.problem) == ("refused", "reading.empty")
    assert "I found no new words in your letter" in world.text(AOI)


@pytest.mark.parametrize("words", ["４八-２六", "4八の駒を2六へ", "４８－２６", "48 to 26", "48ー26"])
def test_orders_are_read_as_japanese_people_write_them(world: World, words: str) -> None:
    world.game("ukulele", locale="ja", options={"first_player": "1"})
    assert world.reply(AOI, words, client=gmail_ja).status == "done"
    assert "受け付けました：4八-2六" in world.text(AOI)


def test_an_answer_is_in_the_language_of_each_reader(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    world.reply(BEN, "lang ja")
    world.reply(AOI, "48-26", client=outlook)
    assert "Taken: 48-26" in world.text(AOI)
    assert "2六" in world.text(BEN)


def test_another_seats_sealed_order_changes_nothing_in_an_acknowledgement(world: World) -> None:
    """Which of two was quicker is a secret while a phase is open: only the reader's own counter moves."""
    world.game("guess")
    before = world.answer(AOI, "help")
    mark = next(marks.find([str(world.newest(AOI)["Reply-To"])])).mark
    assert world.reply(BEN, guess_of(world, BEN)).status == "done"
    assert world.answer(AOI, "help") == before
    again = next(marks.find([str(world.newest(AOI)["Reply-To"])])).mark
    assert again == mark._replace(letter=mark.letter + 1)


def test_a_sealed_order_makes_no_reply_of_the_other_stale(world: World) -> None:
    world.game("guess")
    letter = world.newest(AOI)
    world.reply(BEN, guess_of(world, BEN))
    assert counts(world) == (1, 2)
    assert world.reply(AOI, guess_of(world, AOI), letter).status == "done"


def test_of_a_sealed_order_the_other_seat_reads_nothing_before_the_phase_closes(world: World) -> None:
    world.game("guess")
    world.reply(BEN, guess_of(world, BEN))
    assert "Ben guessed" not in world.answer(AOI, "history")
    world.reply(AOI, guess_of(world, AOI))
    assert "Ben guessed" in world.text(AOI)


def guess_of(world: World, who: str) -> str:
    """Return an order that the newest letter offers."""
    return next(words for words in offered(world.newest(who)) if words in tuple("1234"))
