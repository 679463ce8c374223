"""What happened, as phrases.  Nothing is secret here: all viewers read the same."""

from __future__ import annotations

from collections.abc import Iterator

from engines.api import Phrase, Seat, name
from engines.ukulele.board import BLACK, WHITE, Jump
from engines.ukulele.facts import Began, Fact, Laws, Moved, Passed
from engines.ukulele.options import ARRAYS
from engines.ukulele.refusals import named
from engines.ukulele.state import State, seat_of


def told(state: State, fact: Fact) -> Iterator[Phrase]:
    """Put a fact in words.  The end of a game is told by its outcome."""
    if isinstance(fact, Began):
        yield Phrase(
            "ukulele.began", {"black": name(seat_of(state, BLACK)), "white": name(seat_of(state, WHITE))}
        )
        yield from conditions(fact.laws)
        if fact.position.turn > 1:
            yield Phrase("ukulele.turn", {"turn": fact.position.turn})
    elif isinstance(fact, Moved):
        yield from lifted(fact.by, fact.lifts)
        yield Phrase("ukulele.moved", named(Jump(fact.start, fact.to)) | {"by": name(fact.by)})
    elif isinstance(fact, Passed):
        yield from lifted(fact.by, fact.lifts)
        key = "ukulele.forfeited" if fact.forfeits else "ukulele.passed"
        yield Phrase(key, {"by": name(fact.by), "moves": fact.forfeits})


def conditions(laws: Laws) -> Iterator[Phrase]:
    """Say from which array a game starts, and which options are unusual."""
    known = laws.array in ARRAYS
    yield (
        Phrase("ukulele.array", {"array": Phrase(f"ukulele.option.array.{laws.array}")})
        if known
        else Phrase("ukulele.array.own", {"squares": laws.array})
    )
    if laws.handicap > 1:
        yield Phrase("ukulele.handicap", {"moves": laws.handicap})
    if laws.can_move == "geometric":
        yield Phrase("ukulele.geometric")
    if not laws.fourfold:
        yield Phrase("ukulele.no-fourfold")
    if laws.move_cap is not None:
        yield Phrase("ukulele.move-cap", {"moves": laws.move_cap})


def lifted(by: Seat, lifts: bool) -> Iterator[Phrase]:
    """Say that a side's restriction fell."""
    if lifts:
        yield Phrase("ukulele.lifted", {"by": name(by)})
