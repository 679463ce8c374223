"""A letter that may not be its sender's waits until the holder of the seat has said yes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from corr.core.pace import opening
from corr.demo.clients import html_of, text_of
from corr.service.waiting import MOST_TOLD, mask
from tests.service.ledger import deliver, ledger, open_asks, sent_since
from tests.service.world import ADDRESS, AOI, BEN, World, headline

WORK = "aoi@work.test"
EVE = "eve@elsewhere.test"
OURS = "mx.corr.test"


def stray(world: World, words: str, who: str = WORK) -> int:
    """Answer Aoi's newest letter from another address; returns the number of the letter."""
    number = world.post(world.written(who, words, world.newest(AOI)))
    world.settle()
    return number


def bare(world: World, words: str, *on_top: tuple[str, str]) -> int:
    """Write from Aoi's own address without a mark; returns the number of the letter."""
    letter = world.plain(AOI, words)
    head = b"".join(f"{name}: {value}\r\n".encode() for name, value in on_top)
    number = world.receive(head + letter.as_bytes())
    world.settle()
    return number


# One yes carries it out


def test_a_yes_carries_out_a_letter_from_an_unknown_address(world: World) -> None:
    code = world.game()
    before = len(world.outbox())
    number = stray(world, "5")
    assert sent_since(world, before) == [(AOI, "question.was-it-you")]
    assert len(world.events(code)) == 1
    text = world.answer(AOI, "yes")
    assert "Taken: yes" in text
    assert "Taken: 5" in text
    assert len(world.events(code)) == 2
    assert world.inbound(number).status == "done"
    assert "Aoi took cell 5." in world.text(BEN)
    assert world.outbox(WORK) == []


def test_a_yes_adds_no_address(world: World) -> None:
    """The next letter from there waits again: the question showed its address only in part."""
    world.game()
    stray(world, "5")
    text = world.answer(AOI, "yes")
    assert "write “address add” and that address" in text
    world.reply(BEN, "1")
    before = len(world.outbox())
    stray(world, "9")
    assert sent_since(world, before) == [(AOI, "question.was-it-you")]


def test_a_no_throws_it_away(world: World) -> None:
    code = world.game()
    stray(world, "5")
    question = world.newest(AOI)
    assert "thrown away" in world.answer(AOI, "no")
    assert "no question or offer" in world.answer(AOI, "yes", question)
    assert len(world.events(code)) == 1
    assert open_asks(world) == []


def test_a_yes_counts_once(world: World) -> None:
    code = world.game()
    stray(world, "5")
    question = world.newest(AOI)
    world.reply(AOI, "yes", question)
    world.reply(BEN, "1")
    assert "no question or offer" in world.answer(AOI, "yes", question)
    assert len(world.events(code)) == 3


def test_a_yes_to_another_letter_carries_nothing_out(world: World) -> None:
    code = world.game()
    first = world.newest(AOI)
    stray(world, "5")
    assert "no question or offer" in world.answer(AOI, "yes", first)
    assert len(world.events(code)) == 1


def test_the_words_shown_are_the_words_carried_out(world: World) -> None:
    """A newer letter from there gets a question of its own; a yes to the older one does nothing."""
    code = world.game()
    stray(world, "5")
    first = world.newest(AOI)
    stray(world, "9")
    assert "5" in shown(first)
    assert "no question or offer" in world.answer(AOI, "yes", first)
    assert len(world.events(code)) == 1
    newest = next(one for one in reversed(world.letters(AOI)) if "9" in shown(one))
    assert "Taken: 9" in world.answer(AOI, "yes", newest)


def shown(letter: EmailMessage) -> list[str]:
    """Return the words that a question shows."""
    return text_of(letter).partition("I read in it:")[2].partition("If you wrote it")[0].split()


def test_it_is_judged_by_the_position_of_now(world: World) -> None:
    code = world.game()
    stray(world, "5")
    question = world.newest(AOI)
    world.reply(AOI, "1", world.letters(AOI)[0])
    world.reply(BEN, "2")
    text = world.answer(AOI, "yes", question)
    assert "The position has changed since" in text
    assert len(world.events(code)) == 3


def test_what_it_opens_begins_when_the_letter_had_come(world: World) -> None:
    """The time until the yes is nobody's lapse, but the next player is not robbed of his."""
    code = world.game(pace="1d")
    stray(world, "5")
    came = world.now
    world.sleep(minutes=10)
    world.reply(AOI, "yes")
    (due,) = [
        row for row in ledger(world)["deadlines"] if row["status"] == "armed" and row["kind"] == "expire"
    ]
    assert due["due_at"] == opening(came, world.now) + timedelta(days=1)
    assert due["due_at"] < world.now + timedelta(days=1)
    assert len(world.events(code)) == 2


def test_a_resignation_is_asked_once_more(world: World) -> None:
    code = world.game()
    stray(world, "resign")
    assert "yes: I resign" in world.answer(AOI, "yes")
    assert world.row(code).status == "running"
    world.reply(AOI, "yes")
    assert world.row(code).status == "over"


