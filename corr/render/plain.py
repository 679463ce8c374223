"""Plain text: letters harmless to print, lines short enough for mail."""

from __future__ import annotations

import re
from functools import lru_cache

from corr.render.board import width

COLUMNS = 76
"""Display columns of a line of mail that no program breaks again."""

_OPENING = "「『（［｛〈《【([{“‘"
_CLOSING = "、。，．・：；？！」』）］｝〉》】）ー々っゃゅょッャュョ,.;:?!)]}”’…％"
_WIDE = "\u1100-\u115f\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6"
_PIECE = re.compile(
    rf"\s+|[{re.escape(_OPENING)}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)?[{re.escape(_CLOSING)}]*", re.DOTALL
)
_GAP = re.compile(r"\n(?:[ \t]*\n)+")
_HANGING = re.compile(r"\s*(?:[-・] |\d+\. )?")


def tidy(text: str) -> str:
    """Put words of people on one line: no line breaks, controls or turned direction."""
    if not text.isprintable():
        joiner = "\u200d"  # of emoji
        text = "".join(char if char.isprintable() or char == joiner else " " for char in text)
    return " ".join(text.split())


def spaced(text: str) -> str:
    """Part paragraphs by one empty line, however many lines a template left."""
    text = text.strip()
    return _GAP.sub("\n\n", text) if "\n" in text else text


def wrapped(text: str, locale: str) -> str:
    """Break the lines wider than a line of mail, and strip what trails."""
    lines = [line.rstrip() for line in spaced(text).splitlines()]
    # no letter is wider than two columns
    lines = [line if 2 * len(line) <= COLUMNS else _broken(line, locale) for line in lines]
    return "\n".join([*lines, ""])


@lru_cache(maxsize=500)  # most lines of prose stand in every letter
def _broken(line: str, locale: str) -> str:
    """Break one line between words or Japanese letters, never before closing marks such as 。 or 」."""
    if width(line, locale) <= COLUMNS:
        return line
    indent = " " * width(_hanging(line), locale)
    parts = [""]
    for piece in _pieces(line, locale):
        if width(parts[-1] + piece.rstrip(), locale) > COLUMNS:
            parts[-1] = parts[-1].rstrip()
            parts.append(indent + piece.lstrip())
        else:
            parts[-1] += piece
    return "\n".join(part.rstrip() for part in parts)


def _hanging(line: str) -> str:
    found = _HANGING.match(line)
    return found[0] if found else ""


def _pieces(line: str, locale: str) -> list[str]:
    """Cut a line where it may break; a word as wide as a line is cut anywhere."""
    pieces: list[str] = []
    for piece in _PIECE.findall(line):
        pieces += [piece] if width(piece, locale) <= COLUMNS // 2 else list(piece)
    return pieces
