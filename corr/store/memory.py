"""What recent games came to, so that a letter folds only what happened since the one before.

States are immutable, and a log only grows: what was committed once stays true, and what
other processes add is read and folded on top, under the lock of the game.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from sqlmodel import Session

from corr.core.turn import AnyEngine, Entry, Step

MOST_GAMES = 200
"""Games that a process remembers."""


@dataclass(frozen=True, slots=True)
class Past:
    """The log of a game up to one event, and where each fact led."""

    engine: AnyEngine
    newest: tuple[int, datetime | None] = (0, None)  # number of that event, and when it was recorded
    log: tuple[Entry, ...] = ()
    history: tuple[Step, ...] = ()  # one for each fact


@dataclass(frozen=True, slots=True)
class Learned:
    """What a transaction has read or recorded, and need not ask for."""

    pasts: dict[int, Past] = field(default_factory=dict[int, Past])  # by game; remembered with the commit
    numbers: dict[int, dict[int, int]] = field(default_factory=dict[int, dict[int, int]])
    """By game that is locked, and by seat, the number of the newest letter; 0 without one."""
    kinds: dict[tuple[int, int, int], str] = field(default_factory=dict[tuple[int, int, int], str])
    """By game, seat and number, of what kind a letter is, which never changes."""


def learned(session: Session) -> Learned:
    """Return what a session has learned in its present transaction."""
    known: Learned | None = session.info.get(_LEARNED)
    if known is None:
        known = session.info[_LEARNED] = Learned()
    return known


def unlearn(session: Session) -> None:
    """Let go of what a session has learned, of which a part may never have been."""
    session.info.pop(_LEARNED, None)


_LEARNED = "learned"  # of a session, among what is known about it


class Memory:
    """The pasts of the games that were looked at last.  Threads may share it."""

    def __init__(self, most: int = MOST_GAMES) -> None:
        self._most = most
        self._pasts: OrderedDict[int, Past] = OrderedDict()
        self._lock = Lock()

    def past(self, game_id: int, engine: AnyEngine) -> Past:
        """Return what is remembered of a game, as *engine* believes it."""
        with self._lock:
            past = self._pasts.get(game_id)
        return past if past is not None and past.engine is engine else Past(engine)

    def keep(self, pasts: Mapping[int, Past]) -> None:
        """Remember the pasts of games, by their numbers; they must be committed."""
        with self._lock:
            for game_id, past in pasts.items():
                self._pasts[game_id] = past
                self._pasts.move_to_end(game_id)
            while len(self._pasts) > self._most:
                self._pasts.popitem(last=False)

    def forget(self) -> None:
        """Let every game be read anew."""
        with self._lock:
            self._pasts.clear()