def test_a_yes_to_an_offered_draw_may_wait(world: World) -> None:
    code = world.game()
    world.reply(BEN, "draw")
    stray(world, "yes")
    assert world.row(code).status == "running"
    world.reply(AOI, "yes")
    assert world.row(code).status == "over"


def test_orders_and_words_of_one_letter_are_carried_out_together(world: World) -> None:
    code = world.game()
    stray(world, "help\n5\nHello there\nlang ja")
    text = world.answer(AOI, "yes")
    assert "Taken: 5" in text
    assert "You play by answering letters." in text
    assert "Not carried out: lang ja" in text
    assert len(world.events(code)) == 2


# What a thief can make of it


@pytest.mark.parametrize("words", ["lang ja", "zone Asia/Tokyo", "stop", "address add eve@elsewhere.test"])
def test_what_concerns_the_person_is_never_done_on_a_yes(world: World, words: str) -> None:
    world.game()
    before = ledger(world)["players"], ledger(world)["addresses"]
    stray(world, f"5\n{words}", EVE)
    assert words.split(maxsplit=1)[0] not in shown(world.newest(AOI))
    world.reply(AOI, "yes")
    assert (ledger(world)["players"], ledger(world)["addresses"]) == before
    assert world.outbox(EVE) == []


def test_a_question_shows_no_word_that_the_sender_chose(world: World) -> None:
    world.game()
    evil = "https://evil.test/click\n５\nyes, click https://evil.test\n<b>draw</b>\nDraw!\nCall 0123"
    stray(world, evil, "evil.test@elsewhere.test")
    letter = world.newest(AOI)
    assert shown(letter) == ["5", "draw"]
    for part in (text_of(letter), html_of(letter)):
        assert "evil.test" not in part
        assert "elsewhere" not in part
        assert "0123" not in part


def test_an_address_is_masked_so_that_nothing_of_it_can_be_tapped() -> None:
    assert mask("Aoi.Tanaka@Work.example") == "a…@w…"
    assert mask("@") == "…@…"


def test_a_thief_with_a_mark_cannot_flood_the_holder(world: World) -> None:
    world.game()
    before = len(world.outbox())
    for count in range(12):
        letter = world.written(
            f"eve{count}@elsewhere.test", "5" if count % 2 else "hm", world.letters(AOI)[0]
        )
        world.post(letter)
        world.settle()
    assert [address for address, _ in sent_since(world, before)] == [AOI] * MOST_TOLD
    world.sleep(days=1, minutes=1)
    stray(world, "5", EVE)
    assert len(world.outbox(AOI)) == 1 + MOST_TOLD + 1


def test_whoever_forges_from_cannot_flood_the_holder_with_questions(world: World) -> None:
    world.game()
    deliver(world)
    world.sleep(minutes=1)
    before = len(world.outbox())
    numbers = [bare(world, "5") for _ in range(8)]
    assert sent_since(world, before) == [(AOI, "question.was-it-you")] * MOST_TOLD
    assert world.inbound(numbers[-1]).rules_hit == "told-enough"
    assert len(open_asks(world)) == 1


def test_a_yes_from_the_strange_address_itself_waits_for_nothing(world: World) -> None:
    code = world.game()
    stray(world, "5")
    before = ledger(world)
    stray(world, "yes")
    assert ledger(world) == before
    assert "came from another address" in headline(world.newest(AOI))
    assert len(world.events(code)) == 1


def test_another_players_address_is_never_asked_about(world: World) -> None:
    """Ben brings Aoi's mark: she hears that a letter came, and nothing of whom."""
    world.game()
    before = ledger(world)
    stray(world, "5", BEN)
    assert ledger(world) == before
    assert "b…" not in world.text(AOI)
    assert "came from another address" in headline(world.newest(AOI))


def test_where_nothing_would_change_nothing_waits(world: World) -> None:
    code = world.game()
    stray(world, "help")
    stray(world, "99")
    assert open_asks(world) == []
    world.reply(AOI, "5", world.letters(AOI)[0])
    stray(world, "1")
    assert open_asks(world) == []
    assert len(world.events(code)) == 2


def test_the_end_of_a_game_ends_its_questions(world: World) -> None:
    code = world.game()
    stray(world, "5")
    question = world.newest(AOI)
    world.reply(BEN, "resign")
    world.reply(BEN, "yes")
    assert world.row(code).status == "over"
    assert "The game is over." in world.answer(AOI, "yes", question)
    assert open_asks(world) == []


# A verified address without a mark


def test_a_letter_without_a_mark_waits_for_a_yes(world: World) -> None:
    code = world.game()
    deliver(world)
    world.sleep(minutes=1)
    before = len(world.outbox())
    number = bare(world, "5")
    assert sent_since(world, before) == [(AOI, "question.was-it-you")]
    assert "nothing in it shows that you sent it" in world.text(AOI)
    assert world.inbound(number).problem == "intake.waits"
    assert "Taken: 5" in world.answer(AOI, "yes")
    assert len(world.events(code)) == 2


