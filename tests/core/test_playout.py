"""Counting lines and playing at random, on games whose counts are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.chance import Dice, SeededChance
from corr.core.playout import divide, opened, perft, playout
from corr.core.turn import Luck
from engines.api import Outcome, Problem
from tests.games import guess, tictactoe


def seeded(seed: int) -> Luck:
    return lambda key: SeededChance(bytes([seed]), key)


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 9), (2, 72), (3, 504), (4, 3024), (5, 15120), (6, 54720)]
)
def test_lines_of_tic_tac_toe(depth: int, count: int) -> None:
    """Falling factorials, until the first line wins at depth 5 and goes no further."""
    state = opened(tictactoe.ENGINE, {}, seeded(0))
    assert perft(tictactoe.ENGINE, state, depth, seeded(0)) == count


def test_a_line_that_has_ended_is_not_counted() -> None:
    state = opened(tictactoe.ENGINE, {"position": "111.22..."}, seeded(0))
    assert perft(tictactoe.ENGINE, state, 1, seeded(0)) == 0


def test_the_counts_of_the_first_steps_add_up() -> None:
    state = opened(tictactoe.ENGINE, {}, seeded(0))
    assert list(divide(tictactoe.ENGINE, state, 2, seeded(0))) == [8] * 9


def test_a_step_without_a_player_is_one_ply() -> None:
    """The deal; then each seat has three guesses, in either order."""
    state = opened(guess.ENGINE, {}, seeded(0))
    assert [perft(guess.ENGINE, state, depth, seeded(0)) for depth in (1, 2, 3)] == [1, 6, 18]


def test_options_that_an_engine_refuses_come_back_as_its_problem() -> None:
    assert isinstance(opened(tictactoe.ENGINE, {"position": "?"}, seeded(0)), Problem)


def test_random_games_end_and_differ_by_their_dice() -> None:
    state = opened(tictactoe.ENGINE, {}, seeded(0))
    games = [playout(tictactoe.ENGINE, state, Dice(bytes([seed])), cap=9) for seed in range(20)]
    assert all(isinstance(game.outcome, Outcome) for game in games)
    assert all(5 <= game.orders <= 9 for game in games)
    assert len({(game.orders, game.outcome) for game in games}) > 3


def test_the_cap_breaks_a_game_off() -> None:
    state = opened(tictactoe.ENGINE, {}, seeded(0))
    game = playout(tictactoe.ENGINE, state, Dice(b""), cap=3)
    assert (game.orders, game.outcome) == (3, None)


def test_a_simultaneous_game_with_luck_is_played_to_its_end() -> None:
    state = opened(guess.ENGINE, {}, seeded(1))
    assert playout(guess.ENGINE, state, Dice(b""), cap=50).outcome is not None


@given(seed=st.binary(max_size=8))
def test_one_seed_is_one_game(seed: bytes) -> None:
    """With the game's own luck, which is drawn from the same dice."""
    state = opened(guess.ENGINE, {}, seeded(1))
    once, again = (playout(guess.ENGINE, state, Dice(seed), cap=50) for _ in range(2))
    assert once == again
