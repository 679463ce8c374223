"""What holds for every letter: nothing raises, the player's order is read once, and corr's own never."""

from __future__ import annotations

from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.core.chance import SeededChance
from corr.core.explain import explain
from corr.core.fold import fold
from corr.core.letter import read_letter
from corr.core.page import Fate, Kind, Page, Situation
from corr.core.quoting import MARKER, new_lines
from corr.core.reading import Reading, by_game, read
from corr.core.turn import AnyEngine, Position, take
from corr.registry import Registry
from corr.render.letters import render
from engines.api import Phase, Seat
from tests.laws.play import play
from tests.letters.programs import BARE, BLOCKQUOTE, GMAIL, MOZILLA, PROGRAMS, message, reply, typed
from tests.letters.test_anything import BOUNDARIES, HEADERS, KINDS, LEAVES, PARTS, container
from tests.render.pages import DEADLINE, NOW, REPLY_TO, TABLE

LETTERS = [path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.eml"))]
SHORT = "play@corr.example.org"
ZONES = {"en": "Europe/London", "ja": "Asia/Tokyo"}


def luck(phase: str) -> SeededChance:
    return SeededChance(bytes(32), f"letters/{phase}")


# Nothing raises


def whole(raw: bytes) -> Reading:
    """Read a letter in every way in which corr does."""
    letter = read_letter(raw)
    explain(raw, letter)
    for _, part in by_game(letter):
        read(part, talk=True)
    return read(letter)


MUTATIONS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 60), st.binary(max_size=20)), max_size=4)


def damaged(raw: bytes, mutations: list[tuple[float, int, bytes]]) -> bytes:
    for where, length, instead in mutations:
        at = int(where * len(raw))
        raw = raw[:at] + instead + raw[at + length :]
    return raw


@given(st.binary())
@settings(deadline=None)
def test_no_bytes_raise(raw: bytes) -> None:
    whole(raw)


@given(st.sampled_from(LETTERS), MUTATIONS)
@settings(deadline=None)
def test_no_damage_to_a_real_letter_raises(raw: bytes, mutations: list[tuple[float, int, bytes]]) -> None:
    whole(damaged(raw, mutations))


@given(
    st.lists(st.tuples(HEADERS, st.text(max_size=60)), max_size=6),
    KINDS,
    BOUNDARIES,
    st.lists(PARTS | LEAVES),
)
@settings(deadline=None)
def test_no_tree_of_parts_raises(
    headers: list[tuple[str, str]], kind: bytes, boundary: bytes, parts: list[bytes]
) -> None:
    head = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in headers)
    whole(head.encode("utf-8", "replace") + container(kind, boundary, parts))


@given(st.lists(st.text(max_size=80) | st.sampled_from([MARKER, "-- ", "/say", "#K7QX", "> ", "On 1:00 x:"])))
@settings(deadline=None)
def test_no_words_raise(lines: list[str]) -> None:
    whole(b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + "\n".join(lines).encode("utf-8", "replace"))


# A player's order above, below and between quotes


@dataclass(frozen=True)
class Table:
    """A position, whose turn it is there, and the letter that corr wrote about it."""

    engine: AnyEngine
    state: Any
    seat: Seat
    orders: tuple[str, ...]  # some that are legal, as they are spelt in both languages
    subject: str
    text: str
    html: str

    def values(self, address: str) -> dict[str, str]:
        who = {"name": "corr", "address": address, "who": f"corr <{address}>"}
        return {**who, "to": "Aoi <aoi@players.example>", "subject": self.subject}


@cache
def table(rules: str, lang: str) -> Table:
    """Play at random for a while, and write the letter to one who is to move."""
    engine = Registry.installed().newest(rules)
    assert engine is not None
    phase: Phase
    state, phase = next(
        (moment.state, moment.phase)
        for moment in play(engine, 1).moments[12:]
        if isinstance(moment.phase, Phase) and moment.phase.waiting
    )
    seat = min(phase.waiting)
    legal = list(engine.orders(state, seat))[:12]
    english, japanese = (tuple(engine.spell(state, seat, order, to) for order in legal) for to in ZONES)
    shown = japanese if lang == "ja" else english
    situation = Situation(engine.view(state, seat), phase.waiting, True, DEADLINE, shown, len(legal))
    page = Page(kind=Kind.TURN, seat=seat, table=replace(TABLE, engine=rules), situation=situation)
    made = render(page, locale=lang, zone=ZONES[lang], now=NOW, reply_to=REPLY_TO)
    return Table(engine, state, seat, english + japanese, made.subject, made.text, made.html)


