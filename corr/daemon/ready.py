"""What must be right before a daemon begins."""

from __future__ import annotations

import gc

from corr.bootstrap import Server
from corr.store import games
from corr.store.claim import let_go

_YOUNG = 50_000
"""New objects after which the collector looks for cycles; a letter makes thousands, and hardly a cycle."""


class RulesMissing(Exception):
    """A game is not over, and the rules by which it is played are not installed."""


def ready(server: Server) -> None:
    """Raise BadSettings where a password is missing, RulesMissing where a game could not go on."""
    server.inbox()
    server.postman()
    with server.office.database.session() as session:
        unfinished = games.unfinished(session)
    for code, rules in unfinished:
        if server.office.engines.named(rules) is None:
            raise RulesMissing(f"game {code} is played by {rules}, which is not installed: install it first")


def spare_the_collector() -> None:
    """Let Python's collector of cycles leave alone what is here to stay, and look less often at the rest.

    For the whole process: call it once, when all is imported.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG)


def take_over(server: Server) -> None:
    """Let go of the letters that a daemon had in its hands when it was killed.

    Only for one that is alone with the database; others wait until the leases run out.
    """
    with server.office.database.session() as session:
        let_go(session, server.office.clock.now())
