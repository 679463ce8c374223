"""Random games of Naishi a second, and its scorer, as shares of what a plain engine does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

import pytest

from corr.core.chance import Dice
from engines.naishi.facts import Laws
from engines.naishi.scoring import best
from tests.bench.yardstick import share
from tests.engines.naishi.plain import PLAIN, Luck, kinds

pytestmark = pytest.mark.bench

LEAST = 0.5
LEAST_OF_THE_SCORER = 1
ROUNDS = 15
TERRITORIES = 2_000

USUAL = Laws(any_column=False, banner_adds=True, must_copy=True, lists_discards=False)


def test_random_games_of_naishi() -> None:
    assert share("naishi") >= LEAST


def test_the_best_score_of_a_territory_at_the_end_of_a_game() -> None:
    """One round after the other, so that a slow moment of the machine hits both."""
    plain = [territory for game in range(TERRITORIES // 2) for territory in territories(game)]
    cards = [kinds(territory) for territory in plain]
    ratios = [
        seconds(PLAIN.best, plain) / seconds(lambda each: best(each, USUAL), cards) for _ in range(ROUNDS)
    ]
    sys.stdout.write(f"naishi: the scorer is {median(ratios):.2f} times as fast as the plain one\n")
    assert median(ratios) >= LEAST_OF_THE_SCORER


def territories(number: int) -> list[list[int]]:
    """Return both territories after a random game of the plain engine."""
    dice = Dice(f"territories {number}".encode())
    game = PLAIN.Game(Luck(dice))
    game.do_draft(0, 1)
    while not game.over:
        game.step(dice.pick("action", game.legal()))
    return list(game.t)


def seconds(scorer: Callable[[Any], object], territories: Sequence[Any]) -> float:
    """Return how long the processor scores territories."""
    start = process_time()
    for territory in territories:
        scorer(territory)
    return process_time() - start