TABLES = st.builds(table, st.sampled_from(["ukulele", "bakenushi"]), st.sampled_from(list(ZONES)))
NAMES = st.sampled_from(sorted(PROGRAMS))
ADDRESSES = st.sampled_from([SHORT, REPLY_TO])
GREETINGS = st.sampled_from(
    [
        "",
        "Hello,",
        "Hi Ben!",
        "Thanks for the game.",
        "こんにちは。",
        "お世話になっております。",
        "葵です。\n",
    ]
)
CLOSINGS = st.sampled_from(
    ["", "Good luck!", "Best regards,\nAoi", "Thanks\n\nAoi K.", "よろしくお願いします。", "以上です。\n\n葵"]
)
FEET = st.sampled_from(
    [
        *(
            "",
            "Sent from my phone",
            "Androidから送信",
            "-- \nAoi\n12 Example Street",
            "--\nAoi K.\naoi@players.example",
        ),
        "━━━━━━━━━━━━\n田中葵\nTEL 03-0000-0000\n━━━━━━━━━━━━",
    ]
)


def lines(*parts: str) -> list[str]:
    """Return what was typed, as it is read."""
    return [folded for part in parts for line in part.split("\n") if (folded := fold(line))]


def coded(made: EmailMessage, coding: str) -> EmailMessage:
    """Write the bodies of a letter in another way."""
    for part in made.walk():
        if not part.is_multipart():
            part.set_content(part.get_content(), part.get_content_subtype(), "utf-8", cte=coding)
    return made


def reading(made: EmailMessage) -> Reading:
    return read(read_letter(made.as_bytes(policy=SMTP)))


def taken(at: Table, found: Reading) -> list[tuple[Fate, str]]:
    """Return what the game takes or refuses of a letter."""
    turn = take(at.engine, Position(at.state), at.seat, found.orders, luck, lang="en")
    return [(line.fate, fold(line.words)) for line in turn.lines if line.fate is not Fate.UNREAD]


def played_once(at: Table, found: Reading, order: str) -> None:
    """Demand that the order is carried out, and nothing else of the letter taken, refused or obeyed."""
    (alone,) = take(at.engine, Position(at.state), at.seat, [fold(order)], luck, lang="en").lines
    assert alone.fate is Fate.TAKEN
    assert [text for text, _ in found.lines].count(fold(order)) == 1
    assert taken(at, found) == [(Fate.TAKEN, fold(alone.words))]
    assert found.words == ()


@given(NAMES, TABLES, st.data())
@settings(max_examples=300, deadline=None)
def test_an_order_above_the_quote_of_any_program_is_read_once(
    name: str, at: Table, data: st.DataObject
) -> None:
    """Exactly the lines that were typed are new, in order; a foot may be left, for it is no order."""
    order, address = data.draw(st.sampled_from(at.orders)), data.draw(ADDRESSES)
    hello, bye, foot = data.draw(GREETINGS), data.draw(CLOSINGS), data.draw(FEET)
    form = data.draw(st.sampled_from(["plain", "html", "both"]))
    words = "\n".join(part for part in (hello, order, bye) if part)
    gap = data.draw(st.sampled_from(["\n", "\n\n", "\n\n \n\n"]))
    made = reply(PROGRAMS[name], words, (at.text, at.html), at.values(address), form, foot, gap)
    coding = data.draw(st.sampled_from(["base64", "quoted-printable", "8bit"]))
    found = reading(coded(made, coding))
    typed_lines = lines(hello, order, bye)
    assert [text for text, _ in found.lines][: len(typed_lines)] == typed_lines
    assert {text for text, _ in found.lines[len(typed_lines) :]} <= set(lines(foot, PROGRAMS[name].foot))
    played_once(at, found, order)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_is_tried_in_every_form(name: str) -> None:
    """With the marker, in both languages, whatever is drawn above."""
    for at in (table("ukulele", "en"), table("bakenushi", "ja")):
        for form in ("plain", "html", "both"):
            words = f"{at.orders[0]}\n\nBye"
            found = reading(reply(PROGRAMS[name], words, (at.text, at.html), at.values(REPLY_TO), form))
            assert lines(words) == [text for text, _ in found.lines][:2]
            played_once(at, found, at.orders[0])


def test_the_letters_that_are_quoted_hold_orders_themselves() -> None:
    """What is not cut would be played."""
    assert len(PROGRAMS) >= 40
    for at in (table(rules, lang) for rules in ("ukulele", "bakenushi") for lang in ZONES):
        assert taken(at, reading(message(at.values(SHORT), at.text.replace(MARKER, ""))))


UNKNOWN_MARKS = {"Gnus with Supercite"}  # nothing but the marker tells where its quote begins


@given(NAMES.filter(lambda name: name not in UNKNOWN_MARKS), TABLES, st.data())
@settings(max_examples=200, deadline=None)
def test_it_is_so_where_the_player_deleted_the_marker(name: str, at: Table, data: st.DataObject) -> None:
    order, address = data.draw(st.sampled_from(at.orders)), data.draw(ADDRESSES)
    letter = tuple(part.replace(MARKER, "") for part in (at.text, at.html))
    form = data.draw(st.sampled_from(["plain", "html", "both"]))
    program = PROGRAMS[name]
    found = reading(reply(program, f"{order}\n\nBye", (letter[0], letter[1]), at.values(address), form))
    assert set(found.lines) <= {(text, None) for text in lines(order, "Bye", program.foot)}
    played_once(at, found, order)


