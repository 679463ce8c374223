"""``--option components=FILE``: the values of an owner's box, read once and kept with the game."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from tests.cli.conftest import SEATS, Desk

SHIPPED = files("engines.bakenushi").joinpath("components.toml").read_text("utf-8")


def written(desk: Desk, text: str, name: str = "mine.toml") -> str:
    path = desk.folder / name
    path.write_text(text, encoding="utf-8")
    return f"components={path}"


def test_a_game_keeps_the_components_that_it_started_with(desk: Desk) -> None:
    """The file may go: the game is replayed from what is stored, and its letters do not quote it."""
    option = written(desk, SHIPPED.replace('label = "+1"', 'label = "+7"'))
    made = desk.json("game", "new", "bakenushi", *SEATS, "--now", "--first", "1", "--option", option)
    (desk.folder / "mine.toml").unlink()
    (row,) = desk.json("game", "replay", "--all")
    assert row["problem"] is None
    shown = desk("game", "show", made["code"], "--spoil").stdout
    assert "a1" in shown
    assert "+7" in shown
    letter = desk.newest_letter("aoi@players.test").get_body(("plain",))
    assert letter is not None
    text = letter.get_content()
    assert "components that its owner wrote down" in text
    assert "transformation_cards" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            SHIPPED.replace("id = 35, red = 6", "id = 35, red = 5"),
            "cards with red 5 must be 5, but the file has 6",
        ),
        (
            SHIPPED.replace('label = "-0"', 'label = "-5"'),
            "the number of lands -0 must be 1, but the file has 0",
        ),
        ("cards = [", "mine.toml: "),
        ("cards = 3", "tables transformation_cards and land_cards"),
    ],
)
def test_a_file_that_cannot_be_the_game_is_refused_with_what_is_wrong(
    desk: Desk, text: str, said: str
) -> None:
    done = desk("game", "new", "bakenushi", *SEATS, "--option", written(desk, text))
    assert done.exit_code == 1
    assert said in done.stderr
    assert desk.json("game", "list") == []


def test_a_file_that_is_not_there_is_named(desk: Desk) -> None:
    missing = Path(desk.folder, "nowhere.toml")
    done = desk("game", "new", "bakenushi", *SEATS, "--option", f"components={missing}")
    assert (done.exit_code, "No such file" in done.stderr, str(missing) in done.stderr) == (1, True, True)


def test_json_is_read_too(desk: Desk) -> None:
    done = desk("game", "new", "bakenushi", *SEATS, "--option", written(desk, "{}", "mine.json"))
    assert "tables transformation_cards and land_cards" in done.stderr
