"""A letter's new lines as orders and words of corr."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corr.core.commands import Word, subject_line, word
from corr.core.fold import fold
from corr.core.letter import Letter
from corr.core.quoting import new_lines

MOST_LINES = 100
"""Lines of one letter that are read; the rest are counted and left."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The folded lines of a letter in order, each with the word that it is, if any."""

    lines: tuple[tuple[str, Word | None], ...]
    left: int = 0  # lines beyond the limit

    @property
    def orders(self) -> tuple[str, ...]:
        """The lines that are no words of corr."""
        return tuple(line for line, word in self.lines if word is None)

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of corr, in order."""
        return tuple(word for _, word in self.lines if word is not None)

    def says(self, name: str) -> bool:
        """Tell whether a word of corr stands in the letter."""
        return any(word.name == name for word in self.words)


def read(letter: Letter) -> Reading:
    """Read what is new in a letter; its subject counts only when its body says nothing."""
    found = _lines(new_lines(letter.text).lines)
    if not found.lines and (subject := subject_line(letter.subject)) is not None:
        return _lines((subject,))
    return found


def _lines(written: Iterable[str]) -> Reading:
    folded = [text for line in written if (text := fold(line).strip())]
    lines = tuple((text, word(text)) for text in folded[:MOST_LINES])
    return Reading(lines, max(0, len(folded) - MOST_LINES))
