"""Bakenushi against strengths, connections and counts that separately written programs computed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.api import Problem
from engines.bakenushi.components import Components, components
from engines.bakenushi.facts import Card, Land
from engines.bakenushi.mountain import touches_all
from engines.bakenushi.scoring import blue_strength, green_strength, red_strength
from tests.vectors.cases import documents

SCORING = [
    pytest.param(case, id=f"bakenushi-{number}-{case['tag']}")
    for document in documents("bakenushi", "powers")
    for number, case in enumerate(document["cases"], 1)
]
CONNECTIONS = [
    pytest.param(case, id=f"bakenushi-{'/'.join(case['rows'])}")
    for document in documents("bakenushi", "connection")
    for case in document["cases"]
]
DECKS = [
    pytest.param(document, id=f"bakenushi-{number}")
    for number, document in enumerate(documents("bakenushi", "components"), 1)
]

NEUTRAL = {
    "=": Land(13, "", 0, 0, "tsuribashi", "EW"),
    "|": Land(14, "", 0, 0, "kemonomichi", "NS"),
    "+": Land(15, "", 0, 0, "sogen", "NESW"),
}
SCORING_FIELDS = {"tag", "first", "second", "blue", "green", "red"}
CARD_FIELDS = {
    *("id", "red", "red_figure", "green", "green_figure", "green_figure_alt14"),
    *("blue_rows", "blue_figure", "blue_symbols"),
}
LAND_FIELDS = {
    *("id", "kind", "label", "value", "pair_value", "plus", "minus_zero", "open"),
    "neutral",
}
DECK_FIELDS = {
    *("meta", "game", "kind", "status", "published", "blue_model", "neutral_rule", "variants"),
    *("transformation_cards", "land_cards"),
}


def box(**options: str) -> Components:
    found = components(options)
    assert not isinstance(found, Problem), found
    return found


def cards(numbers: list[int]) -> tuple[Card, ...]:
    return tuple(box().cards[number - 1] for number in numbers)


@pytest.mark.parametrize("case", SCORING)
def test_three_cards_are_as_strong_in_each_discipline(case: dict[str, Any]) -> None:
    assert case.keys() == SCORING_FIELDS
    first, second = cards(case["first"]), cards(case["second"])
    found = {
        "blue": (blue_strength(first), blue_strength(second)),
        "green": (green_strength(first), green_strength(second)),
        "red": (
            red_strength(first, second, gaining=False),
            red_strength(second, first, gaining=False),
        ),
    }
    for discipline, (one, two) in found.items():
        won = "first" if one >= two else "second"
        assert case[discipline] == {"first": one, "second": two, "winner": won}, discipline


@pytest.mark.parametrize("case", CONNECTIONS)
def test_who_connects_the_four_edges(case: dict[str, Any]) -> None:
    assert case.keys() == {"rows", "fox_connected", "tanuki_connected"}
    signs = "".join(case["rows"])
    assert len(signs) == 16
    neutral = [(cell, NEUTRAL[sign]) for cell, sign in enumerate(signs) if sign in NEUTRAL]
    for side, letter in (("fox", "F"), ("tanuki", "T")):
        own = sum(1 << cell for cell, sign in enumerate(signs) if sign == letter)
        assert touches_all(own, neutral, bridges=False) == case[f"{side}_connected"], side


@pytest.mark.parametrize("document", DECKS)
def test_a_deck_in_a_file_is_read_field_by_field(document: dict[str, Any]) -> None:
    assert document.keys() == DECK_FIELDS
    found = box(components=json.dumps(document))
    other = box(components=json.dumps(document), green_figures="14")
    for card, alt, row in zip(found.cards, other.cards, document["transformation_cards"], strict=True):
        assert row.keys() == CARD_FIELDS
        check_card(card, alt, row)
    for land, row in zip(found.lands, document["land_cards"], strict=True):
        assert row.keys() <= LAND_FIELDS
        check_land(land, row)


def check_card(card: Card, alt: Card, row: dict[str, Any]) -> None:
    rows = row["blue_rows"]
    shapes = [shape in rows[line] for line in ("upper", "middle", "lower") for shape in ("square", "circle")]
    assert card == Card(
        number=row["id"],
        red=row["red"],
        red_figure=row["red_figure"],
        green=row["green"],
        green_figure=row["green_figure"] or "",
        blue=sum(1 << bit for bit, marked in enumerate((*shapes, row["blue_figure"])) if marked),
    )
    assert alt.green_figure == (row["green_figure_alt14"] or "")


def check_land(land: Land, row: dict[str, Any]) -> None:
    neutral = row["kind"] == "neutral"
    assert (land.number, land.value, land.pair) == (row["id"], row["value"], row.get("pair_value") or 0)
    assert land.neutral == row.get("neutral", "")
    assert land.open == (row["open"] if neutral else "")
    assert land.label == ("" if neutral else row["label"])


@pytest.mark.parametrize("document", DECKS[:1])
def test_the_deck_that_comes_along_is_the_proposed_one(document: dict[str, Any]) -> None:
    for figures in ("12", "14"):
        assert box(green_figures=figures) == box(components=json.dumps(document), green_figures=figures)
