"""Words that belong to corr in every game, in English and Japanese.

A line is first tried whole as a word of corr, then as an order of the game; a
``/`` before it forces the first (mail.md 2.3: the language between players and corr).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corr.core.fold import fold

WORDS: dict[str, tuple[str, ...]] = {
    "help": ("help", "ヘルプ"),
    "rules": ("rules", "規則", "ルール"),
    "board": ("board", "盤面", "局面"),
    "history": ("history", "棋譜"),
    "me": ("me", "自分"),
    "games": ("games", "一覧"),
    "together": ("together", "一括"),
    "anyway": ("anyway", "それでも"),
    "resign": ("resign", "i resign", "投了", "投了します"),
    "draw": ("draw", "draw?", "offer draw", "引分", "引き分け", "引分け"),
    "no draw": ("no draw", "decline draw", "引分拒否"),
    "claim": ("claim", "時間切れ"),
    "stop": ("stop", "unsubscribe", "停止"),
    "start": ("start", "開始"),
    "yes": ("yes", "はい"),
    "no": ("no", "いいえ"),
}
"""Words that stand alone on a line, with the ways to write each."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "help": WORDS["help"],
    "ask": ("ask", "質問"),
    "history": WORDS["history"],
    "name": ("name", "名前"),
    "remind": ("remind", "催促"),
    "lang": ("lang", "language", "言語"),
    "zone": ("zone", "timezone", "時間帯"),
    "format": ("format", "書式"),
    "address add": ("address add", "アドレス追加"),
    "address remove": ("address remove", "アドレス削除"),
    "say to": ("say to", "伝言"),
    "say": ("say", "発言"),
    "tell gm": ("tell gm", "司会へ"),
    "report": ("report", "通報"),
    "mute": ("mute", "消音"),
    "unmute": ("unmute", "消音解除"),
}
"""Words that take one argument; :mod:`corr.core.talk` gives talk its lines."""

TOPICS: dict[str, tuple[str, ...]] = {
    "orders": ("orders", "order", "moves", "move", "指し方", "手", "指し手"),
    "deadline": ("deadline", "deadlines", "time", "期限", "持ち時間"),
    "reply": ("reply", "replies", "返信"),
    "settings": ("settings", "設定"),
    "talk": ("talk", "say", "発言", "伝言"),
    "leaving": ("stop", "leaving", "resign", "停止", "投了"),
}
"""What help can be had about, with the ways to name it."""

LANGUAGES: dict[str, tuple[str, ...]] = {
    "en": ("en", "english", "英語"),
    "ja": ("ja", "japanese", "日本語"),
}

FORMS: dict[str, tuple[str, ...]] = {
    "html": ("html", "both", "両方"),
    "text": ("text", "plain", "テキスト"),
    "text-jp": ("text-jp", "iso-2022-jp", "jis", "テキスト-jp"),
}
"""Forms of letters: text and HTML; text alone; text alone in the charset of old Japanese phones."""

SWITCHES: dict[str, tuple[str, ...]] = {
    "on": ("on", "yes", "オン", "する", "あり", "はい"),
    "off": ("off", "no", "オフ", "しない", "なし", "いいえ"),
}

_SAID = dict.fromkeys(("i give up", "投了いたします", "負けました", "参りました"), "resign")
"""What players say instead of a word: read, but not offered, for other sayings are near it."""