def test_without_a_mark_it_answers_what_had_been_sent_when_it_came(world: World) -> None:
    """Its writer cannot have seen the position that was sent after it."""
    code = world.game()
    deliver(world)
    world.reply(AOI, "5")
    world.sleep(minutes=1)
    world.reply(BEN, "1")
    bare(world, "9")
    assert open_asks(world) == []
    assert "does not show that it comes from you" in world.text(AOI)
    deliver(world)
    world.sleep(minutes=1)
    bare(world, "9")
    assert "Taken: 9" in world.answer(AOI, "yes")
    assert len(world.events(code)) == 4


def trusting(world: World) -> None:
    """Configure the name of our own mail server."""
    world.office = replace(world.office, authserv_id=OURS)
    deliver(world)
    world.sleep(minutes=1)


RESULTS = ("Authentication-Results", f"{OURS}; dmarc=pass header.from=players.test")
RECEIVED = ("Received", f"from out by {OURS} with ESMTPS id 1; Mon, 2 Mar 2026 12:00:00 +0000")


def test_proof_by_our_own_server_counts_like_a_mark(world: World) -> None:
    code = world.game()
    trusting(world)
    number = bare(world, "5", RESULTS, RECEIVED)
    assert world.inbound(number).rules_hit == "proven"
    assert "Taken: 5" in world.text(AOI)
    assert len(world.events(code)) == 2


def test_proof_makes_no_stale_letter_fresh(world: World) -> None:
    code = world.game()
    trusting(world)
    world.reply(AOI, "5")
    world.reply(BEN, "1")
    bare(world, "9", RESULTS, RECEIVED)
    assert "The position has changed since" in world.text(AOI)
    bare(world, "anyway\n9", RESULTS, RECEIVED)
    assert "Taken: 9" in world.text(AOI)
    assert len(world.events(code)) == 4


def test_proof_answers_no_question(world: World) -> None:
    code = world.game()
    trusting(world)
    world.reply(BEN, "draw")
    bare(world, "yes", RESULTS, RECEIVED)
    assert world.row(code).status == "running"


@pytest.mark.parametrize(
    "on_top",
    [
        (),
        (RESULTS,),
        (RECEIVED, RESULTS),
        ((RESULTS[0], RESULTS[1].replace(OURS, "mx.evil.test")), RECEIVED),
        ((RESULTS[0], RESULTS[1].replace("=players", "=elsewhere")), RECEIVED),
        ((RESULTS[0], RESULTS[1].replace("pass", "fail")), RECEIVED, RESULTS),
    ],
)
def test_a_forged_header_proves_nothing(world: World, on_top: tuple[tuple[str, str], ...]) -> None:
    world.game()
    trusting(world)
    before, letters = ledger(world), len(world.outbox())
    bare(world, "5", *on_top)
    (ask,) = open_asks(world)
    assert ledger(world) == before | {"asks": [ask.model_dump()]}
    assert sent_since(world, letters) == [(AOI, "question.was-it-you")]


def test_without_a_configured_server_nobody_is_believed(world: World) -> None:
    code = world.game()
    deliver(world)
    world.sleep(minutes=1)
    bare(world, "5", RESULTS, RECEIVED)
    assert len(open_asks(world)) == 1
    assert len(world.events(code)) == 1


def test_proof_helps_no_stranger_with_a_mark(world: World) -> None:
    code = world.game()
    trusting(world)
    letter = world.written(EVE, "5", world.newest(AOI))
    on_top = (
        f"{RESULTS[0]}: {OURS}; dmarc=pass header.from=elsewhere.test\r\n{RECEIVED[0]}: {RECEIVED[1]}\r\n"
    )
    world.receive(on_top.encode() + letter.as_bytes())
    world.settle()
    assert len(world.events(code)) == 1
    assert world.outbox(EVE) == []


def test_a_question_is_polite_in_japanese(world: World) -> None:
    world.game(locale="ja")
    stray(world, "5")
    assert "ご本人からのものでしょうか" in headline(world.newest(AOI))
    assert "はい：自分で送りました" in world.text(AOI)
    assert "先ほどのメールの内容を扱いました" in world.answer(AOI, "はい")


def test_the_mailbox_of_the_question_is_corrs_own(world: World) -> None:
    world.game()
    stray(world, "5")
    assert str(world.newest(AOI)["From"]).endswith(f"<{ADDRESS}>")


@pytest.mark.parametrize("words", ["*5*", "- 5"])
def test_an_order_waits_with_the_marks_around_it(world: World, words: str) -> None:
    """What is read as an order of the holder is one in a letter that waits, too."""
    code = world.game()
    assert world.reply("aoi@elsewhere.test", words, world.newest(AOI)).problem == "intake.waits"
    world.reply(AOI, "yes")
    assert len(world.events(code)) == 2
