"""The cards and lands of a game, read from data and held against the published counts.

Published: 35 transformation cards and 16 lands; red numbers 0 to 6, five cards each, with a
figure on none of the 0, all of the 6 and three of each number between; green numbers 0 to 4,
seven cards each, with no figure on a 4; 35 different blue patterns of three marks each; two
lands 0/+5, two 0/-5 and one -0; neutral lands of three kinds, 草原 open on all four sides.

Two of the published numbers cannot be: 15 green figures of each kind (28 cards may carry one)
and 12 blue figures (35 different patterns of three in seven places put it on 15).  They are read
as exchanged: 12 green figures of each kind, three on each number, and 15 blue ones.  With the
option ``green_figures`` = 14, every card from 0 to 3 has a figure, 14 of each kind.

It follows that there are 12 lands with a value and 4 neutral ones: four rounds use 12, and three
or four neutral ones can turn up in a row.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar, cast

from engines.api import Phrase, Problem
from engines.bakenushi.facts import Card, Land
from engines.bakenushi.scoring import FIGURE

SYMBOLS = {
    symbol: 1 << bit for bit, symbol in enumerate(("U_sq", "U_ci", "M_sq", "M_ci", "L_sq", "L_ci", "FIG"))
}
NEUTRALS = ("sogen", "tsuribashi", "kemonomichi")
LABEL = re.compile(r"(?P<pair>0/[+-][1-9])|(?P<zero>-0)|(?P<value>[+-][1-9])")


T = TypeVar("T")


class Components(NamedTuple):
    """What lies in the box."""

    cards: tuple[Card, ...]
    lands: tuple[Land, ...]


class Count(NamedTuple):
    """One published count: what is counted, how often it is there, and how often it must be."""

    what: Phrase
    found: int
    wanted: int


def components(options: Mapping[str, str]) -> Components | Problem:
    """Return the cards that the options ask for: an owner's, as JSON, or those that come along."""
    return box(options.get("components", ""), options.get("green_figures", "12"))


@lru_cache(maxsize=16)
def box(written: str, figures: str) -> Components | Problem:
    """Read a box, with so many green figures of each kind, and count what is in it."""
    try:
        data = json.loads(written) if written else PROPOSED
    except ValueError:
        return Problem("bakenushi.bad-file")
    found = read(data, "green_figure_alt14" if figures == "14" else "green_figure")
    return found if isinstance(found, Problem) else fault(found, int(figures)) or found


def read(data: object, figure: str) -> Components | Problem:
    """Read the two tables of a file; *figure* names the field of the green figures."""
    cards = rows(data, "transformation_cards", lambda row: card(row, figure))
    lands = rows(data, "land_cards", land)
    if isinstance(cards, Problem):
        return cards
    if isinstance(lands, Problem):
        return lands
    return Components(tuple(sorted(cards)), tuple(sorted(lands)))


def rows(data: object, table: str, one: Callable[[Mapping[str, Any]], Any]) -> list[Any] | Problem:
    """Read each row of a table; the first bad one is named by its place in it."""
    found = cast("Mapping[str, object]", data).get(table) if isinstance(data, dict) else None
    if not isinstance(found, list):
        return Problem("bakenushi.bad-file")
    items: list[Any] = []
    for place, row in enumerate(cast("list[object]", found), 1):
        try:
            items.append(one(cast("Mapping[str, Any]", row)))
        except (KeyError, ValueError) as error:
            return Problem("bakenushi.bad-row", {"table": table, "place": place, "field": str(error.args[0])})
    return items


def card(row: Mapping[str, Any], figure: str) -> Card:
    """Read a transformation card; raises where a field is missing or wrong."""
    number, green_figure = value(row, "id", int), row.get(figure) or ""
    if green_figure not in ("A", "B", ""):
        raise ValueError(figure)
    symbols = cast("list[object]", value(row, "blue_symbols", list))
    return Card(
        number=number,
        red=value(row, "red", int),
        red_figure=value(row, "red_figure", bool),
        green=value(row, "green", int),
        green_figure=green_figure,
        blue=sum({SYMBOLS[str(symbol)] for symbol in symbols}),
    )


def value(row: Mapping[str, Any], field: str, kind: type[T]) -> T:
    """Return the value of a field; raises where it is missing or of another kind, such as ``true`` for 1."""
    found = row.get(field) if isinstance(row, dict) else None
    if isinstance(found, kind) and type(found) is kind:
        return found
    raise ValueError(field)


