"""Names as people type them: of players, roles and cards.

Case, width and kana do not count: ``アオイ``, ``あおい`` and ``ｱｵｲ`` are one name,
and さん behind it is courtesy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from corr.core.fold import fold
from engines.api import Seat

LONGEST_NAME = 40
"""Letters of what a player is called: names stand in every subject and link."""

MOST_WORDS = 4
"""Words of a name; more are a sentence."""

_NO_NAME = re.compile(r"[!?,;:()\"。、]")
_TITLES = ("さん", "さま", "様", "君", "くん", "ちゃん")
_KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}  # ァ to ヶ, to hiragana
_SAME = str.maketrans(_KATAKANA | {ord("ー"): None, ord("-"): None, ord(" "): None, ord("・"): None})


class Unclear(Enum):
    """Why a name finds no one seat."""

    NOBODY = "nobody"
    SEVERAL = "several"


def is_name(words: str) -> bool:
    """Tell a name that somebody chooses from a sentence that begins like one: "name of the game"."""
    first, *others = words.split() or [""]
    return len(others) < MOST_WORDS and not _NO_NAME.search(words) and not (others and first[0].islower())


def fold_name(words: str) -> str:
    """Return the one spelling of a name: NFKC, no case, hiragana, neither long marks nor gaps."""
    return fold(words).casefold().translate(_SAME)


def find_seat(names: Mapping[Seat, str], wanted: str) -> Seat | Unclear:
    """Find who is meant by a name, the number of a seat, or the beginning of a name.

    A name that is the number of another seat means neither: nobody shall guess.
    """
    folded = _untitled(fold_name(wanted))
    known = {seat: _untitled(fold_name(name)) for seat, name in names.items()}
    same = {seat for seat, name in known.items() if name == folded or str(seat) == folded}
    begun = {seat for seat, name in known.items() if folded and name.startswith(folded)}
    found = same or begun
    if len(found) == 1:
        return found.pop()
    return Unclear.SEVERAL if found else Unclear.NOBODY


def _untitled(folded: str) -> str:
    """Drop さん behind a name, but leave a name that is nothing else."""
    title = next((title for title in _TITLES if folded.endswith(title) and folded != title), "")
    return folded.removesuffix(title)
