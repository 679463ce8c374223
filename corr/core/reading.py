"""A letter's new lines as orders and words of corr."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from corr.core import clients
from corr.core.commands import Word, subject_line, word
from corr.core.fold import fold
from corr.core.letter import Letter
from corr.core.quoting import folded_lines, new_lines
from corr.core.talk import parts as split

_PERHAPS = re.compile(r"[#\uff03]\s?[^\W_]")
# Words behind a code make it one only without a space before it, in capitals or with a figure: no heading.
_SWITCH = re.compile(
    r"# ?(?P<alone>[A-Za-z0-9]{4,8})"
    r"|#(?P<code>[A-Z0-9]{4,8}|(?=[a-z]*\d)[a-z0-9]{4,8})(?: ?:)? (?P<words>.+)"
)

MOST_LINES = 100
"""Lines of one letter that are read; the rest are counted and left."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The folded lines of a letter in order, each with the word that it is, if any."""

    lines: tuple[tuple[str, Word | None], ...]
    left: int = 0  # lines beyond the limit
    attached: bool = False  # some of them stand in a text file that came with the letter
    cut: tuple[str, ...] = ()
    """Where nothing new was found, all lines, folded: an order may stand among corr's own words."""

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


def by_game(letter: Letter) -> tuple[tuple[str, Letter], ...]:
    """Part a letter at its lines ``#K7QX``, each of which names the game of the lines below it.

    The first part names none: it belongs to the game that the letter answers.
    """
    if not _PERHAPS.search(letter.text):  # nearly always: spares reading the letter twice
        return (("", letter),)
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in new_lines(letter.text).lines:
        if named := _SWITCH.fullmatch(fold(line)):
            parts.append(((named["alone"] or named["code"]).upper(), [named["words"] or ""]))
        else:
            parts[-1][1].append(line)
    if len(parts) == 1:
        return (("", letter),)
    return tuple(
        (code, replace(letter, text="\n".join(lines), subject="", attached="")) for code, lines in parts
    )


def tagged(letter: Letter) -> str:
    """Return the code of the game whose tag stands in the subject of a letter; empty without one."""
    found = clients.TAG.search(fold(letter.subject).upper())
    return found[0].strip("[]") if found else ""


def part_for(letter: Letter, code: str, *, answers: bool) -> Letter:
    """Return what of a letter is meant for the game *code*.

    That is what stands below its code; what stands below none too, where the letter
    *answers* one of that game or has its tag, or where it names the game nowhere.
    """
    (_, first), *others = by_game(letter)
    parts = [(code if answers else tagged(letter), first), *others]
    own = [part for named, part in parts if named == code] or [first]
    return replace(own[0], text="\n".join(part.text for part in own))


def read(letter: Letter, *, talk: bool = False, own: str = "") -> Reading:
    """Read what is new in a letter; its subject counts only when its body says nothing.

    In a reply to *talk* all is said that no slash makes a word of corr.  *own* is the text
    of the letter that is answered, where it may stand in the body without any mark.
    """
    found = _lines(new_lines(letter.text, own=own).lines, talk=talk)
    if not found.lines and (subject := subject_line(letter.subject)) is not None:
        return _lines((subject,))
    return found if found.lines else replace(found, cut=folded_lines(letter.text))


def _lines(written: Iterable[str], *, talk: bool = False) -> Reading:
    """Read lines as words or orders; what is said is one line, however many it has."""
    parts = (part if isinstance(part, Word) else part.strip() for part in split(written, talk=talk))
    read = [_read(part) for part in parts if part]
    return Reading(tuple(read[:MOST_LINES]), max(0, len(read) - MOST_LINES))


def _read(part: str | Word) -> tuple[str, Word | None]:
    return (part.argument, part) if isinstance(part, Word) else (part, word(part))
