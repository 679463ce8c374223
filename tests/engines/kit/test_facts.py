"""The codec: what is written is read back, and damage is never believed."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from engines.api import Json, Seat
from engines.kit.facts import Codec


class Card(NamedTuple):
    name: str
    value: int | None


class Dealt(NamedTuple):
    seat: Seat
    cards: tuple[Card, ...]
    face: tuple[bool, str]
    note: str | None


class Passed(NamedTuple):
    seat: Seat


class Loose(NamedTuple):
    bag: dict[str, int]


CODEC: Codec[Dealt | Passed] = Codec(Dealt, Passed)
DEALT = Dealt(Seat(2), (Card("fox", 3), Card("十", None)), (True, "up"), None)


def through_json(fact: Dealt | Passed) -> Dealt | Passed:
    kind, version, body = CODEC.dump(fact)
    return CODEC.load(kind, version, json.loads(json.dumps(body)))


def test_nested_facts_come_back_as_they_were() -> None:
    back = through_json(DEALT)
    assert back == DEALT
    assert isinstance(back, Dealt)
    assert isinstance(back.cards[0], Card)


def test_the_kind_is_the_name_of_the_class() -> None:
    assert CODEC.dump(Passed(Seat(1))) == ("passed", 1, {"seat": 1})


def test_facts_of_equal_fields_but_other_kinds_are_kept_apart() -> None:
    assert CODEC.dump(DEALT)[0] == "dealt"
    assert type(through_json(Passed(Seat(1)))) is Passed


GOOD: dict[str, Any] = {"seat": 2, "cards": [], "face": [True, "up"], "note": None}


@pytest.mark.parametrize(
    "damage",
    [
        {"seat": True},
        {"seat": 2.0},
        {"seat": "2"},
        {"cards": None},
        {"cards": [{"name": "fox"}]},
        {"cards": [{"name": "fox", "value": True}]},
        {"cards": ["fox"]},
        {"face": [True]},
        {"face": [1, "up"]},
        {"note": 0},
        {"more": 1},
    ],
)
def test_a_body_of_another_shape_raises(damage: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        CODEC.load("dealt", 1, GOOD | damage)


def test_a_body_that_lacks_a_field_raises() -> None:
    with pytest.raises(TypeError):
        CODEC.load("dealt", 1, {key: value for key, value in GOOD.items() if key != "note"})


def test_unknown_kinds_and_versions_raise() -> None:
    with pytest.raises(KeyError):
        CODEC.load("shuffled", 1, {})
    for version in (0, 2):
        with pytest.raises(ValueError, match="no version"):
            CODEC.load("passed", version, {"seat": 1})


def test_what_json_would_change_cannot_be_written() -> None:
    codec: Codec[Loose] = Codec(Loose)
    with pytest.raises(AssertionError, match="something else"):
        codec.dump(Loose({}))


def renamed(body: Json) -> Json:
    return {"player": body["who"]}


def counted_from_one(body: Json) -> Json:
    return {"seat": body["player"] + 1}


def test_old_versions_are_lifted_step_by_step() -> None:
    codec: Codec[Passed] = Codec(Passed, lifts={"passed": (renamed, counted_from_one)})
    assert codec.dump(Passed(Seat(1))) == ("passed", 3, {"seat": 1})
    assert codec.load("passed", 1, {"who": 0}) == Passed(Seat(1))
    assert codec.load("passed", 2, {"player": 0}) == Passed(Seat(1))
    assert codec.load("passed", 3, {"seat": 1}) == Passed(Seat(1))