def land(row: Mapping[str, Any]) -> Land:
    """Read a land; raises where a field is missing or wrong."""
    number = value(row, "id", int)
    if row.get("neutral") is not None:
        sides = value(row, "open", str)
        if row["neutral"] not in NEUTRALS or not set(sides) <= set("NESW"):
            raise ValueError("neutral")
        return Land(number, "", 0, 0, row["neutral"], "".join(side for side in "NESW" if side in sides))
    label = LABEL.fullmatch(value(row, "label", str))
    if label is None:
        raise ValueError("label")
    return Land(number, label[0], int(label["value"] or 0), int((label["pair"] or "0/0")[2:]), "", "")


def fault(box: Components, figures: int) -> Problem | None:
    """Return the first published count that the cards do not meet."""
    for count in (*card_counts(box.cards, figures), *land_counts(box.lands)):
        if count.found != count.wanted:
            return Problem(
                "bakenushi.bad-count", {"what": count.what, "found": count.found, "wanted": count.wanted}
            )
    return None


def card_counts(cards: Sequence[Card], figures: int) -> Iterator[Count]:
    """Count what is printed on the cards."""
    yield Count(Phrase("bakenushi.count.cards"), len(cards), 35)
    yield Count(
        Phrase("bakenushi.count.card-numbers"), len({card.number for card in cards} & set(range(1, 36))), 35
    )
    yield from red_counts(cards)
    yield from green_counts(cards, figures)
    threes = sum(card.blue.bit_count() == 3 for card in cards)
    yield Count(Phrase("bakenushi.count.blue-marks"), threes, 35)
    yield Count(Phrase("bakenushi.count.blue-patterns"), len({card.blue for card in cards}), 35)
    yield Count(Phrase("bakenushi.count.blue-figures"), sum(bool(card.blue & FIGURE) for card in cards), 15)


def red_counts(cards: Sequence[Card]) -> Iterator[Count]:
    """Count the red numbers and their figures."""
    numbers = Counter(card.red for card in cards)
    figures = Counter(card.red for card in cards if card.red_figure)
    for number in range(7):
        yield Count(Phrase("bakenushi.count.red", {"number": number}), numbers[number], 5)
        wanted = {0: 0, 6: 5}.get(number, 3)
        yield Count(Phrase("bakenushi.count.red-figures", {"number": number}), figures[number], wanted)


def green_counts(cards: Sequence[Card], figures: int) -> Iterator[Count]:
    """Count the green numbers and their figures: 12 or 14 of each kind."""
    numbers = Counter(card.green for card in cards)
    fours = sum(bool(card.green_figure) for card in cards if card.green == 4)
    for number in range(5):
        yield Count(Phrase("bakenushi.count.green", {"number": number}), numbers[number], 7)
    yield Count(Phrase("bakenushi.count.green-four"), fours, 0)
    for kind in "AB":
        found = sum(card.green_figure == kind for card in cards)
        yield Count(Phrase("bakenushi.count.green-figures", {"kind": kind}), found, figures)


def land_counts(lands: Sequence[Land]) -> Iterator[Count]:
    """Count the lands."""
    labels = Counter(land.label for land in lands)
    kinds = Counter(land.neutral for land in lands)
    yield Count(Phrase("bakenushi.count.lands"), len(lands), 16)
    yield Count(
        Phrase("bakenushi.count.land-numbers"), len({land.number for land in lands} & set(range(1, 17))), 16
    )
    yield Count(Phrase("bakenushi.count.neutral"), len(lands) - kinds[""], 4)
    for label, wanted in (("0/+5", 2), ("0/-5", 2), ("-0", 1)):
        yield Count(Phrase("bakenushi.count.label", {"label": label}), labels[label], wanted)
    other = sum(land.pair not in (0, 5, -5) for land in lands)
    yield Count(Phrase("bakenushi.count.other-pairs"), other, 0)
    yield Count(Phrase("bakenushi.count.kinds"), len(kinds.keys() & set(NEUTRALS)), 3)
    closed = sum(land.neutral == "sogen" and land.open != "NESW" for land in lands)
    yield Count(Phrase("bakenushi.count.closed-grassland"), closed, 0)


def proposed() -> Mapping[str, Any]:
    """Return the file that comes with the engine."""
    return tomllib.loads(files("engines.bakenushi").joinpath("components.toml").read_text("utf-8"))


PROPOSED = proposed()
