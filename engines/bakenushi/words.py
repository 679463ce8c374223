"""What people type, and how lands and cards are written."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import Phrase, Problem
from engines.bakenushi.orders import CHOOSE, HIDE, PLAY, TURN, Order, Verb
from engines.bakenushi.vocabulary import COLOURS, KANJI, KANJI_COLOURS, tokens

LONGEST = 60
"""Letters of a line that can be an order."""

FITS = {
    "land": {"turn", "open", "over", "choose"},
    "card": {"play", "put", "open", "hide", "down", "over", "choose"},
    "colour": {"choose", "fight"},
}
"""What can be said of a land, a card and a discipline."""


def parse(words: str, *, hides: bool) -> Sequence[Order] | Problem:
    """Read a line as an order, legal or not: it names one land, card or discipline.

    *hides* tells whether a card may lie face down now.
    """
    found = tokens(words) if len(words) <= LONGEST else None
    named = [token for token in found or () if token.kind in FITS]
    hints = {token.kind for token in found or () if token.kind not in FITS}
    if len(named) != 1 or not hints <= FITS[named[0].kind]:
        return Problem("bakenushi.unread")
    kind, value = named[0]
    if kind == "colour":
        return [CHOOSE[COLOURS.index(value)]]
    return land(value[0], value[-1]) if kind == "land" else card(value, verbs(hints, hides=hides))


def land(file: str, rank: str) -> Sequence[Order] | Problem:
    """Read a land by its letter and its number."""
    column = "abcd".find(file)
    row = KANJI.find(rank) if rank in KANJI else int(rank) - 1
    if column < 0 or not 0 <= row < 4:
        return Problem("bakenushi.no-such-land", {"land": f"{file}{rank}"})
    return [TURN[4 * row + column]]


def verbs(hints: set[str], *, hides: bool) -> tuple[Verb, ...]:
    """Tell whether a card is played or hidden; to put it down may mean either where both go."""
    if hints & {"hide", "over"}:
        return ("hide",)
    if "down" not in hints:
        return ("play",)
    if "put" not in hints:
        return ("hide",)
    return ("play", "hide") if hides else ("play",)


def card(number: str, verbs: Sequence[Verb]) -> Sequence[Order] | Problem:
    """Read a card by its number, once for each verb."""
    value = int(number) if number.isdecimal() else kanji_number(number)
    if value not in PLAY:
        return Problem("bakenushi.no-such-card", {"card": number})
    return [HIDE[value] if verb == "hide" else PLAY[value] for verb in verbs]


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
