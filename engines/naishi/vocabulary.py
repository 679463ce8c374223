"""The words of an order, in English and Japanese, and how a line is cut into them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engines.naishi.cards import (
    ADVISOR,
    BANNER,
    FORT,
    HORSEMAN,
    MONK,
    MOUNTAIN,
    NAISHI,
    NINJA,
    RICE,
    RONIN,
    SENTINEL,
    TORII,
)
from engines.naishi.orders import Verb

LINE: Final = "line"
HAND_ROW: Final = "hand"
RIVER: Final = "river"
COLUMN: Final = "column"

VERBS: Mapping[Verb, str] = {
    "keep": "keep|keeping|choose|hold|残す|残し|残る|のこす|のこし|選ぶ|選び|選ん|きーぷ|取る|取り|取っ",
    "develop": "develop|develops|developing|dev|発展|はってん",
    "swap": "swap|swaps|swapping|exchange|switch|"
    "入替|入れ替え|入れ替|入替え|入れかえ|入れ換え|入換|交換|いれかえ|こうかん",
    "discard": "discard|discards|discarding|wash|川流し|川に流す|流す|流し|流|ながす|ながし|捨てる|捨て",
    "decree": "impose|imposes|imposing|decree|強制|きょうせい",
    "recall": "recall|recalls|回収|かいしゅう",
    "declare": "declare|declares|declaration|終了を宣言|終了宣言|終わりを宣言|宣言|せんげん",
    "stop": "done|pass|end turn|end my turn|end the turn|"
    "手番終了|手番を終了|手番を終え|手番を終わ|たーん終了|たーんえんど|終了|終わり|おわり|ぱす",
}
"""Ways to write each verb.  Katakana is read as hiragana."""

ROWS: Mapping[str, str] = {
    LINE: "line|lines|front|l|らいん|前列",
    HAND_ROW: "hand|hands|back|h|手札|てふだ",
    RIVER: "river|r|川|かわ",
    COLUMN: "column|columns|col|c|列|れつ",
}

CARDS: Mapping[int, str] = {
    MOUNTAIN: "mountain|mountains|mt|山|やま",
    NAISHI: "naishi|na|内侍|ないし",
    ADVISOR: "advisor|adviser|ad|あどばいざー|助言者|助言",
    SENTINEL: "sentinel|se|哨兵|しょうへい",
    MONK: "monk|mo|僧侶|そうりょ",
    HORSEMAN: "horseman|horse|ho|騎士|きし",
    RONIN: "ronin|ro|浪人|ろうにん",
    NINJA: "ninja|ni|忍者|にんじゃ",
    FORT: "fort|fo|砦|とりで",
    TORII: "torii|tr|鳥居|とりい",
    RICE: "rice|rice field|rice paddy|ri|田んぼ|たんぼ|田",
    BANNER: "banner|flag|ba|旗|はた",
}
"""Names of cards, readings, and codes of two letters."""

PARTS = ",|、|;|.|。|!|then|次に|つぎに|それから|そして|そのあと|その後|その前に"
"""What may stand between two actions, or inside one."""

EXTRAS = (
    "please|thanks|thank you|i|we|let me|let us|i'd like to|i will|i'll|my|the|a|an|you|and|with|of|from|on|"
    "in|at|to|for|by|it|card|cards|emissary|emissaries|send|use|using|all|top|tops|pile|piles|place|places|"
    "end|game|number|no|:|・|+|&|/|-|(|)|「|」|#|~|=|<|>|→|⇄|↔|⇔|"
    "お願い致します|お願いいたします|お願いします|お願い|おねがいします|どうぞ|宜しく|よろしく|ください|下さい|"
    "でお願いします|にします|とします|させます|させる|させ|します|しました|しまし|する|して|した|たいです|ます|ました|です|"
    "を|の|と|に|へ|は|が|も|で|て|る|し|た|え|えます|わります|ります|から|自分の|私の|げーむ|使者|使い|使って|かーど|目|番|枚|札"
)
"""Politeness and particles: read away."""

DIGITS = "〇一二三四五六七八九"
FOREIGN = re.compile(r"[a-z][a-z']*")
KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}


class Token(NamedTuple):
    """A word that says something."""

    kind: str  # "verb", "row", "card", "number", or "part" between actions
    value: str | int


def meanings() -> Iterator[tuple[str, Token | None]]:
    """Yield every way to write every word with what it says; None for what is read away."""
    for kind, table in (("verb", VERBS), ("row", ROWS), ("card", CARDS)):
        for value, spellings in table.items():
            yield from ((spelling, Token(kind, value)) for spelling in spellings.split("|"))
    yield from ((spelling, Token("part", spelling)) for spelling in PARTS.split("|"))
    yield from ((spelling, None) for spelling in EXTRAS.split("|"))


MEANING = dict(meanings())
PATTERN = re.compile(
    rf"\s*(?P<number>[0-9]+|[{DIGITS}]+)|\s*(?P<word>"
    + "|".join(
        re.escape(word) + (r"(?![a-z'])" if FOREIGN.match(word) else "")
        for word in sorted(MEANING, key=len, reverse=True)
    )
    + ")"
)


def tokens(text: str) -> list[Token] | None:
    """Cut a line into words that say something; None if it holds anything else."""
    text, at = text.casefold().translate(KATAKANA).rstrip(), 0
    found: list[Token] = []
    while at < len(text):
        match = PATTERN.match(text, at)
        if match is None:
            return None
        at = match.end()
        token = Token("number", number(match["number"])) if match["number"] else MEANING[match["word"]]
        found += [token] if token else []
    return found


def number(text: str) -> int:
    """Read digits of either script."""
    return int("".join(str(DIGITS.find(sign)) if sign in DIGITS else sign for sign in text))
