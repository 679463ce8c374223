"""The games that are installed, found by entry point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points

from corr.core.turn import AnyEngine

GROUP = "corr.engines"


class Registry:
    """Engines by the id of their rules: a game's name, a slash, a number."""

    def __init__(self, engines: Iterable[AnyEngine]) -> None:
        self._engines: dict[str, AnyEngine] = {}
        for engine in engines:
            if engine.info.rules in self._engines:
                raise ValueError(f"{engine.info.rules} is installed twice")
            self._engines[engine.info.rules] = engine

    @classmethod
    def installed(cls) -> Registry:
        """Load every engine of the entry-point group ``corr.engines``."""
        return cls(point.load() for point in entry_points(group=GROUP))

    def __iter__(self) -> Iterator[AnyEngine]:
        return (self._engines[rules] for rules in sorted(self._engines, key=version_of))

    def named(self, rules: str) -> AnyEngine | None:
        """Return the engine of just these rules (``ukulele/1``): a running game keeps its own."""
        return self._engines.get(rules)

    def newest(self, game: str) -> AnyEngine | None:
        """Return the newest rules of a game (``ukulele``): new games take these."""
        return next((engine for engine in reversed(list(self)) if game_of(engine) == game), None)


def game_of(engine: AnyEngine) -> str:
    """Return the name of the game, without the number of its rules."""
    return version_of(engine.info.rules)[0]


def version_of(rules: str) -> tuple[str, int]:
    """Split the id of rules; ``x/10`` is newer than ``x/9``."""
    game, _, number = rules.partition("/")
    return game, int(number)
