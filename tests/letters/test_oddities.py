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
from corr.store.tables import Outbox
from tests.service.world import AOI, World

FOLDER = Path(__file__).parent / "oddities"
LETTERS = sorted(path.stem for path in FOLDER.glob("*.eml"))
MARK = b"K7QX.14.3.5.h4nd2abcdefgh2345672"
PLACES = {b"corr.example.org": b"corr.test", b"aoi@example.org": b"aoi@players.test"}
HEADING = "== What I read in your letter ==\n"


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


def answered(world: World, raw: bytes) -> str:
    """Let a letter come to a game of Ukulele where its writer is to move, and tell what happens."""
    world.game("ukulele", options={"first_player": "1"})
    mark = str(world.newest(AOI)["Message-ID"])[1:].partition("@")[0].encode()
    with world.office.database.session() as session:
        session.exec(update(Outbox).values(status="sent", sent_at=world.now).where(col(Outbox.id) > 0))
    before = len(world.outbox())
    number = world.receive(addressed(raw, mark))
    world.settle()
    row = world.inbound(number)
    letters = world.outbox()[before:]
    fate = f"{row.rules_hit}: {row.status}" + (f" ({row.problem})" if row.problem else "")
    return "\n".join([fate, *(part for row in letters for part in shown(row)), ""])


def addressed(raw: bytes, mark: bytes) -> bytes:
    """Put the names of the test's world in place of those of the file; case is kept as it stands."""
    raw = re.sub(re.escape(MARK), mark, raw)
    raw = re.sub(re.escape(MARK.lower()), mark.lower(), raw)
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
    if HEADING not in text:
        return [f"to {row.address}: {re.sub(r'[A-Z0-9]{4}(?=])', 'K7QX', headline)}"]
    lines = text.partition(HEADING)[2].partition("\n\n")[0]
    return [f"to {row.address}:", lines]
