"""A line that nobody could read is answered with what it may have meant, and has no effect."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from corr.demo.clients import text_of
from tests.service.world import AOI, BEN, World

OFFER = "Did you mean this? Then write it so:"


@pytest.mark.parametrize(("slip", "meant"), [("resing", "resign"), ("hlep", "help"), ("darw", "draw")])
def test_the_nearest_word_is_offered_and_not_acted_on(world: World, slip: str, meant: str) -> None:
    code = world.game()
    said = world.answer(AOI, slip)
    assert f"{OFFER} {meant} " in said
    assert len(world.events(code)) == 1
    assert world.row(code).status == "running"


def test_the_nearest_legal_order_is_offered_as_the_reader_would_type_it(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    said = world.answer(AOI, "59-62")
    assert OFFER in said
    offered = said.split(OFFER)[1].split()
    assert len(world.events(code)) == 1
    assert world.reply(AOI, offered[0]).status == "done"
    assert len(world.events(code)) == 2


def test_words_are_offered_to_those_who_must_wait_and_orders_are_not(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    assert f"{OFFER} history " in world.answer(BEN, "histroy")
    assert OFFER not in world.answer(BEN, "59-62")


@pytest.mark.parametrize("chatter", ["Hello Ben, nice to meet you!", "hi", "お久しぶりです。"])
def test_chatter_is_left_alone(world: World, chatter: str) -> None:
    world.game()
    assert OFFER not in world.answer(AOI, chatter)


def test_an_order_that_came_too_late_is_no_slip(world: World) -> None:
    world.game()
    first = world.newest(AOI)
    world.reply(AOI, "5")
    world.reply(BEN, "1")
    assert OFFER not in world.answer(AOI, "9", first)


def outlook_inside(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply with Outlook, and write between the lines of the quoted letter instead of above it."""
    text = text_of(letter).replace("\r\n", "\n")
    head, _, rest = text.partition("\n\n")
    block = f"{'_' * 32}\nFrom: corr <play@corr.test>\nSent: Monday, November 30, 2026 9:15 PM\n"
    reply = EmailMessage()
    quoted = f"{head}\n\n{words}\n\n{rest}"
    reply.set_content(f"\n{block}To: Aoi\nSubject: {letter['Subject']}\n\n{quoted}\n", charset="utf-8")
    return reply


def answered(world: World, words: str) -> str:
    """Let Aoi write so; returns the answer."""
    world.reply(AOI, words, client=outlook_inside)
    return world.text(AOI)


def test_an_order_among_the_quoted_words_is_shown_and_not_played(world: World) -> None:
    """Corr asks and does not guess; its own moves, which stand there too, are not offered."""
    code = world.game("ukulele", options={"first_player": "1"})
    said = answered(world, "5九の駒を2六へ")
    assert "something among the quoted words may be yours" in said
    assert "5九の駒を2六へ" in said
    assert len(world.events(code)) == 1


@pytest.mark.parametrize("above", ["", "-----Original Message-----\n"])
def test_no_example_of_corrs_is_played_where_its_letter_stands_unquoted(world: World, above: str) -> None:
    """The program put neither a mark nor a head on it, and the order stands below."""

    def bare_below(words: str, letter: EmailMessage) -> EmailMessage:
        reply = EmailMessage()
        reply.set_content(f"{above}{text_of(letter)}\n\n{words}\n")
        return reply

    code = world.game("ukulele", options={"first_player": "1"})
    world.reply(AOI, "59-26", client=bare_below)
    assert "Did you mean one of these? 59-26 ==" in world.text(AOI)
    assert len(world.events(code)) == 1


@pytest.mark.parametrize(
    "words",
    ["59-26, sorry for being so late, my phone was broken", "Mein Zug: 59-26", "次の手は59-26にします"],
)
def test_an_order_in_a_sentence_is_offered_and_not_played(world: World, words: str) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    assert f"{OFFER} 59-26 " in world.answer(AOI, words)
    assert len(world.events(code)) == 1


def test_a_reply_without_any_word_is_told_so(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    assert "I found no new words in your letter." in answered(world, "")
    assert len(world.events(code)) == 1


EXAMPLE = "Now you could write, for example:"
NOW = "いまでしたら、たとえば次のように書けます。"


@pytest.mark.parametrize("engine", ["ukulele", "naishi", "bakenushi", "tictactoe"])
def test_whoever_writes_no_order_reads_one_that_is_legal_now(world: World, engine: str) -> None:
    """In each game, whatever it waits for: the example itself is taken when it is sent."""
    world.game(engine)
    for _ in range(4):
        mover = next(who for who in (AOI, BEN) if EXAMPLE in world.answer(who, "What a fine evening!"))
        order = orders_shown(world, mover, EXAMPLE)[0]
        assert world.reply(mover, order).status == "done"


def orders_shown(world: World, who: str, heading: str) -> list[str]:
    """Return the lines below a heading of the newest letter."""
    text = text_of(world.newest(who)).replace("\r\n", "\n").partition(heading)[2]
    return [line.strip() for line in text.strip("\n").partition("\n\n")[0].split("\n")]


def test_the_example_is_written_as_the_reader_writes(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"}, locale="ja")
    world.answer(AOI, "良い夜ですね。")
    (order,) = orders_shown(world, AOI, NOW)
    assert "九" in order
    assert world.reply(AOI, order).status == "done"


def test_whoever_must_wait_reads_no_example(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    assert EXAMPLE not in world.answer(BEN, "What a fine evening!")


def test_under_five_lines_of_chatter_the_reason_stands_once(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    said = world.answer(AOI, "Hello Ben,\nwhat a night.\nIt rains here.\nDoes it there?\nYours, Aoi")
    assert said.count("Not read as a move:") == 5
    assert said.count("This does not read as a move.") == 1
    assert said.count(EXAMPLE) == 1


@pytest.mark.parametrize("words", ["59-26 (^^)", "59-26 m(__)m", "59-26 :)", "59-26 w", "５９－２６（＾＾）"])
def test_an_order_with_a_face_is_that_order(world: World, words: str) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    world.reply(AOI, words)
    assert [event.words for event in world.events(code)[1:]] == ["59-26"]


def test_a_face_behind_a_word_of_thanks_is_chatter(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    assert world.reply(AOI, "よろしくm(_ _)m").problem == "ukulele.unread"
    assert len(world.events(code)) == 1
