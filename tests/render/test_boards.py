"""Boards in plain text: they align, and say in words what a picture shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.render.board import width
from corr.render.letters import render_view
from engines.api import View, Watcher
from engines.ukulele import ENGINE
from tests.render.pages import AOI, TABLE, played

GAMES = Path(__file__).parents[1] / "games"


def rows(language: str, plies: int = 12) -> list[str]:
    state, _ = played(plies)
    return render_view(ENGINE.view(state, AOI), language).splitlines()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_all_rows_of_a_board_are_as_wide_and_columns_stand_below_each_other(language: str) -> None:
    files, *ranks = rows(language)[:10]
    assert {width(rank, language) for rank in ranks} == {width(ranks[0], language)}
    assert width(files, language) == 18 - (language == "en")


def test_a_japanese_board_has_full_width_letters_only() -> None:
    """So it stays aligned in a proportional Japanese font, too."""
    for row in rows("ja")[:10]:
        assert all(width(sign, "ja") == 2 for sign in row)


def test_the_start_is_drawn_as_the_rules_print_it() -> None:
    assert rows("en", 0)[:10] == [
        "9 8 7 6 5 4 3 2 1",
        "w . w . w . w . w 1",
        ". w . w . w . w . 2",
        "w . w . w . w . w 3",
        ". . . . . . . . . 4",
        ". . . . . . . . . 5",
        ". . . . . . . . . 6",
        "b . b . b . b . b 7",
        ". b . b . b . b . 8",
        "b . b . b . b . b 9",
    ]


def test_the_last_move_is_marked_by_another_sign_and_told_in_words() -> None:
    state, _ = played(1)
    last = ENGINE.view(state, Watcher.PUBLIC).data["last"]
    board = rows("en", 1)
    file, rank = last["to"]
    assert board[int(rank)][2 * (9 - int(file))] == "B"
    assert f"Last move: Black, from {last['from']} to {last['to']}." in board
    assert sum(row.count("B") for row in board[1:10]) == 1


@pytest.mark.parametrize(("language", "square"), [("en", "59"), ("ja", "5九")])
def test_where_the_men_stand_is_listed_too_for_those_who_cannot_see_columns(
    language: str, square: str
) -> None:
    listed = [row.split() for row in rows(language, 0) if square in row.split()]
    assert [len(squares) for squares in listed] == [14]


def test_a_game_from_elsewhere_brings_its_own_boards() -> None:
    drawn = render_view(View("tictactoe/board", {"cells": "1...2...."}), "en", extra=(GAMES,))
    assert drawn.splitlines() == ["X 2 3", "4 O 6", "7 8 9"]


def test_a_board_names_the_players_or_counts_them() -> None:
    state, _ = played(0)
    view = ENGINE.view(state, AOI)
    assert "b = Black, Aoi;" in render_view(view, "en", TABLE.names)
    assert "b = Black, player 1;" in render_view(view, "en")
