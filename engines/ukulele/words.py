"""What people type, and how squares are written."""

from __future__ import annotations

import re

from engines.api import Phrase
from engines.ukulele.board import Jump

KANJI = "一二三四五六七八九"
DIGIT = {kanji: number for number, kanji in enumerate(KANJI, 1)} | {str(n): n for n in range(1, 10)}

# A dash may be any of those that keyboards, mail programs and Japanese input make of one.
DASHES = r"[-\u2010-\u2015\u2212\u30fc\u301c~_\u2500\u2501一=>\u2190-\u21ff\u27a1\ufe0f]"
SQUARE = rf"([1-9{KANJI}])\s*([1-9{KANJI}])"
BEFORE = (
    r"(?:please|i|we|my|move|play|jump|from|the|man|piece|on|at|black|white|先手|後手|黒|白|私は|[☗☖▲△▼▽:])"
)
MAN = r"(?:の\s*(?:駒|石|コマ)|にある駒|にいる駒)"
AFTER = (
    r"(?:please|thanks|thank you|"
    r"(?:と|に|を)?(?:動か|移動|移|進め|進み|跳び|飛び|跳ば|飛ば|指)?"
    r"(?:します|しました|したいです|す|る|ます|ました|せます|たいです|ってください|してください|てください)|"
    r"です|で|を|お願い(?:いた|致)?します|おねがいします|どうぞ|宜しく|よろしく|[.!。、,!])"
)
# What stands around the squares is taken as it comes and never tried in another way (``*+``): "です"
# is one word or two, and a line of thirty of them would be a billion.
GLUE = rf"(?:{MAN}|を|から|より|へ|to|into|through|then|、|,|\s|{DASHES})*"

MOVE = re.compile(
    rf"(?:{BEFORE}\s*)*+{SQUARE}{GLUE}{SQUARE}(?:の地点)?\s*+(?:へ|に|まで|と)?(?:\s*{AFTER})*+\s*",
    re.IGNORECASE,
)
START = re.compile(rf"(?:{BEFORE}\s*)*+{SQUARE}{MAN}?\s*+(?:から|より)?(?:\s*{AFTER})*+\s*", re.IGNORECASE)


def read_jump(words: str) -> Jump | None:
    """Read two squares, in any of the ways in which people write a move."""
    match = MOVE.fullmatch(words.strip())
    return None if match is None else Jump(number(match[1], match[2]), number(match[3], match[4]))


def read_start(words: str) -> int | None:
    """Read one square alone: the man that is to move."""
    match = START.fullmatch(words.strip())
    return None if match is None else number(match[1], match[2])


def number(file: str, rank: str) -> int:
    """Return the square of a file and a rank, each a digit or a kanji numeral."""
    return DIGIT[file] * 10 + DIGIT[rank]


def spelled(square: int, lang: str) -> str:
    """Write a square as readers of *lang* do: 59, or with a kanji for the rank."""
    return f"{square // 10}{KANJI[square % 10 - 1]}" if lang == "ja" else str(square)


def spelled_jump(jump: Jump, lang: str) -> str:
    """Write a move as readers of *lang* do."""
    return f"{spelled(jump.start, lang)}-{spelled(jump.to, lang)}"


def square_phrase(square: int) -> Phrase:
    """Name a square inside a phrase."""
    file, rank = divmod(square, 10)
    return Phrase("ukulele.square", {"file": file, "rank": rank, "kanji": KANJI[rank - 1]})
