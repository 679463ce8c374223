"""A game written down as a record, for one reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from corr.core import notation
from corr.core.commands import spelt
from corr.core.fold import fold
from corr.core.mailing import story
from corr.core.notation import heading
from corr.core.record import INSTANT, WORDS_OF_END, Header
from corr.core.turn import AnyEngine, Ended, Entry, Position, Step, phase_key, status
from engines.api import Outcome, Phase, Problem, Seat, Viewer, Watcher


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes the record of one game for one reader, in the words of a language ("en", "ja").

    Only for a master it is complete, and shows the seed.
    """

    engine: AnyEngine
    header: Header
    viewer: Viewer
    lang: str

    def written(self, log: Iterable[Entry], history: Sequence[Step]) -> Iterator[str]:
        """Yield the lines of the record; *history* has a step for each fact of *log*."""
        yield notation.BEGIN[self._column]
        yield from self._headings()
        for position, text in self._moves(log, history):
            yield f"{position}. {text}"
        outcome = status(self.engine, history[-1].after)
        if isinstance(outcome, Outcome):
            yield self._heading("result", notation.result(outcome, self.header.names, self.lang))
        yield notation.END[self._column]

    @property
    def _column(self) -> int:
        return notation.column(self.lang)

    @property
    def _sees_all(self) -> bool:
        return self.viewer is Watcher.MASTER

    def _heading(self, key: str, value: str, name: object = "") -> str:
        return heading(key, value, self.lang, str(name))

    def _headings(self) -> Iterator[str]:
        header = self.header
        yield self._heading("game", f"{header.code} {header.rules}")
        if header.luck != header.code:
            yield self._heading("luck", header.luck)
        if not self._sees_all:
            yield self._heading("reader", self._reader())
        yield from (self._heading("seat", name, seat) for seat, name in header.names.items())
        yield from self._options()
        yield from (self._heading("pace", rule, pace) for pace, rule in header.paces.items())
        yield self._heading("timeout", header.timeout)
        yield self._heading("press", header.press)
        if header.begun is not None:
            yield self._heading("begun", header.begun.strftime(INSTANT))
        yield self._heading("digest", header.digest)
        if self._sees_all:
            yield self._heading("seed", header.seed.hex())

    def _reader(self) -> str:
        if isinstance(self.viewer, Watcher):
            return notation.EVERYBODY[self._column]
        return self.header.names[self.viewer]

    def _options(self) -> Iterator[str]:
        """Write the options; whole files only where the record is complete."""
        for option, value in self.header.options.items():
            if option not in self.engine.info.files:
                yield self._heading("option", value, option)
            elif self._sees_all:
                yield self._heading("option", _without_gaps(value), option)

    def _moves(self, log: Iterable[Entry], history: Sequence[Step]) -> Iterator[tuple[int, str]]:
        """Yield the moves that the reader may know, each with the number of its position."""
        position, at, before = 0, 0, None
        for entry in (entry for entry in log if entry.facts):
            steps = history[at : at + len(entry.facts)]
            at += len(steps)
            if before is not None and self.may_know(entry, steps) and (text := self._text(entry, before)):
                yield position, text
            position += self._opens(before, steps[-1].after)
            before = steps[-1].after

    def _opens(self, before: Position | None, after: Position) -> bool:
        """Tell whether an entry led into another phase: corr counts these."""
        keys = [None if one is None else phase_key(status(self.engine, one)) for one in (before, after)]
        return keys[1] not in {keys[0], None}

    def may_know(self, entry: Entry, steps: Sequence[Step]) -> bool:
        """Tell whether the reader may read an entry.

        Another's order: if the reader was told of it, in the words in which its giver and a
        master were told.  What comes of an order may be told to each in other words, so only
        its first fact counts: the deed itself.
        """
        if self._sees_all or entry.seat == self.viewer:
            return True
        if entry.seat is None or entry.words is None:
            return False
        told, given, all_ = (
            story(self.engine, steps[:1], one) for one in (self.viewer, entry.seat, Watcher.MASTER)
        )
        return bool(told) and told == given == all_

    def _text(self, entry: Entry, before: Position) -> str:
        """Write an entry; nothing for a step that comes by itself."""
        phase, fact = status(self.engine, before), entry.facts[0]
        assert isinstance(phase, Phase), "a game ends once"
        if entry.seat is not None:
            return f"{self.header.names[entry.seat]}: {self._said(entry, entry.seat, before)}"
        if isinstance(fact, Ended) and entry.cause == "master":
            return notation.ruling(fact.outcome, self.header.names, self.lang)
        if not phase.open:
            return ""
        return notation.OF_TIME["lost" if isinstance(fact, Ended) else entry.cause][self._column]

    def _said(self, entry: Entry, seat: Seat, before: Position) -> str:
        """Write what a player wrote: an order, or the word that ended the game."""
        if entry.words is None:
            return spelt(WORDS_OF_END[entry.facts[0].outcome.reason], self.lang)
        return respelt(self.engine, before, seat, entry.words, self.lang)


def respelt(engine: AnyEngine, position: Position, seat: Seat, words: str, lang: str) -> str:
    """Write a stored order as a reader of *lang* would, where it still reads as one."""
    read = engine.parse(position.state, seat, fold(words))
    if isinstance(read, Problem) or len(read) != 1:
        return words
    return engine.spell(position.state, seat, read[0], lang)


def _without_gaps(value: str) -> str:
    """Write JSON in ASCII and without a space: it can be broken anywhere, and put together again."""
    return json.dumps(json.loads(value), separators=(",", ":")).replace(" ", "\\u0020")
