"""Questions in the reader's own words, answered with the nearest passages of a text.

Works without a list of words: by the beginnings of English words, by kanji and by pairs of
Japanese letters; what stands in few passages tells more (inverse document frequency).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log
from typing import NamedTuple

from corr.core.fold import fold

MOST_PASSAGES = 3
LONGEST_QUESTION = 200
"""Letters of a question that are looked at."""

_PARTS = re.compile(r"\n\s*\n|\n(?=- |\d+\. )")
_UNDERLINE = re.compile(r"-{3,}")
_ENGLISH = re.compile(r"[a-z0-9]{3,}")
_ENDING = re.compile(r"(?<=...)(?:ing|ed|es|s)$")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]+")
_KANA = re.compile(r"[\u3041-\u30ff]+")
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_BREAK = re.compile(r"(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])\n\s*|\n\s*(?=[\u3000-\u30ff])")
_ASKING = re.compile(
    "what|when|where|who|how|why|does|can|may|must|have|has|are|is|the|and|for|with|you|your|into|not|there"
)


class Passage(NamedTuple):
    """A paragraph or an item of a list, and what it stands under."""

    heading: str
    text: str


def nearest_passages(text: str, question: str) -> tuple[Passage, ...]:
    """Return the passages of *text* that speak most of what is asked, the best first; at most three."""
    known = tuple(passages(text))
    folded = [fold(f"{one.heading} {one.text}").casefold() for one in known]
    scores = [0.0] * len(known)
    for part in _parts(fold(question[:LONGEST_QUESTION]).casefold()):
        found = [at for at, passage in enumerate(folded) if part.search(passage)]
        for at in found:
            scores[at] += log(1 + len(known) / len(found))
    best = max(scores, default=0.0)
    ranked = sorted(range(len(known)), key=lambda at: -scores[at])
    return tuple(known[at] for at in ranked[:MOST_PASSAGES] if scores[at] > best / 3)


def passages(whole: str) -> Iterator[Passage]:
    """Part a text at empty lines and items; drawings, which are indented, are none."""
    heading = ""
    for block in _PARTS.split(whole):
        lines = block.splitlines()
        if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1].strip()):
            heading, lines = lines[0].strip(), lines[2:]
        if lines and not lines[0].startswith("    "):
            text = _BREAK.sub("", "\n".join(lines).removeprefix("- "))
            yield Passage(heading, " ".join(text.split()))


def _parts(question: str) -> Iterator[re.Pattern[str]]:
    """Yield what to look for: beginnings of words, kanji, and pairs of letters, if not both hiragana."""
    stems = {_ENDING.sub("", word) for word in _ENGLISH.findall(question) if not _ASKING.fullmatch(word)}
    runs = _JAPANESE.findall(question)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    for stem in sorted(stems):
        yield re.compile(rf"\b{re.escape(stem)}")
    kanji = {letter for run in runs for letter in run if not _KANA.fullmatch(letter)}
    for part in sorted(kanji | pairs):
        if not _HIRAGANA.fullmatch(part):
            yield re.compile(re.escape(part))
