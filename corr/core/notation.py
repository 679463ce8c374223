"""The notation of a record: how a game is written down so that people read it and corr reads it back.

    [corr record 1]
    Game: K7QX ukulele/1
    Seat 1: Aoi
    Seat 2: Ben
    1. Aoi: 88-66
    2. Ben: 91-64
    3. (lost on time)
    Result: Ben (time)
    [end of record]

A heading says what game it was; a move has the number of its position, who gave it, and
the words that were typed; in brackets stands what nobody typed.  Every word exists in English
and Japanese, and both are read.  Around the record, and as marks of a quotation before its
lines, anything may stand; a line that begins like nothing of this goes on with a long one above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corr.core.clients import MARKS
from corr.core.fold import fold, visible
from engines.api import Outcome, Problem, Seat

VERSION = 1
"""Of the notation; a record of a later one is refused."""

NARROWEST = 30
"""Columns: no program breaks a line that has fewer."""

KEYS: Mapping[str, tuple[str, str]] = {
    "game": ("Game", "対局"),
    "luck": ("Luck", "乱数"),
    "seat": ("Seat", "席"),
    "option": ("Option", "設定"),
    "pace": ("Pace", "持ち時間"),
    "timeout": ("Lost time", "時間切れ"),
    "press": ("Talk", "会話"),
    "begun": ("Begun", "開始"),
    "digest": ("Digest", "指紋"),
    "seed": ("Seed", "秘密の数"),
    "reader": ("Shown to", "閲覧者"),
    "result": ("Result", "結果"),
}
"""What stands before the colon of a heading, in English and Japanese."""

NAMED = frozenset({"seat", "option", "pace"})
"""Headings whose word is followed by a name: ``Seat 1:``, ``Option first_player:``."""

OF_TIME: Mapping[str, tuple[str, str]] = {
    "early": ("(all done)", "(全員確定)"),
    "close": ("(time over)", "(時間終了)"),
    "lost": ("(lost on time)", "(時間切れ負け)"),
}
"""What moves a game without a player's words."""

WINS = ("(adjudicated: {name} wins)", "(裁定: {name}の勝ち)")
NOBODY_WINS = {
    "adjudication": ("(adjudicated: draw)", "(裁定: 引き分け)"),
    "void": ("(adjudicated: void)", "(裁定: 無効)"),
}
DRAWN = ("draw", "引き分け")
EVERYBODY = ("everybody", "全員")
BEGIN = (f"[corr record {VERSION}]", f"[corr 棋譜 {VERSION}]")
END = ("[end of record]", "[棋譜終わり]")

