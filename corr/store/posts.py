"""What people say to each other, as it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlalchemy import select as select_core
from sqlmodel import Session, col, func, select

from corr.store.memory import learned
from corr.store.statement import Statement
from corr.store.tables import Outbox, Post


def told_in(session: Session, game_id: int, seat: int, number: int) -> Post | None:
    """Find the post that a letter to a seat brought; None for a letter of another kind."""
    kinds, letter = learned(session).kinds, (game_id, seat, number)
    if letter not in kinds:
        kinds[letter] = _KIND.value(session, game=game_id, seat=seat, number=number) or ""
    word, _, post = kinds[letter].partition(".")
    return session.get_one(Post, int(post)) if word == "talk" else None


_KIND = Statement(
    select_core(col(Outbox.kind)).where(
        col(Outbox.game_id) == bindparam("game"),
        col(Outbox.seat) == bindparam("seat"),
        col(Outbox.n) == bindparam("number"),
    )
)


def said_at(session: Session, game_id: int, position: int) -> Sequence[Post]:
    """Return what was said at a position, in the order in which it was said."""
    return session.exec(
        select(Post)
        .where(col(Post.game_id) == game_id, col(Post.position) == position)
        .order_by(col(Post.id))
    ).all()


def posts_of(session: Session, game_id: int) -> Sequence[Post]:
    """Return all that was said in a game, in the order in which it was said."""
    return session.exec(select(Post).where(col(Post.game_id) == game_id).order_by(col(Post.id))).all()


def said_since(session: Session, game_id: int, seat: int, since: datetime) -> int:
    """Count what the holders of a seat have said since then."""
    query = select(func.count(col(Post.id))).where(
        col(Post.game_id) == game_id, col(Post.seat) == seat, col(Post.at) > since
    )
    return session.exec(query).one()
