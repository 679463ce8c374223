"""The registry: engines by the id of their rules."""

from __future__ import annotations

import pytest

from corr.registry import Registry, game_of
from engines.api import Info
from engines.ukulele import ENGINE
from tests.games.tictactoe import TicTacToe


def numbered(number: int) -> TicTacToe:
    engine = TicTacToe()
    engine.info = Info(f"tictactoe/{number}", range(2, 3), {"move": "2d"})
    return engine


def test_installed_games_are_found_by_entry_point() -> None:
    registry = Registry.installed()
    assert registry.named("ukulele/1") is ENGINE
    assert registry.newest("ukulele") is ENGINE
    assert ENGINE in list(registry)


def test_new_games_take_the_highest_number_and_not_the_last_word() -> None:
    registry = Registry([numbered(10), numbered(9), ENGINE])
    newest = registry.newest("tictactoe")
    assert newest is not None
    assert newest.info.rules == "tictactoe/10"


def test_running_games_keep_their_own_rules() -> None:
    nine = numbered(9)
    assert Registry([nine, numbered(10)]).named("tictactoe/9") is nine


def test_what_is_not_installed_is_none() -> None:
    assert Registry([]).newest("ukulele") is None
    assert Registry([ENGINE]).named("ukulele/2") is None
    assert Registry([ENGINE]).newest("ukulele/1") is None


def test_games_come_in_order() -> None:
    rules = [engine.info.rules for engine in Registry([ENGINE, numbered(10), numbered(2)])]
    assert rules == ["tictactoe/2", "tictactoe/10", "ukulele/1"]


def test_the_name_of_a_game_is_without_the_number() -> None:
    assert game_of(ENGINE) == "ukulele"


def test_two_engines_with_one_id_are_an_error() -> None:
    with pytest.raises(ValueError, match="installed twice"):
        Registry([numbered(1), numbered(1)])
