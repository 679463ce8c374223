"""What must be right before a daemon begins."""

from __future__ import annotations

from sqlmodel import col, select, update

from corr.bootstrap import Server
from corr.store.tables import Game, Outbox


class RulesMissing(Exception):
    """A game is not over, and the rules by which it is played are not installed."""


def ready(server: Server) -> None:
    """Raise BadSettings where a password is missing, RulesMissing where a game could not go on."""
    server.inbox()
    server.postman()
    with server.office.database.session() as session:
        unfinished = session.exec(
            select(Game.rules, Game.code).where(col(Game.status).in_(("open", "running", "paused", "held")))
        ).all()
    missing = [(rules, code) for rules, code in unfinished if server.office.engines.named(rules) is None]
    if missing:
        rules, code = missing[0]
        raise RulesMissing(f"game {code} is played by {rules}, which is not installed: install it first")


def take_over(server: Server) -> None:
    """Let go of the letters that a daemon had in its hands when it was killed.

    Only for one that is alone with the database; others wait until the leases run out.
    """
    with server.office.database.session() as session:
        session.exec(
            update(Outbox)
            .where(col(Outbox.status) == "sending")
            .values(leased_until=server.office.clock.now())
        )
