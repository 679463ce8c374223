"""The words of an order, in English and Japanese, and how a line is cut into them.

A line is read once from left to right, so that no letter can make the reading slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

COLOURS = ("blue", "green", "red")
KANJI_COLOURS = "青緑赤"
KANJI = "一二三四五六七八九"

NAMES: Mapping[str, str] = {
    "blue": "blue|青|ぶるー",
    "green": "green|緑|ぐりーん",
    "red": "red|赤|れっど",
}
"""Ways to write each discipline.  Katakana is read as hiragana."""

HINTS: Mapping[str, str] = {
    "turn": "turn|flip|reveal|uncover|show|up|over|land|tile|at|on|土地|山|"
    "めくる|めくり|めくっ|めくら|開く|開き|開い|開け|返す|返し|"
    "ひっくり返す|ひっくり返し|ひっくりかえす|ひっくりかえし|おーぷん|公開",
    "play": "play|use|出す|出し|出さ|使う|使い|使っ|使わ|置く|置き|置い|ぷれい|"
    "場|card|手札|変化かーど|変化札|かーど|札",
    "put": "put|lay",
    "open": "open|openly|face up|face-up|faceup|表|表向き",
    "hide": "face down|face-down|facedown|upside down|hidden|hide|bury|secretly|"
    "裏|裏向き|裏面|伏せ|ふせ|隠し|隠す",
    "down": "down",
    "over": "裏返す|裏返し",  # a land is turned over; of a card it means that it is hidden
    "choose": "choose|select|pick|take|make|選ぶ|選び|選ん|選ば|選択|勝負",
    "fight": "discipline|marker|fight|leave|keep|stay|change|種目|まーかー|のまま|変更|変え|争う|争い|色",
}
"""What is said to be done, and with what."""

EXTRAS = (
    "please|thanks|thank you|i|i'd like to|i'd like|i want to|i want|i'll|i will|we|let me|let's|my|the|a|"
    "you|it|for|as|in|to|with|no|number|,|、|.|。|!|:|#|(|)|「|」|『|』|"
    "お願い致します|お願いいたします|お願いします|お願い|おねがいします|どうぞ|宜しく|よろしく|ください|下さい|"
    "でお願いします|にします|とします|します|しました|する|して|した|たいです|したいです|ます|ました|です|"
    "せていただきます|ていただきます|いたします|致します|を|の|と|に|は|で|て|る|た|それでは|では|私は|番"
)
"""Politeness and particles: read away."""

FOREIGN = re.compile(r"[a-z][a-z' -]*")
KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}


class Token(NamedTuple):
    """A word that says something."""

    kind: str  # "land", "card", "colour", or a hint
    value: str


def meanings() -> Iterator[tuple[str, Token | None]]:
    """Yield every way to write every word with what it says; None for what is read away."""
    for value, spellings in NAMES.items():
        yield from ((spelling, Token("colour", value)) for spelling in spellings.split("|"))
    for kind, spellings in HINTS.items():
        yield from ((spelling, Token(kind, "")) for spelling in spellings.split("|"))
    yield from ((spelling, None) for spelling in EXTRAS.split("|"))


def bounded(word: str) -> str:
    """Return a pattern for a word: a foreign one ends where it ends, and "a" is no part of "a10"."""
    end = "" if not FOREIGN.fullmatch(word) else "(?![a-z'])" if len(word) > 1 else "(?![a-z'0-9])"
    return re.escape(word) + end


MEANING = dict(meanings())
PATTERN = re.compile(
    rf"\s*(?:(?P<land>[a-z]\s*[-.]?\s*[0-9{KANJI}])(?![0-9{KANJI}十〇])"
    rf"|(?P<card>[0-9]{{1,2}}|[{KANJI}十〇]{{1,3}})(?![0-9{KANJI}十〇])"
    rf"|(?P<word>{'|'.join(bounded(word) for word in sorted(MEANING, key=len, reverse=True))}))"
)


def tokens(text: str) -> list[Token] | None:
    """Cut a line into words that say something; None if it holds anything else."""
    text, at = text.casefold().translate(KATAKANA).rstrip(), 0
    found: list[Token] = []
    while at < len(text):
        match = PATTERN.match(text, at)
        if match is None or match.lastgroup is None:
            return None
        at, kind = match.end(), match.lastgroup
        token = MEANING[match[kind]] if kind == "word" else Token(kind, match[kind])
        found += [token] if token else []
    return found
