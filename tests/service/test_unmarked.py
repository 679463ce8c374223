"""A program that quotes without any mark, and a marker that was deleted: corr reads what is not its own."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from textwrap import wrap

import pytest

from corr.core.fold import fold
from corr.core.turn import is_order
from corr.demo.clients import Client, html_of, text_of
from corr.service.receive import answered_text
from corr.service.sitting import Sitting
from engines.api import Phase
from tests.service.world import AOI, BEN, World, found

Shape = Callable[[EmailMessage], str]


def plain(letter: EmailMessage) -> str:
    """Return what stands below the marker."""
    return text_of(letter).replace("\r\n", "\n").partition("\n\n")[2].rstrip()


def narrow(letter: EmailMessage) -> str:
    """Break its lines anew, as for a phone: some words of corr stand alone then."""
    return "\n".join(piece for line in plain(letter).split("\n") for piece in wrap(line, 26) or [""])


def tail(letter: EmailMessage) -> str:
    """Keep only what stands from the example on."""
    return plain(letter).partition("== What you can do ==")[2]


def alone(letter: EmailMessage) -> str:
    """Break its lines anew so that its last word stands alone, which is one that ends a game."""
    text = plain(letter)
    assert text.endswith(" resign.")
    return f"{text.removesuffix(' resign.')}\nresign."


def bit(letter: EmailMessage) -> str:
    """Keep the example, and the lines right above and below it."""
    return tail(letter).partition("Whoever")[0].rstrip()


SHAPES: tuple[Shape, ...] = (plain, narrow, tail, alone, bit)


def unmarked(shape: Shape, above: str = "") -> Client:
    """Return a program that puts neither a mark nor a head on the old letter; the new words stand below."""

    def client(words: str, letter: EmailMessage) -> EmailMessage:
        reply = EmailMessage()
        reply.set_content(f"{above}\n\n{shape(letter)}\n\n{words}\n")
        return reply

    return client


def in_html(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply in HTML alone, with the old letter as it stood and without its marker."""
    reply = EmailMessage()
    inside = html_of(letter).replace("##- Reply above this line", "")
    reply.set_content(f"{inside}<p>{words}</p>", subtype="html")
    return reply


def begun(world: World) -> str:
    """Begin a game of Ukulele in which Aoi is to move; returns its code."""
    return world.game("ukulele", options={"first_player": "1"})


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_of_corrs_own_letter_is_carried_out(world: World, shape: Shape) -> None:
    """Neither its example nor a word of it that was broken off."""
    code = begun(world)
    row = world.reply(AOI, "", client=unmarked(shape))
    assert (row.status, len(world.events(code)), world.row(code).status) == ("refused", 1, "running")
    assert "I found no new words in your letter." in world.text(AOI)


@pytest.mark.parametrize("client", [*map(unmarked, SHAPES[:2]), unmarked(alone), in_html])
def test_an_order_below_is_played_and_no_other(world: World, client: Client) -> None:
    """It stands among the legal ones that corr has listed, too."""
    code = begun(world)
    world.reply(AOI, "59-26", client=client)
    assert [event.words for event in world.events(code)[1:]] == ["59-26"]


def test_an_order_above_is_played_and_no_other(world: World) -> None:
    code = begun(world)
    world.reply(AOI, "", client=unmarked(plain, "59-26"))
    assert [event.words for event in world.events(code)[1:]] == ["59-26"]
    assert "Not read" not in world.text(AOI)


def test_a_yes_below_a_question_is_a_yes(world: World) -> None:
    code = begun(world)
    world.reply(AOI, "resign")
    world.reply(AOI, "はい", client=unmarked(plain))
    assert world.row(code).status == "over"


def test_a_quoted_question_is_no_yes(world: World) -> None:
    """It shows how a yes is written."""
    code = begun(world)
    world.reply(AOI, "resign")
    world.reply(AOI, "let me think", client=unmarked(plain))
    assert world.row(code).status == "running"


@pytest.mark.parametrize(("words", "status"), [("", "open"), ("はい", "running")])
def test_an_invitation_is_accepted_by_the_player_and_not_by_its_own_words(
    world: World, words: str, status: str
) -> None:
    code = world.wish()
    assert isinstance(code, str)
    world.reply(BEN, "yes")
    world.reply(AOI, words, client=unmarked(plain))
    assert world.row(code).status == status


def test_from_another_address_it_is_read_alike(world: World) -> None:
    """The question that the holder is asked shows the order of the writer, and none of corr's."""
    begun(world)
    world.reply("aoi@work.test", "59-86", world.newest(AOI), client=unmarked(plain))
    shown = text_of(world.newest(AOI)).partition("I read in it:")[2].partition("If you wrote it")[0].split()
    assert shown == ["59-86"]


def test_of_a_quoted_letter_of_talk_nothing_is_said(world: World) -> None:
    begun(world)
    world.reply(BEN, "say How do you do?")
    world.reply(AOI, "Very well.\n\nAnd you?", client=unmarked(plain))
    assert "Very well. And you?" in world.text(BEN)
    assert "How do you do?" not in world.text(BEN)


def test_behind_say_nothing_of_corrs_letter_is_said(world: World) -> None:
    begun(world)
    world.reply(AOI, "", client=unmarked(plain, "say Hello"))
    assert "Hello" in world.text(BEN)
    assert "How to check the luck" not in world.text(BEN).partition("Hello")[2]


def test_a_line_of_corrs_that_was_typed_alone_is_the_players(world: World) -> None:
    """Orders are copied out of the letter that lists them."""
    code = world.game("naishi")
    world.reply(AOI, "keep torii")
    assert len(world.events(code)) == 2


@pytest.mark.parametrize("locale", ["en", "ja"])
@pytest.mark.parametrize("engine", ["ukulele", "naishi", "bakenushi"])
def test_orders_that_can_be_copied_are_indented(world: World, engine: str, locale: str) -> None:
    """By that they are told from the prose that proves whose letter stands there."""
    code = world.game(engine, locale=locale)
    with world.office.database.session() as session:
        sitting = Sitting(session, world.office, found(session, code))
        assert isinstance(sitting.status, Phase)
        seat = min(sitting.status.open)
    listed = text_of(world.newest((AOI, BEN)[seat - 1])).splitlines()
    orders = [line for line in listed if is_order(sitting.engine, sitting.position, seat, fold(line))]
    assert orders
    assert [line for line in orders if not line.startswith(" ")] == []


def test_the_letter_that_a_reply_answers_is_found_for_its_explanation(world: World) -> None:
    begun(world)
    first = world.newest(AOI)
    reply = world.written(AOI, "59-26", first).as_bytes()
    assert answered_text(world.office, reply) == text_of(first).replace("\r\n", "\n")
    assert answered_text(world.office, world.plain(AOI, "59-26").as_bytes()) == ""