MARKED = sorted(name for name, program in PROGRAMS.items() if program.mark.startswith(">"))
BELOW = st.sampled_from(
    [
        "-- \nAoi K.\n59 Example Street, flat 15",
        "Sent from my iPhone",
        "Virus-free. www.avast.com",
        "_______________________________________________\nplayers mailing list\nplayers@lists.example.org",
        "This e-mail is confidential.\nPlease delete it.",
        "━━━━━━━━━━━━\n田中葵\nTEL 03-0000-0000\n━━━━━━━━━━━━",
    ]
)


@given(st.sampled_from(MARKED), TABLES, BELOW, st.data())
@settings(max_examples=60, deadline=None)
def test_a_foot_below_the_quote_is_not_read_as_an_order(
    name: str, at: Table, foot: str, data: st.DataObject
) -> None:
    order = data.draw(st.sampled_from(at.orders))
    quote = PROGRAMS[name].quote(at.text, at.values(SHORT))
    found = reading(message(at.values(SHORT), f"{order}\n\n{quote}\n\n{foot}\n"))
    assert [text for text, _ in found.lines][:1] == [fold(order)]
    played_once(at, found, order)


QUOTING = sorted(name for name, program in PROGRAMS.items() if program.html in {BLOCKQUOTE, GMAIL, MOZILLA})


@given(st.sampled_from(MARKED), TABLES, st.data())
@settings(max_examples=100, deadline=None)
def test_an_order_below_or_between_marked_lines_is_read_once(
    name: str, at: Table, data: st.DataObject
) -> None:
    """The lines of the quote have their marks, so that what has none was typed."""
    order, quote = data.draw(st.sampled_from(at.orders)), PROGRAMS[name].quote(at.text, at.values(SHORT))
    head, _, rest = quote.partition(f"{PROGRAMS[name].mark}{MARKER}")
    marked = (f"{PROGRAMS[name].mark}{MARKER}{rest}").split("\n")
    where = data.draw(st.integers(1, len(marked)))
    words = f"\n{data.draw(GREETINGS)}\n{order}\n"
    body = head + "\n".join([*marked[:where], words, *marked[where:]])
    played_once(at, reading(message(at.values(SHORT), body)), order)


@given(st.sampled_from(QUOTING), TABLES, st.data())
@settings(max_examples=60, deadline=None)
def test_an_order_below_a_quote_in_html_is_read_once(name: str, at: Table, data: st.DataObject) -> None:
    order = data.draw(st.sampled_from(at.orders))
    quote = PROGRAMS[name].quote_in_html(at.html, at.values(SHORT))
    played_once(at, reading(message(at.values(SHORT), "", quote + typed(order))), order)


BARE_QUOTES = sorted(name for name, program in PROGRAMS.items() if not program.mark and program.html == BARE)


@given(st.sampled_from(BARE_QUOTES), TABLES, st.data())
@settings(max_examples=60, deadline=None)
def test_below_a_quote_without_marks_nothing_is_guessed(name: str, at: Table, data: st.DataObject) -> None:
    """Nobody can tell it from corr's own words: it is shown to the player, who is asked."""
    order = data.draw(st.sampled_from(at.orders))
    found = reading(
        message(at.values(SHORT), f"{PROGRAMS[name].quote(at.text, at.values(SHORT))}\n\n{order}")
    )
    assert taken(at, found) == []
    assert fold(order) in found.cut


# Once more

FURTHER = b"X-Further: 1\r\n"
"""A header that changes nothing: corr remembers what it has read, and shall read it anew."""


@given(NAMES, TABLES, st.data())
@settings(deadline=None)
def test_what_was_read_is_read_again_the_same(name: str, at: Table, data: st.DataObject) -> None:
    words = "\n".join([data.draw(GREETINGS), data.draw(st.sampled_from(at.orders)), data.draw(CLOSINGS)])
    form = data.draw(st.sampled_from(["plain", "html"]))
    raw = reply(PROGRAMS[name], words, (at.text, at.html), at.values(SHORT), form).as_bytes(policy=SMTP)
    assert read(read_letter(FURTHER + raw)) == read(read_letter(raw))
    assert again(raw) == read(read_letter(raw)).lines


def again(raw: bytes) -> tuple[tuple[str, Any], ...]:
    """Read a letter of nothing but the new lines of another."""
    letter = read_letter(raw)
    return read(replace(letter, text="\n".join(new_lines(letter.text).lines))).lines


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.rglob("*.eml")), ids=lambda path: path.stem)
def test_every_real_letter_is_read_the_same_twice_and_when_only_its_new_lines_are_left(path: Path) -> None:
    raw = path.read_bytes()
    assert read(read_letter(FURTHER + raw)) == read(read_letter(raw))
    assert again(raw) == read(read_letter(raw)).lines
