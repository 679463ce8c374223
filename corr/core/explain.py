"""How a letter was read, step by step, with the evidence of each."""

from __future__ import annotations

from dataclasses import dataclass

from corr.core import marks
from corr.core.intake import MACHINES
from corr.core.letter import Letter
from corr.core.quoting import traced
from corr.core.reading import read


@dataclass(frozen=True, slots=True)
class Explained:
    """What the core sees in a letter, without any game."""

    bytes: int
    flaw: str | None  # why no text was read
    headers: tuple[tuple[str, str], ...]  # those that decide anything, as written
    marks: tuple[tuple[str, str], ...]  # the mark without its hash, and where it stands
    lines: tuple[tuple[str, str | None], ...]  # of the text, each with the rule that cut it
    read: tuple[tuple[str, str], ...]  # what is left, folded: a word of corr by its name, or "line"


DECIDING = frozenset(
    {
        *("return-path", "from", "to", "cc", "subject", "date", "message-id", "list-id"),
        *("delivered-to", "x-original-to", "envelope-to", "in-reply-to", "references", "x-corr-instance"),
        *("content-type", "content-transfer-encoding", "authentication-results", "received"),
        *MACHINES,
    }
)
"""Headers that some rule looks at."""

_HASH_BEGINS = 4  # letters of a mark's hash that are shown: enough to compare, too few to use


def explain(raw: bytes, letter: Letter, own: str = "") -> Explained:
    """Read *letter*, of which *raw* are the bytes, and say why it is read so.

    *own* is the text of the letter that it answers, if that is known.
    """
    return Explained(
        bytes=len(raw),
        flaw=letter.flaw,
        headers=tuple((name, " ".join(value.split())) for name, value in letter.fields if name in DECIDING),
        marks=tuple(_marks(letter)),
        lines=traced(letter.text, own=own),
        read=tuple((text, word.name if word else "line") for text, word in read(letter, own=own).lines),
    )


def _marks(letter: Letter) -> list[tuple[str, str]]:
    places = (("recipients", letter.recipients), ("references", letter.references))
    found = ((place, signed) for place, texts in places for signed in marks.find(texts))
    return [(f"{signed.mark}.{signed.hash[:_HASH_BEGINS]}…", place) for place, signed in found]
