"""Letters with one oddity each: what is new in it, and what corr makes of it.

Each ``oddities/NAME.eml`` is a letter as it came from the wire; ``NAME.txt`` tells the
lines that its writer typed and, as they follow from the rules, the row of the intake
table, the status and the answer.  A letter that answers one of corr's carries the mark
of this file, in place of which the test puts that of a game at its first position.
"""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from sqlmodel import col, update

from corr.core.letter import read_letter
from corr.core.quoting import new_lines
from corr.demo.clients import text_of
from corr.store.tables import Inbound, Outbox
from tests.service.world import AOI, BEN, World

FOLDER = Path(__file__).parent / "oddities"
LETTERS = sorted(path.stem for path in FOLDER.glob("*.eml"))
MARK = b"K7QX.14.3.5.h4nd2abcdefgh2345672"
TAG = b"[K7QX]"
PLACES = {b"corr.example.org": b"corr.test", b"aoi@example.org": b"aoi@players.test"}
HEADING = re.compile(r"== What I read in your letter ==\n|■ いただいたメールの読み取り\n")

# What follows the ordinary headers of a letter that somebody made to do harm.
NESTED = b"".join(
    b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(1_000)
)
HOSTILE = {
    "too-big": b"\r\n\r\n" + b"59-26\r\n" * 1_500_000,
    "too-deep": b"\r\n" + NESTED + b"\r\n59-26",
    "too-many-parts": b"\r\nContent-Type: multipart/mixed; boundary=b\r\n" + b"\r\n--b\r\n\r\n59-26" * 1_000,
    "header-flood": b"\r\n" + b"X-Flood: \0 59-26\r\n" * 500_000 + b"\r\n59-26",
}


def told(name: str) -> tuple[list[str], str]:
    """Return the lines that are new, and what becomes of the letter."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    new, answer = text.partition("new:\n")[2].split("answer:\n")
    return new.splitlines(), answer


def test_there_is_a_letter_for_each_oddity_and_a_reading_for_each_letter() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == LETTERS
    assert len(LETTERS) >= 120


@pytest.mark.parametrize("name", LETTERS)
def test_exactly_what_was_typed_is_new(name: str) -> None:
    letter = read_letter((FOLDER / f"{name}.eml").read_bytes())
    assert [line.strip() for line in new_lines(letter.text).lines if line.strip()] == told(name)[0]


TWICE = ("html-alone", "no-message-id", "orders-in-a-file", "talk-and-move", "stranger", "encrypted-by-pgp")


@pytest.mark.parametrize("name", TWICE)
def test_the_same_letter_has_no_second_effect(name: str, world: World) -> None:
    """Its first answer is sent again, or none; nobody else hears of it, and nothing happens twice."""
    code = opened(world)
    raw = addressed((FOLDER / f"{name}.eml").read_bytes(), mark_of(world))
    first = came(world, raw)
    facts, others = world.events(code), len(world.outbox()) - len(world.outbox(sender(first)))
    again = came(world, raw)
    assert again.rules_hit in {"repeated", "told-lately"}
    assert (first.status, again.status) in {("done", "ignored"), ("refused", "ignored")}
    assert world.events(code) == facts
    assert len(world.outbox()) - len(world.outbox(sender(first))) == others


def test_a_letter_that_answers_a_past_position_moves_nothing(world: World) -> None:
    """The position has changed since: she is told so, and may say ``anyway``."""
    code = opened(world)
    mark = mark_of(world)
    assert came(world, addressed((FOLDER / "flowed.eml").read_bytes(), mark)).status == "done"
    assert world.reply(BEN, "11-44").status == "done"
    facts = world.events(code)
    late = came(world, addressed((FOLDER / "kanji-ranks.eml").read_bytes(), mark))
    assert (late.status, late.problem) == ("refused", "timing.stale")
    assert world.events(code) == facts


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_letter_leaves_a_record_and_the_next_one_is_handled(name: str, world: World) -> None:
    opened(world)
    mark = mark_of(world)
    head = (FOLDER / "flowed.eml").read_bytes().partition(b"\r\nMIME-Version:")[0]
    hostile = came(world, addressed(head.replace(b".flowed@", b".hostile@") + HOSTILE[name], mark))
    assert (hostile.status, hostile.rules_hit, hostile.problem) == (
        "refused",
        "flawed",
        f"intake.flaw.{name}",
    )
    assert came(world, addressed((FOLDER / "flowed.eml").read_bytes(), mark)).status == "done"


@pytest.mark.parametrize("name", LETTERS)
def test_each_is_answered_as_a_good_clerk_would(
    name: str, world: World, request: pytest.FixtureRequest
) -> None:
    said = answered(world, (FOLDER / f"{name}.eml").read_bytes())
    path = FOLDER / f"{name}.txt"
    if request.config.getoption("--update-transcripts"):
        kept = path.read_text(encoding="utf-8").partition("answer:\n")[0]
        path.write_text(f"{kept}answer:\n{said}", encoding="utf-8")
    else:
        assert said == told(name)[1]


def opened(world: World) -> str:
    """Begin a game of Ukulele in which the writer is to move; returns its code."""
    return world.game("ukulele", options={"first_player": "1"})


def mark_of(world: World) -> bytes:
    """Return the mark of the newest letter to the writer."""
    return str(world.newest(AOI)["Message-ID"])[1:].partition("@")[0].encode()


def came(world: World, raw: bytes) -> Inbound:
    """Let a letter come in and be worked on."""
    number = world.receive(raw)
    world.settle()
    return world.inbound(number)


def sender(row: Inbound) -> str:
    """Return who wrote a letter that came."""
    return read_letter(row.raw).sender


def answered(world: World, raw: bytes) -> str:
    """Let a letter come to a game of Ukulele where its writer is to move, and tell what happens."""
    opened(world)
    with world.office.database.session() as session:
        session.exec(update(Outbox).values(status="sent", sent_at=world.now).where(col(Outbox.id) > 0))
    before = len(world.outbox())
    row = came(world, addressed(raw, mark_of(world)))
    fate = f"{row.rules_hit}: {row.status}" + (f" ({row.problem})" if row.problem else "")
    return "\n".join([fate, *(part for row in world.outbox()[before:] for part in shown(row)), ""])


def addressed(raw: bytes, mark: bytes) -> bytes:
    """Put the names of the test's world in place of those of the file; case is kept as it stands."""
    raw = re.sub(re.escape(MARK), mark, raw)
    raw = re.sub(re.escape(MARK.lower()), mark.lower(), raw)
    raw = raw.replace(TAG, b"[%b]" % mark.partition(b".")[0])
    for there, here in PLACES.items():
        raw = re.sub(re.escape(there), here, raw, flags=re.IGNORECASE)
    return raw


def shown(row: Outbox) -> list[str]:
    """Return who was written to, and what is said of each line, or else the first words."""
    text = (
        text_of(message_from_bytes(row.raw, policy=default))
        .replace("\r\n", "\n")
        .partition("-##\n")[2]
        .strip()
    )
    headline = " ".join(text.partition("\n\n")[0].split())
    heading = HEADING.search(text)
    if heading is None:
        return [f"to {row.address}: {re.sub(r'[A-Z0-9]{4}(?=])', 'K7QX', headline)}"]
    return [f"to {row.address}:", text[heading.end() :].partition("\n\n")[0]]
