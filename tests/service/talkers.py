"""Three at a table who talk, and what each of them hears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from sqlmodel import col, select

from corr.demo.clients import text_of
from corr.store.tables import Outbox, Post
from tests.games.tictactoe import TicTacToe
from tests.service.world import AOI, BEN, World

CHIKA = "chika@players.test"
TABLE = (("Aoi", AOI), ("Ben", BEN), ("Chika", CHIKA))
ALL = (AOI, BEN, CHIKA)


class ForThree(TicTacToe):
    """Two play, and the third can only talk."""

    info = replace(TicTacToe.info, seats=range(2, 4))


def begin(world: World, **wishes: Any) -> str:
    """Begin a game of Aoi, Ben and Chika."""
    return world.game(seats=TABLE, **wishes)


def posts(world: World) -> Sequence[Post]:
    with world.office.database.session() as session:
        return session.exec(select(Post).order_by(col(Post.id))).all()


def kinds(world: World, who: str) -> list[str]:
    """Return of what kind the letters to *who* are, without the numbers of posts."""
    return [row.kind.partition(".")[0] for row in world.outbox(who)]


def heard(world: World, who: str) -> list[str]:
    """Return what was said to *who*, in order: what stands below the first line of letters of talk."""
    letters = [message_from_bytes(row.raw, policy=default) for row in told(world, who)]
    return [body(letter) for letter in letters]


def told(world: World, who: str) -> list[Outbox]:
    return [row for row in world.outbox(who) if row.kind.startswith("talk.")]


def body(letter: EmailMessage) -> str:
    """Return the post of a letter: its indented lines."""
    lines = text_of(letter).replace("\r\n", "\n").partition("\n== ")[0].partition("\n■ ")[0].split("\n")
    indented = [line for line in lines if line.startswith("    ") or not line]
    return "\n".join(line.removeprefix("    ") for line in indented).strip("\n")
