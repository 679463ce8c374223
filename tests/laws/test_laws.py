"""Every installed game keeps the laws of the contract, and so do two games that live here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from corr.core.turn import AnyEngine
from corr.registry import Registry
from tests.games import guess, tictactoe
from tests.laws.laws import LAWS
from tests.laws.play import Game, play

SEEDS = range(6)
ENGINES: dict[str, AnyEngine] = {
    engine.info.rules: engine for engine in (*Registry.installed(), tictactoe.ENGINE, guess.ENGINE)
}


@cache
def games(rules: str) -> tuple[Game, ...]:
    return tuple(play(ENGINES[rules], seed) for seed in SEEDS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.removeprefix("check_"))
@pytest.mark.parametrize("rules", ENGINES)
def test_games_keep_the_law(rules: str, law: Callable[[AnyEngine, Game], None]) -> None:
    for game in games(rules):
        law(ENGINES[rules], game)


@pytest.mark.parametrize("rules", ENGINES)
def test_random_games_are_more_than_an_opening(rules: str) -> None:
    """Laws that nothing was played for would hold by themselves."""
    assert max(len(game.moments) for game in games(rules)) >= 5
    assert any(game.orders for game in games(rules))
