"""``corr engine``: which games there are, perft and random games."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from corr.cli.engine import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def printed(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_list_names_the_rules_and_their_options() -> None:
    out = printed("list")
    assert "ukulele/1" in out
    assert "Ukulele" in out
    assert "first_player=random|1|2" in out


def test_list_as_json_tells_the_defaults_first() -> None:
    engines: list[dict[str, Any]] = json.loads(printed("list", "--json"))
    (ukulele,) = (engine for engine in engines if engine["rules"] == "ukulele/1")
    assert ukulele["seats"] == [2]
    assert ukulele["paces"] == {"move": "3d"}
    assert ukulele["options"]["repetition"] == ["fourfold", "off"]


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 12), (2, 144), (3, 1680)])
def test_perft_prints_the_count_and_nothing_else(depth: int, count: int) -> None:
    result = run("perft", "ukulele", "--depth", str(depth))
    assert (result.stdout, result.stderr) == (f"{count}\n", "")


def test_perft_takes_options_of_the_game() -> None:
    assert printed("perft", "ukulele/1", "--depth", "2", "--option", "array=full3") == "676\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("perft", "chess", "--depth", "1"), "ukulele/1"),
        (("perft", "ukulele/99", "--depth", "1"), "ukulele/1"),
        (("playout", "chess", "--games", "1"), "ukulele/1"),
        (("perft", "ukulele", "--depth", "1", "--option", "colour=red"), "array, first_player, handicap"),
        (("perft", "ukulele", "--depth", "1", "--option", "array=round"), "checker3"),
        (("perft", "ukulele", "--depth", "1", "--option", "repetition=never"), "fourfold, off"),
    ],
)
def test_what_is_unknown_is_refused_in_one_line_that_says_what_is_known(
    arguments: tuple[str, ...], told: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "ukulele"),
        ("perft", "ukulele", "--depth", "-1"),
        ("perft", "ukulele", "--depth", "1", "--option", "array"),
        ("playout", "ukulele", "--games", "0"),
        ("playout", "ukulele", "--games", "many"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_playout_counts_what_it_played() -> None:
    figures = json.loads(printed("playout", "ukulele", "--games", "2", "--cap", "20", "--json"))
    assert figures["games"] == 2
    assert figures["orders"] == 40
    assert figures["outcomes"] == {"unfinished": 2}
    assert figures["games_per_second"] > 0
    assert figures["orders_per_second"] > figures["games_per_second"]


def test_playout_with_one_seed_plays_the_same_games() -> None:
    """Nothing but the speed may differ."""
    once, again = (
        json.loads(printed("playout", "ukulele", "--games", "2", "--seed", "7", "--json")) for _ in range(2)
    )
    assert (once["orders"], once["outcomes"]) == (again["orders"], again["outcomes"])


def test_playout_for_people_has_a_line_for_each_figure() -> None:
    out = printed("playout", "ukulele", "--games", "1", "--cap", "5")
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "games",
        "orders",
        "games_per_second",
        "orders_per_second",
        "outcomes",
    ]
