"""What people type, and how lands and cards are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.api import Phrase, Problem
from engines.bakenushi.orders import HIDE, PLAY, TURN, Order, Verb

LONGEST = 60
"""Letters of a line that can be an order."""

COLOURS = ("blue", "green", "red")
KANJI_COLOURS = "青緑赤"
KANJI = "一二三四五六七八九"

POLITE = r"[,、]|please|thanks|thank you|i|we|let me|my|the|a|you"
ENDING = (
    r"お願い(?:いた|致)?します|お願い|おねがいします|どうぞ|宜しく|よろしく|でお願いします|で|です|にします|とします|"
    r"します|しました|する|ます|ました|る|て|で|てください|ください|下さい|たいです"
)
LAND = re.compile(
    rf"(?:(?:{POLITE}|turn|flip|open|reveal|up|over|land|tile|at|on|土地|山)\s*)*"
    rf"(?P<file>[a-z])\s*-?\s*(?P<rank>[0-9{KANJI}])"
    rf"(?:\s*(?:{POLITE}|up|over|の?土地|を|表に|めく|めくり|めくっ|開|開き|開く|開け|開い|返|返し|表|{ENDING}))*[\s.。!]*"
)
FACE = r"face\s*-?\s*up|open(?:ly)?"
DOWN = r"face\s*-?\s*down|down|hidden|hide|bury|secretly"
DOWN_JA = r"(?:を)?(?:裏向き|裏|伏せ)(?:で|に|て|にして)?"
NUMBER = rf"(?:[0-9]{{1,2}}|[{KANJI}十〇]{{1,3}})"
CARD = re.compile(
    rf"(?:(?:{POLITE}|play|lay|put|use|{FACE}|{DOWN}|card|no|変化カード|変化札|カード|手札|札|#|{DOWN_JA})\s*\.?\s*)*"
    rf"(?P<number>{NUMBER})"
    rf"(?:\s*(?:{POLITE}|{FACE}|{DOWN}|{DOWN_JA}|番|の?変化カード|の?カード|の?札|を|表で|出|出し|使|使い|使う|使っ|"
    rf"プレイ|置|置き|置く|す|{ENDING}))*[\s.。!]*"
)
HIDDEN = re.compile(rf"{DOWN}|裏|伏せ")
COLOUR = re.compile(
    rf"(?:(?:{POLITE}|choose|pick|take|make it|it|for|as|discipline|to|種目|種目は)\s*)*"
    rf"(?P<colour>blue|green|red|[{KANJI_COLOURS}])"
    rf"(?:\s*(?:{POLITE}|discipline|marker|の?種目|の?マーカー|色|を|に|で|選|選び|選ぶ|選ん|{ENDING}))*[\s.。!]*"
)


def parse(words: str) -> Sequence[Order] | Problem:
    """Read a line as an order, legal or not."""
    text = words.strip().casefold()
    if len(text) > LONGEST:
        return Problem("bakenushi.unread")
    if match := COLOUR.fullmatch(text):
        colour = match["colour"]
        return [Order("choose", COLOURS.index(colour) if colour in COLOURS else KANJI_COLOURS.index(colour))]
    if match := LAND.fullmatch(text):
        return land(match["file"], match["rank"])
    if match := CARD.fullmatch(text):
        return card(match["number"], "hide" if HIDDEN.search(text) else "play")
    return Problem("bakenushi.unread")


def land(file: str, rank: str) -> Sequence[Order] | Problem:
    """Read a land by its letter and its number."""
    column = "abcd".find(file)
    row = KANJI.find(rank) if rank in KANJI else int(rank) - 1
    if column < 0 or not 0 <= row < 4:
        return Problem("bakenushi.no-such-land", {"land": f"{file}{rank}"})
    return [TURN[4 * row + column]]


def card(number: str, verb: Verb) -> Sequence[Order] | Problem:
    """Read a card by its number."""
    value = int(number) if number.isdecimal() else kanji_number(number)
    orders = HIDE if verb == "hide" else PLAY
    if value not in orders:
        return Problem("bakenushi.no-such-card", {"card": number})
    return [orders[value]]


def kanji_number(text: str) -> int:
    """Read 十三 or 一三; 0 for what is no number."""
    tens, ten, ones = text.rpartition("十")
    if ten and len(tens) <= 1 and len(ones) <= 1:
        return 10 * (KANJI.find(tens) + 1 if tens else 1) + (KANJI.find(ones) + 1 if ones else 0)
    digits = "".join(str(("〇" + KANJI).find(sign)) for sign in text)
    return int(digits) if digits.isdecimal() else 0


def spell(order: Order, lang: str) -> str:
    """Write an order as a reader of *lang* types it."""
    ja = lang == "ja"
    if order.verb == "turn":
        return f"{code(order.what)}をめくる" if ja else f"turn {code(order.what)}"
    if order.verb == "choose":
        return f"{KANJI_COLOURS[order.what]}を選ぶ" if ja else f"choose {COLOURS[order.what]}"
    if order.verb == "hide":
        return f"{order.what}を伏せて出す" if ja else f"play {order.what} face down"
    return f"{order.what}を出す" if ja else f"play {order.what}"


def code(cell: int) -> str:
    """Return the name of a cell: a1 in the north-west, d4 in the south-east."""
    return f"{'abcd'[cell % 4]}{cell // 4 + 1}"


def colour(discipline: int) -> Phrase:
    """Name a discipline inside a phrase."""
    return Phrase(f"bakenushi.discipline.{COLOURS[discipline]}")