_BEGIN = re.compile(r"\[corr (?:record|棋譜) (\d+)\]")
_MOVE = re.compile(r"(\d{1,6})\. ?(.+)")
_KEY = {fold(word).casefold(): key for key, words in KEYS.items() for word in words}
_HEADING = re.compile(
    "({})(?: ?([A-Za-z0-9_.-]+))? ?: ?(.*)".format("|".join(map(re.escape, _KEY))), re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Move:
    """One move as it is written."""

    line: int  # of the text, from 1
    position: int  # counts the phases, as the letters do
    text: str  # folded


@dataclass(frozen=True, slots=True)
class Sheet:
    """A record as it was read: nothing of it is judged yet."""

    values: Mapping[str, str]  # of the headings: "game", "result", "seat 1", "option first_player"
    lines: Mapping[str, tuple[int, str]]  # the number of the line on which each stands, and that line
    moves: Sequence[Move] = ()

    def named(self, key: str) -> dict[str, str]:
        """Return the values of the headings that have a name, by that name."""
        pairs = ((heading.partition(" "), value) for heading, value in self.values.items())
        return {name: value for (kind, _, name), value in pairs if kind == key and name}


def column(lang: str) -> int:
    """Return where the words of a language stand in the tables."""
    return lang == "ja"


def heading(key: str, value: str, lang: str, name: str = "") -> str:
    """Write a heading line."""
    word = KEYS[key][column(lang)]
    return f"{word} {name}: {value}" if name else f"{word}: {value}"


def result(outcome: Outcome, names: Mapping[Seat, str], lang: str) -> str:
    """Write who has won, and the word that the rules have for the reason."""
    winners = ", ".join(names[seat] for seat in sorted(outcome.winners))
    return f"{winners or DRAWN[column(lang)]} ({outcome.reason})"


def ruling(outcome: Outcome, names: Mapping[Seat, str], lang: str) -> str:
    """Write how a master ended the game."""
    for winner in outcome.winners:
        return WINS[column(lang)].format(name=names[winner])
    return NOBODY_WINS[outcome.reason][column(lang)]


def same(one: str, other: str) -> bool:
    """Compare two texts as people read them: width, case and breaks of a line do not count."""
    return _squeezed(one) == _squeezed(other)


def _squeezed(text: str) -> str:
    """Return a text without what may get lost on the way."""
    return "".join(fold(text).casefold().split())


def by_name(text: str, names: Mapping[Seat, str]) -> tuple[Seat, str] | None:
    """Split ``Aoi: 88-66`` at the last colon behind a name of the table, which may hold colons too."""
    for at in sorted((colon.start() for colon in re.finditer(":", text)), reverse=True):
        who, words = text[:at], text[at + 1 :].strip()
        seat = next((seat for seat, name in names.items() if same(name, who)), None)
        if seat is not None and words:
            return seat, words
    return None


def read(text: str) -> Sheet | Problem:
    """Read a record out of a text; says on which line it is none."""
    lines = [(number, line) for number, line in enumerate(_cleaned(text), 1) if line]
    begins = ((at, found) for at, (_, line) in enumerate(lines, 1) if (found := _BEGIN.search(fold(line))))
    body_at, begin = next(begins, (0, None))
    if begin is None:
        return Problem("record.none")
    if int(begin[1]) != VERSION:
        return Problem("record.newer")
    body = lines[body_at:]
    end = next((at for at, (_, line) in enumerate(body) if _ends(line)), None)
    return Problem("record.cut") if end is None else _sheet(_joined(body[:end]))


def _cleaned(text: str) -> Iterator[str]:
    """Yield the lines of a text without the marks of a quotation."""
    return (MARKS.sub("", visible(line)).rstrip() for line in re.split(r"\r\n|\r|\n", text))


def _joined(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Put together what was broken in two: a line that begins like nothing, where the one above was full."""
    found: list[tuple[int, str]] = []
    above = ""
    for number, line in lines:
        text = fold(line)
        fitted = len(above) + len(line.split()[0]) < NARROWEST
        if not found or fitted or _MOVE.fullmatch(text) or _HEADING.fullmatch(text):
            found.append((number, line))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line}")
        above = line
    return found


def _ends(line: str) -> bool:
    return any(same(end, line) for end in END)


def _sheet(lines: Sequence[tuple[int, str]]) -> Sheet | Problem:
    """Sort the lines of a record into headings and moves."""
    values: dict[str, str] = {}
    where: dict[str, tuple[int, str]] = {}
    moves: list[Move] = []
    for number, line in lines:
        if move := _MOVE.fullmatch(fold(line)):
            moves.append(Move(number, int(move[1]), move[2]))
        elif (split := _heading(line)) is None:
            return wrong(number, line, Problem("record.unread"))
        elif split[0] in values:
            return wrong(number, line, Problem("record.twice"))
        else:
            values[split[0]], where[split[0]] = split[1], (number, line)
    return Sheet(values, where, moves)


def wrong(line: int, words: str, reason: Problem) -> Problem:
    """Say which line of a record is wrong, and why."""
    return Problem("record.line", {"line": line, "words": words, "reason": reason})


def _heading(line: str) -> tuple[str, str] | None:
    """Split a heading into its key, with the name that follows it, and its value as it is written."""
    found = _HEADING.fullmatch(fold(line))
    if found is None:
        return None
    key, name = _KEY[found[1].casefold()], found[2]
    if (name is not None) != (key in NAMED):
        return None
    value = re.split("[:：]", line, maxsplit=1)[1].strip()
    return f"{key} {name}" if name else key, value


def marks(names: Mapping[Seat, str]) -> Iterator[tuple[str, str, Seat | None]]:
    """Yield every text in brackets, in each language, with what it means and the seat that it names."""
    for lang in ("en", "ja"):
        at = column(lang)
        yield from ((texts[at], meaning, None) for meaning, texts in OF_TIME.items())
        yield from ((texts[at], reason, None) for reason, texts in NOBODY_WINS.items())
        yield from ((WINS[at].format(name=name), "adjudication", seat) for seat, name in names.items())
