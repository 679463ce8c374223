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
    "keep": "keep|keeping|choose|hold|take|"
    "残す|残し|残る|のこす|のこし|選ぶ|選び|選ん|選択|きーぷ|取る|取り|取っ|取っておく|取っておき|持つ|持ち",
    "develop": "develop|develops|developing|dev|replace|replaces|replacing|発展|はってん",
    "swap": "swap|swaps|swapping|exchange|switch|trade|"
    "入替|入れ替え|入れ替|入替え|入れかえ|入れ換え|入換|交換|いれかえ|こうかん|取り替え|取りかえ|とりかえ|すわっぷ|ちぇんじ",
    "discard": "discard|discards|discarding|wash|flush|throw away|"
    "川流し|川に流す|流す|流し|流|ながす|ながし|捨てる|捨て",
    "decree": "impose|imposes|imposing|impose an exchange|impose exchange|impose a swap|"
    "decree|imperial decree|force|強制|きょうせい|強制交換|交換を強制|強制的に交換|勅令",
    "recall": "recall|recalls|recalling|call back|take back|bring back|"
    "回収|かいしゅう|呼び戻す|呼び戻し|戻す|戻し",
    "declare": "declare|declares|declaring|declaration|"
    "終了を宣言|終了宣言|終わりを宣言|終局を宣言|宣言|せんげん",
    "stop": "done|pass|skip|finish|finish turn|finish my turn|"
    "end turn|end my turn|end the turn|end of turn|no emissary|"
    "手番終了|手番を終了|手番を終え|手番を終わ|手番終わり|手番おわり|たーん終了|たーんえんど|終了|終わり|おわり|ぱす|"
    "使者なし|使者は使いません",
}
"""Ways to write each verb.  Katakana is read as hiragana."""

ROWS: Mapping[str, str] = {
    LINE: "line|lines|front|l|らいん|前列",
    HAND_ROW: "hand|hands|back|h|手札|てふだ|後列",
    RIVER: "river|rivers|r|川|かわ",
    COLUMN: "column|columns|col|c|列|れつ",
}

CARDS: Mapping[int, str] = {
    MOUNTAIN: "mountain|mountains|mt|山|やま",
    NAISHI: "naishi|na|内侍|ないし",
    ADVISOR: "advisor|adviser|advisors|advisers|ad|あどばいざー|あどばいざ|助言者|助言",
    SENTINEL: "sentinel|sentinels|se|哨兵|しょうへい",
    MONK: "monk|monks|mo|僧侶|そうりょ|僧",
    HORSEMAN: "horseman|horsemen|horse|knight|rider|ho|騎士|きし|騎馬",
    RONIN: "ronin|ro|浪人|ろうにん",
    NINJA: "ninja|ninjas|ni|忍者|にんじゃ",
    FORT: "fort|forts|fo|砦|とりで",
    TORII: "torii|toriis|torii gate|tr|鳥居|とりい",
    RICE: "rice|rice field|rice fields|rice paddy|paddy|ri|田んぼ|たんぼ|田圃|水田|田",
    BANNER: "banner|banners|flag|ba|旗|はた",
}
"""Names of cards, readings, and codes of two letters."""

AFTER = ("たあと", "た後", "したあと", "した後")
"""What says that another action follows.  At the end of a line it would mean the one before."""

PARTS = (
    f",|、|;|.|。|!|then|after that|followed by|次に|つぎに|それから|そして|そのあと|その後|{'|'.join(AFTER)}"
)
"""What may stand between two actions, or inside one."""

OPENERS = r"(?:first|まず|最初に|はじめに|先に)[,、]?"
"""Said before the first of several actions.  Elsewhere it would turn their order round, and is not read."""

EXTRAS = (
    "please|thanks|thank you|i|we|let me|let us|i'd like to|i want to|i will|i'll|my|the|a|an|you|"
    "and|with|of|from|on|in|at|to|for|by|it|card|cards|emissary|emissaries|send|use|using|all|both|top|tops|pile|piles|"
    "place|places|court|end|game|number|no|:|・|+|&|/|-|(|)|「|」|#|~|=|<|>|→|⇄|↔|⇔|"
    "お願い致します|お願いいたします|お願いします|お願い|おねがいします|どうぞ|宜しく|よろしく|ください|下さい|"
    "でお願いします|にします|とします|させます|させる|させ|します|しました|しまし|する|して|した|たいです|したいです|ます|ました|です|"
    "ていただきます|いたします|致します|願います|ようと思います|"
    "を|の|と|に|へ|は|が|も|で|て|る|し|た|え|えます|わります|ります|から|自分の|私の|私|げーむ|対局|"
    "使者|宮廷|相手|使い|使って|送って|送り|全員|全部|手元|位置|かーど|目|番|枚|札|第"
)
"""Politeness and particles: read away."""

NUMBERS = ("one", "two", "three", "four", "five")
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
    rf"\s*(?P<number>[0-9]+|[{DIGITS}]+|(?:{'|'.join(NUMBERS)})(?![a-z']))|\s*(?P<word>"
    + "|".join(
        re.escape(word) + (r"(?![a-z'])" if FOREIGN.match(word) else "")
        for word in sorted(MEANING, key=len, reverse=True)
    )
    + ")"
)


def tokens(text: str) -> list[Token] | None:
    """Cut a line into words that say something; None if it holds anything else."""
    text, at = re.sub(rf"^\s*{OPENERS}", "", text.casefold().translate(KATAKANA).rstrip()), 0
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
    """Read digits of either script, and English words."""
    if text in NUMBERS:
        return NUMBERS.index(text) + 1
    return int("".join(str(DIGITS.find(sign)) if sign in DIGITS else sign for sign in text))
