"""The cards are data: an owner's file is held against every published count."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any, cast

import pytest

from corr.render.catalogue import word
from engines.api import Phrase, Problem
from engines.bakenushi import ENGINE
from engines.bakenushi.components import PROPOSED, components
from engines.bakenushi.facts import Began
from tests.engines.bakenushi.drawn import begun, deal

Edit = Callable[[list[dict[str, Any]], list[dict[str, Any]]], object]


def edited(edit: Edit, figures: str = "12") -> Problem | None:
    """Return what is wrong with the proposed deck after an edit of cards and lands."""
    data: Any = deepcopy(PROPOSED)
    edit(data["transformation_cards"], data["land_cards"])
    found = components({"components": json.dumps(data), "green_figures": figures})
    return found if isinstance(found, Problem) else None


def count(found: int, wanted: int, key: str, **values: str | int) -> Problem:
    what = Phrase(f"bakenushi.count.{key}", values)
    return Problem("bakenushi.bad-count", {"what": what, "found": found, "wanted": wanted})


COUNTS: list[tuple[Edit, Problem]] = [
    (lambda cards, _: cards.pop(), count(34, 35, "cards")),
    (lambda cards, _: cards[0].update(id=2), count(34, 35, "card-numbers")),
    (lambda cards, _: cards[0].update(red=1), count(4, 5, "red", number=0)),
    (lambda cards, _: cards[0].update(red_figure=True), count(1, 0, "red-figures", number=0)),
    (lambda cards, _: cards[34].update(red_figure=False), count(4, 5, "red-figures", number=6)),
    (lambda cards, _: cards[12].update(red_figure=False), count(2, 3, "red-figures", number=2)),
    (lambda cards, _: cards[0].update(green=1), count(6, 7, "green", number=0)),
    (lambda cards, _: cards[4].update(green_figure="A"), count(1, 0, "green-four")),
    (lambda cards, _: cards[0].pop("green_figure"), count(11, 12, "green-figures", kind="A")),
    (lambda cards, _: cards[3].update(green_figure="B"), count(13, 12, "green-figures", kind="B")),
    (lambda cards, _: cards[0]["blue_symbols"].pop(), count(34, 35, "blue-marks")),
    (
        lambda cards, _: cards[0].update(blue_symbols=cards[1]["blue_symbols"]),
        count(34, 35, "blue-patterns"),
    ),
    (lambda _, lands: lands.pop(), count(15, 16, "lands")),
    (lambda _, lands: lands[0].update(id=2), count(15, 16, "land-numbers")),
    (lambda _, lands: lands[0].update(neutral="sogen", open="NESW"), count(5, 4, "neutral")),
    (lambda _, lands: lands[4].update(label="+5"), count(1, 2, "label", label="0/+5")),
    (lambda _, lands: lands[10].update(label="-5"), count(1, 2, "label", label="0/-5")),
    (lambda _, lands: lands[6].update(label="-4"), count(0, 1, "label", label="-0")),
    (lambda _, lands: lands[0].update(label="0/+4"), count(1, 0, "other-pairs")),
    (lambda _, lands: lands[13].update(neutral="tsuribashi"), count(2, 3, "kinds")),
    (lambda _, lands: lands[14].update(open="EW"), count(1, 0, "closed-grassland")),
]


@pytest.mark.parametrize(("edit", "problem"), COUNTS)
def test_a_count_that_is_not_met_is_named_with_both_numbers(edit: Edit, problem: Problem) -> None:
    assert edited(edit) == problem


def test_the_proposed_deck_meets_every_count_in_both_readings() -> None:
    for figures in ("12", "14"):
        assert edited(lambda _cards, _lands: None, figures) is None


def test_with_fourteen_green_figures_every_card_below_four_has_one() -> None:
    problem = edited(lambda cards, _: cards[0].pop("green_figure_alt14"), "14")
    assert problem == count(13, 14, "green-figures", kind="A")


ROWS: list[tuple[Edit, str, int, str]] = [
    (lambda cards, _: cards[2].pop("red"), "transformation_cards", 3, "red"),
    (lambda cards, _: cards[2].update(red="3"), "transformation_cards", 3, "red"),
    (lambda cards, _: cards[2].update(green=True), "transformation_cards", 3, "green"),
    (lambda cards, _: cards[2].update(green_figure="C"), "transformation_cards", 3, "green_figure"),
    (lambda cards, _: cards[2].update(blue_symbols=["X"]), "transformation_cards", 3, "X"),
    (lambda cards, _: cards[2].update(blue_symbols=3), "transformation_cards", 3, "blue_symbols"),
    (lambda cards, _: cards[2].update(red_figure="yes"), "transformation_cards", 3, "red_figure"),
    (lambda _, lands: lands[0].update(label="five"), "land_cards", 1, "label"),
    (lambda _, lands: lands[0].update(label=5), "land_cards", 1, "label"),
    (lambda _, lands: lands[12].update(open=5), "land_cards", 13, "open"),
    (lambda _, lands: cast("list[object]", lands).insert(3, 5), "land_cards", 4, "id"),
    (lambda _, lands: lands[12].update(neutral="swamp"), "land_cards", 13, "neutral"),
]


@pytest.mark.parametrize(("edit", "table", "place", "field"), ROWS)
def test_a_row_that_cannot_be_read_is_named(edit: Edit, table: str, place: int, field: str) -> None:
    assert edited(edit) == Problem("bakenushi.bad-row", {"table": table, "place": place, "field": field})


@pytest.mark.parametrize("text", ["[]", "{}", "no json", '{"transformation_cards": 3}'])
def test_a_file_without_the_two_tables_is_refused(text: str) -> None:
    assert components({"components": text}) == Problem("bakenushi.bad-file")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_count_is_worded_in_both_languages(lang: str) -> None:
    for _, problem in COUNTS:
        assert word(problem, lang, {})


def test_an_owner_plays_with_other_values_and_the_game_keeps_them() -> None:
    """The cards stand in the first fact: nothing asks for the file again."""
    data: Any = deepcopy(PROPOSED)
    data["land_cards"][0]["label"] = "+7"
    facts = ENGINE.setup(2, {"first_player": "1", "components": json.dumps(data)}, deal())
    assert not isinstance(facts, Problem)
    began = facts[0]
    assert isinstance(began, Began)
    assert (began.lands[0].value, began.laws.own) == (7, True)
    kind, version, body = ENGINE.dump(began)
    assert ENGINE.load(kind, version, json.loads(json.dumps(body))) == began
    assert not begun().table.laws.own
