"""Talk between players: what of a letter is said, who hears it, and in which form.

``say`` opens talk in a letter of action; it runs to the next line that begins with a
slash, or to the end.  A reply to a letter of talk is said whole, but for such lines
(mail.md 3: the language between players and corr).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from corr.core import marks
from corr.core.commands import SETTINGS, Word, word
from corr.core.fold import fold
from corr.core.names import LONGEST_NAME
from engines.api import Problem, Seat

Press: TypeAlias = Literal["open", "public", "none", "anonymous", "delayed"]
"""What players may say to each other: all, only to everybody, nothing, all without a
name, or all, to be heard with the next position."""

REPLY = "talk"
"""Names what the answer to a letter of talk says; no word that anybody types."""

LONGEST_POST = 8_000
"""Letters of one post."""

OPENERS = ("say to", "say", "tell gm", "report")
"""Words of corr that are followed by what is said; a longer one stands before its beginning."""

_ASIDE = {"say to", "tell gm", "report", "mute", "unmute", "stop"}
"""What counts without a slash at the beginning of a reply to talk: it is not meant for those who hear."""

_OPENER = re.compile(
    r"\s*(?:/\s*)?(?:"
    + "|".join(f"(?P<o{at}>{'|'.join(SETTINGS[name])})" for at, name in enumerate(OPENERS))
    + r")(?:\s*[:、]\s*|\s+|$)",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(r"\s*[:,、]\s*|\s+|$")
_LONGEST_BEGINNING = 2 * LONGEST_NAME  # there the name ends, title and all
_PLAIN = {
    code: plain
    for code in (0x3000, *range(0xFF01, 0xFFEF))
    if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1
}
_EMPTY_LINES = re.compile(r"\n(?:[ \u3000]*\n)+")


def parts(lines: Iterable[str], *, talk: bool = False) -> Iterator[str | Word]:
    """Yield the lines that are to be read, folded, and as a word each stretch of what is said.

    *lines* are new lines as they were typed; what is said keeps its breaks and its
    case, as the argument of the word that opened it.  In a reply to *talk* the rest is
    said too, as the argument of ``REPLY``, which comes last.
    """
    answer: list[str] = []
    opened: tuple[str, list[str]] | None = None
    for line in lines:
        command = _plain(line).lstrip().startswith("/")
        if opened and not command:
            opened[1].append(line)
            continue
        if opened:
            yield _said(*opened)
            opened = None
        if talk and not command and (answer or (line.strip() and not _aside(line))):
            answer.append(line)
        elif (opened := _opened(line)) is None and (read := _without_slash(line)):
            yield read
    if opened:
        yield _said(*opened)
    if any(line.strip() for line in answer):
        yield _said(REPLY, answer)


def _plain(line: str) -> str:
    """Write full-width letters and signs as plain ones, without a change of places."""
    return line.translate(_PLAIN)


def _opened(line: str) -> tuple[str, list[str]] | None:
    """Return the word that opens talk on a line, with what stands behind it."""
    found = _OPENER.match(_plain(line))
    if found is None or found.lastgroup is None:
        return None
    return OPENERS[int(found.lastgroup[1:])], [line[found.end() :]]


def _aside(line: str) -> bool:
    opened, read = _opened(line), word(fold(line))
    return (opened is not None and opened[0] in _ASIDE) or (read is not None and read.name in _ASIDE)


def _without_slash(line: str) -> str:
    """Return a line folded, as it is read: a slash is needed inside talk before an order too."""
    folded = fold(line)
    return folded if word(folded) is not None else folded.removeprefix("/")


def _said(name: str, lines: Iterable[str]) -> Word:
    return Word(name, clean("\n".join(lines)))


def clean(text: str) -> str:
    """Return what somebody said as others may get it: lines of harmless letters.

    Without controls, letters that turn the direction of others, and marks of corr; one
    empty line for several.  Composed (NFC), since programs differ in that.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", " "))
    kept = "".join(_harmless(char) for char in text)
    lines = [line.rstrip() for line in marks.hidden(kept).split("\n")]
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip("\n").rstrip()


def without(text: str, addresses: Iterable[str]) -> str:
    """Blot out addresses of the writer, which a quote can bring along: no player learns them here."""
    listed = sorted(map(re.escape, addresses), key=len, reverse=True)
    return re.sub("|".join(listed), "…", text, flags=re.IGNORECASE) if listed else text


def _harmless(char: str) -> str:
    if char in "\n\u3000":
        return char
    category = unicodedata.category(char)
    if category[0] == "Z":  # a space, or a line of its own
        return " " if category == "Zs" else "\n"
    return "" if category in {"Cc", "Cf", "Cs", "Co"} else char


def addressed(argument: str, find: Callable[[str], Seat | None]) -> tuple[Seat, str] | None:
    """Part ``NAME what is said``; the longest beginning that *find* knows is the name."""
    first, _, rest = argument.partition("\n")
    begin = _plain(first[:_LONGEST_BEGINNING])
    ends = [found.span() for found in _NAME_ENDS.finditer(begin) if found.start()]
    for start, end in reversed(ends):
        seat = find(fold(first[:start]))
        if seat is not None:
            return seat, clean(f"{first[end:]}\n{rest}")
    return None


def heard(press: Press, speaker: Seat, seats: Iterable[Seat], to: Seat | None) -> frozenset[Seat] | Problem:
    """Say who hears what *speaker* says to everybody or, if given, to one seat; or why nobody may."""
    if press == "none":
        return Problem("talk.none")
    if to is None:
        return frozenset(seats) - {speaker}
    if press == "public":
        return Problem("talk.public-only")
    return Problem("talk.to-yourself") if to == speaker else frozenset({to})
