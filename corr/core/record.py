"""The record of a game: what stands above its moves, and how it is read out of a text.

The record of a game that is over, or that a master asks for, is complete: its rules, options,
seed and orders give every fact again.  That of a game which goes on shows its reader the own
orders, and those of others that were told in the open; the seed and all else is missing, and
it is not read back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from corr.core import notation
from corr.core.fold import fold
from corr.core.notation import Move, Sheet, wrong
from engines.api import Problem, Seat

WORDS_OF_END: Mapping[str, str] = {"resignation": "resign", "agreement": "draw", "time": "claim"}
"""What a player writes to end a game outside its rules, by the reason of the end."""

INSTANT = "%Y-%m-%d %H:%M UTC"


@dataclass(frozen=True, slots=True)
class Header:
    """What stands above the moves of a record."""

    code: str
    rules: str
    names: Mapping[Seat, str]
    luck: str  # the code under which the game was first played: draws begin with it
    timeout: str
    press: str
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    paces: Mapping[str, str] = field(default_factory=dict[str, str])
    begun: datetime | None = None  # aware UTC, to the minute
    digest: str = ""
    seed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read."""

    header: Header
    sheet: Sheet  # where each heading stands

    @property
    def moves(self) -> Sequence[Move]:
        """The moves, in order."""
        return self.sheet.moves

    @property
    def result(self) -> str | None:
        """What the record says of the end; None while the game goes on."""
        return self.sheet.values.get("result")

    def fault(self, key: str, problem: Problem) -> Problem:
        """Say on which line a heading stands that has a *problem*, if it is written at all."""
        return wrong(*self.sheet.lines[key], problem) if key in self.sheet.lines else problem


def compact(content: Any) -> str:
    """Write what a file says, as an option of a game that is stored: compact JSON."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Record | Problem:
    """Read a complete record out of a text; says which line is wrong, or what is missing."""
    sheet = notation.read(text)
    if isinstance(sheet, Problem):
        return sheet
    if (reader := sheet.values.get("reader")) is not None:
        return Problem("record.partial", {"reader": reader})
    if "seed" not in sheet.values:
        return Problem("record.no-seed")
    header = _header(sheet)
    return header if isinstance(header, Problem) else Record(header, sheet)


def _header(sheet: Sheet) -> Header | Problem:
    found = {key: read(sheet.values.get(key, "")) for key, read in _VALUES.items()}
    for key, value in found.items():
        if value is None:
            return _unread(sheet, key)
    seats = sheet.named("seat")
    for number, given in enumerate(seats, 1):
        if given != str(number):
            return _unread(sheet, f"seat {given}")
    (code, rules), seed, begun = found["game"], found["seed"], found["begun"]
    return Header(
        code=code,
        rules=rules,
        names={Seat(int(number)): name for number, name in seats.items()},
        luck=fold(sheet.values.get("luck", code)).upper(),
        timeout=fold(sheet.values.get("timeout", "loss")),
        press=fold(sheet.values.get("press", "open")),
        options=sheet.named("option"),
        paces={pace: fold(rule) for pace, rule in sheet.named("pace").items()},
        begun=begun or None,
        digest="".join(fold(sheet.values.get("digest", "")).split()).lower(),
        seed=seed,
    )


def _unread(sheet: Sheet, key: str) -> Problem:
    """Refuse a heading that says nothing, or that is not there."""
    if key not in sheet.values:
        return Problem("record.missing", {"heading": " / ".join(notation.KEYS[key])})
    return wrong(*sheet.lines[key], Problem("record.unread"))


def _game(text: str) -> tuple[str, str] | None:
    """Read the code and the rules: ``K7QX ukulele/1``."""
    found = re.fullmatch(r"([A-Za-z0-9]{4,8}) (\S+/\d{1,4})", fold(text))
    return (found[1].upper(), found[2]) if found else None


def _bytes(text: str) -> bytes | None:
    """Read 32 bytes in hexadecimal."""
    found = "".join(fold(text).split())
    return bytes.fromhex(found) if re.fullmatch("[0-9a-fA-F]{64}", found) else None


def _instant(text: str) -> datetime | str | None:
    """Read an instant; an empty text is none, and no error."""
    try:
        return text and datetime.strptime(fold(text), INSTANT).replace(tzinfo=UTC)
    except ValueError:
        return None


_VALUES: Mapping[str, Callable[[str], Any]] = {"game": _game, "seed": _bytes, "begun": _instant}
"""Headings with more than a word in them."""