def _meanings(table: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {spelling: meaning for meaning, spellings in table.items() for spelling in spellings}


_ALONE = _meanings(WORDS) | _SAID
_SETTING = _meanings(SETTINGS)
_BEGINNINGS = tuple(f"{spelling} " for spelling in _SETTING)
_LANGUAGE = _meanings(LANGUAGES)
_FORM = _meanings(FORMS)
_TOPIC = _meanings(TOPICS)
_SWITCH = _meanings(SWITCHES)
_RANGE = re.compile(r"(\d{1,4})(?:手目)?(?:\s*[-~]\s*(\d{1,4})(?:手目)?)?")
_CLOSING = ".!。 \t\u3000"
_CLOSING_NAME = ".。 \t\u3000"  # a name with more behind it is none
_POLITE = re.compile(r"^(yes|no|はい|いいえ)(?:\s*[,.!、。]| (?:please|thanks|thank you)\b)")
# A yes ends games: one with a reservation is none.
_RESERVED = re.compile(
    r"(?:yes|はい)(?:.*\bbut\b|\s*[,.!、。]\s*(?:(?:if|unless|wait)\b|でも|けど|しかし|ただし|待って|もし))"
)
# What programs put before the subject of an answer or of a letter that is sent on, in their own language.
_REPLY = re.compile(
    r"^(?:\s*(?:re|res|aw|antw|sv|vs|ynt|odp|rv|fwd?|wg|tr|enc|返信|転送|回[复覆]|答[复覆]|转发|轉寄)"
    r"(?:\[\d+\]|\(\d+\)|\^\d+)?\s*:)+",
    re.IGNORECASE,
)


class Word(NamedTuple):
    """A service word and what follows it."""

    name: str
    argument: str = ""


def word(line: str) -> Word | None:
    """Read a folded line as a word of corr, or as none.

    Case and closing punctuation do not count; ``Yes, gladly`` is a yes, since
    nobody writes an order after a comma, but ``Yes, but`` is neither.
    """
    text = _written(line).casefold()
    if text in _ALONE:
        return Word(_ALONE[text])
    if (polite := _POLITE.match(text)) and not _RESERVED.match(text):
        return Word(_ALONE[polite[1]])
    if not text.startswith(_BEGINNINGS):  # most lines
        return None
    for spelling, name in _SETTING.items():
        if text.startswith(f"{spelling} "):
            argument = (_written(line, _CLOSING_NAME) if name == "name" else text)[len(spelling) :].strip()
            return Word(name, argument) if name != "history" or extent(argument) else None
    return None


def is_alone(line: str) -> bool:
    """Tell whether a folded line is a word that stands alone, with nothing behind it."""
    return _written(line).casefold() in _ALONE


def _written(line: str, closing: str = _CLOSING) -> str:
    return line.removeprefix("/").strip().rstrip(closing)


def spelt(name: str, lang: str) -> str:
    """Return a word that stands alone as a reader of *lang* ("en", "ja") types it."""
    spellings = WORDS[name]
    return next((one for one in spellings if one.isascii() == (lang != "ja")), spellings[0])


def language(argument: str) -> str | None:
    """Return the code of a language that a player named, if corr speaks it."""
    return _LANGUAGE.get(argument.strip().casefold())


def letter_form(argument: str) -> str | None:
    """Return the form of letters that a player named, if corr writes it."""
    return _FORM.get(argument.strip().casefold())


def topic(argument: str) -> str | None:
    """Return what a player wants help about, if it is one of :data:`TOPICS`."""
    return _TOPIC.get(argument.strip().casefold())


def switch(argument: str) -> str | None:
    """Return "on" or "off" as a player wrote it, if it is one of these."""
    return _SWITCH.get(argument.strip().casefold())


def extent(argument: str) -> tuple[int | None, int] | None:
    """Read ``from-to``, counted from 1, or ``n``: the last so many (None, n)."""
    found = _RANGE.fullmatch(argument.strip())
    if found is None:
        return None
    first, last = found[1], found[2]
    return (int(first), int(last)) if last else (None, int(first))


def around(subject: str, own: Iterable[str]) -> str:
    """Return, folded, what stands in a subject around corr's: one of *own*, which have one tag.

    Of corr's the end may be cut off, altered on the way, or written over.
    """
    text, owns = fold(subject), [fold(one).partition("] ") for one in own]
    found = re.search(re.escape(f"{owns[0][0]}]"), text, re.IGNORECASE) if owns else None
    if found is None:
        return text
    rest, titles = text[found.end() :].strip(), [title for *_, title in owns]
    whole = next((title for title in titles if rest.startswith(title)), "")
    altered = not whole and any(_is_like(rest, title) for title in titles)
    behind = "" if altered else rest.removeprefix(whole).strip(" .")
    return f"{text[: found.start()]} {behind}".strip()


def _is_like(rest: str, title: str) -> bool:
    """Tell what is left of a title, or begins as it does as far as its colon."""
    name, colon, _ = title.partition(":")
    return title.startswith(rest.rstrip(".")) or rest.startswith(f"{name}{colon}")


def subject_line(subject: str) -> str | None:
    """Return the words of a subject that the player typed, without ``Re:``.

    A subject with a game's tag is corr's own, brought back by the mail program.
    """
    text = _REPLY.sub("", fold(subject)).strip()
    return text if text and "[" not in text else None
