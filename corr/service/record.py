"""The record of a stored game, for one reader."""

from __future__ import annotations

from corr.core.record import Header
from corr.core.scribe import Scribe
from corr.service.sitting import Sitting, luck_name
from engines.api import Outcome, Viewer, Watcher


def record_of(sitting: Sitting, viewer: Viewer, lang: str) -> tuple[str, ...]:
    """Write the record of a game that has begun, as *viewer* may know it; after its end all is public."""
    if isinstance(sitting.status, Outcome):
        viewer = Watcher.MASTER
    scribe = Scribe(sitting.engine, header_of(sitting), viewer, lang)
    return tuple(scribe.written(sitting.whole_log, sitting.whole_history))


def header_of(sitting: Sitting) -> Header:
    """Return what stands above the moves."""
    game, table = sitting.game, sitting.table
    return Header(
        code=game.code,
        rules=game.rules,
        names=table.names,
        luck=luck_name(game),
        timeout=table.timeout,
        press=table.press,
        options=game.options,
        paces=game.paces,
        begun=game.started_at,
        digest=game.seed_digest or "",
        seed=game.seed or b"",
    )
