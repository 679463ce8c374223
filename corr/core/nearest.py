"""Did you mean: the nearest words to what nobody could read.

A guess is offered and never acted on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import OSA

from corr.core.names import fold_name

OFFERED = 0.7
"""Likeness from which words are offered: one slip in four letters, but not "hello" for "help"."""

CLEAR = 0.8
"""Likeness from which the first is offered alone: one slip in five letters."""

MOST_OFFERED = 3
LONGEST = 40
"""Letters of a line that may be a slip of the pen; what is longer is a sentence."""


def nearest(words: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the *known* words nearest to *words*, the nearest first; at most three.

    An order with figures that stands in a sentence is nearer than all.
    Likeness is 1 less the slips for each letter of the longer one, where two letters
    that changed places are one slip (optimal string alignment).  Spelling that does
    not count, width, case and kana, is no slip.
    """
    known = tuple(known)
    if held := _held(words, known):
        return held[:MOST_OFFERED]
    if len(words) > LONGEST:
        return ()
    folded = {word: fold_name(word) or word for word in known}
    found = process.extract(
        fold_name(words) or words,
        folded,
        scorer=OSA.normalized_similarity,
        score_cutoff=OFFERED,
        limit=MOST_OFFERED,
    )
    offered = [(word, likeness) for _, likeness, word in found]
    if offered and offered[0][1] >= CLEAR and sum(likeness == offered[0][1] for _, likeness in offered) == 1:
        del offered[1:]
    return tuple(word for word, _ in offered)


def _held(words: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the orders that stand whole in *words*, in their order; one without figures may be prose."""
    text = words.casefold()
    held = {word: place for word in known if (place := _place(word.casefold(), text)) is not None}
    return tuple(sorted(held, key=held.__getitem__))


def _place(word: str, text: str) -> int | None:
    """Say where *word* begins in *text*, if it has figures and no figure or Latin letter touches it."""
    if word not in text or not any(map(str.isdigit, word)):
        return None
    found = re.search(rf"(?<![0-9a-z]){re.escape(word)}(?![0-9a-z])", text)
    return found.start() if found else None
