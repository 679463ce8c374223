"""``corr engine try``: a game in the terminal, every seat by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from itertools import repeat
from typing import Any, cast

import pytest
from typer.testing import CliRunner, Result

from corr.cli.main import app
from corr.core.chance import SeededChance
from corr.core.turn import start, status, take
from corr.registry import Registry
from engines.api import Chance, Phase, Problem, Suggests
from tests.cli.conftest import CORR
from tests.cli.terminals import at_terminal


def played(lines: Sequence[str], *words: str, status: int = 0) -> Result:
    done = CliRunner().invoke(
        app,
        ["engine", "try", "ukulele", "--option", "first_player=1", *words],
        input="".join(f"{line}\n" for line in lines),
        catch_exceptions=False,
    )
    assert done.exit_code == status, done.stderr
    return done


def test_the_board_is_shown_for_whoever_moves_and_the_end_of_input_ends_it() -> None:
    shown = played(["59-26"]).stdout
    assert "player 1 plays Black" in shown
    assert (
        shown.index("To act: player 1.")
        < shown.index("player 1 moved 59-26.")
        < shown.index("To act: player 2.")
    )


def test_a_refused_move_gets_the_reason_and_a_dozen_legal_ones() -> None:
    shown = played(["59-15"]).stdout
    assert "A jump lands on the first square behind the men: from 59 that way it is 26, not 15." in shown
    legal = next(line for line in shown.splitlines() if line.startswith("  19-46"))
    assert len(legal.split()) == 12


def test_an_ambiguous_move_lists_what_it_can_mean() -> None:
    shown = played(["59"]).stdout
    assert "59-26  59-86" in shown


@pytest.mark.parametrize("words", ["５九－２六", "5九-2六", "59 to 26", "/59-26"])
def test_moves_are_read_as_in_letters(words: str) -> None:
    assert "player 1 moved 59-26." in played([words.removeprefix("/")]).stdout


@pytest.mark.parametrize("word", ["quit", "QUIT", "/quit", "終了"])
def test_quit_ends_it(word: str) -> None:
    assert "moved" not in played([word, "59-26"]).stdout


def test_help_lists_moves_and_board_shows_the_position_again() -> None:
    shown = played(["help", "board", "ヘルプ", "", "draw"]).stdout
    assert shown.count("Moves that are legal now:\n  19-46") == 2
    assert shown.count("9 8 7 6 5 4 3 2 1") == 2
    assert "“draw” cannot be used here." in shown


def test_in_japanese_every_word_is_japanese() -> None:
    shown = played(["59-15", "ヘルプ", "5九-2六"], "--lang", "ja").stdout
    assert "1番の方の番です。" in shown
    assert "5九-2六" in shown
    assert "To act" not in shown


def test_any_bytes_from_a_pipe_are_only_a_line_that_is_no_move() -> None:
    command = [str(CORR), "engine", "try", "ukulele"]
    done = subprocess.run(command, input=b"\xff\xfe\x00\n", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "does not read as a move" in done.stdout.decode()


def test_the_same_seed_gives_the_same_luck() -> None:
    def first(seed: int) -> str:
        words = ["engine", "try", "ukulele", "--seed", str(seed)]
        shown = CliRunner().invoke(app, words, input="", catch_exceptions=False).stdout
        return shown.partition("plays Black")[0][-9:]

    assert [first(seed) for seed in range(8)] == [first(seed) for seed in range(8)]
    assert len({first(seed) for seed in range(8)}) == 2


def test_a_whole_game_ends_with_its_outcome() -> None:
    lines = whole_game()
    shown = played([*lines, "59-26"]).stdout
    assert shown.count(" moved ") >= len(lines)
    tail = shown.rsplit("\n\n", 2)[-1]
    assert "won." in tail or "draw" in tail


def whole_game() -> list[str]:
    """Play a game with the engine's own bot; it takes about fifty moves."""
    engine = Registry.installed().newest("ukulele")
    assert isinstance(engine, Suggests)
    bot = cast("Suggests[Any, Any]", engine)
    facts = engine.setup(2, {"first_player": "1"}, luck("setup"))
    assert not isinstance(facts, Problem)
    now, lines = start(engine, facts, luck).after, list[str]()
    while isinstance(phase := status(engine, now), Phase):
        seat = min(phase.waiting)
        order = bot.suggest(repeat(now.state), seat, luck(phase.key))
        lines.append(engine.spell(now.state, seat, order, "en"))
        now = take(engine, now, seat, lines[-1:], luck, lang="en").after
    return lines


def luck(key: str) -> Chance:
    return SeededChance(bytes(32), key)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--option", "size=9"), "no option “size”"),
        (("--option", "array=nosuch"), "nosuch"),
        (("--players", "3"), "players, not 3"),
    ],
)
def test_what_cannot_be_is_named(words: tuple[str, ...], said: str) -> None:
    assert said in played([], *words, status=1).stderr


def test_a_game_that_is_not_installed_is_refused() -> None:
    done = CliRunner().invoke(app, ["engine", "try", "nosuch"], catch_exceptions=False)
    assert done.exit_code == 1
    assert "nosuch" in done.stderr


def test_on_a_terminal_it_prompts_and_ctrl_c_ends_it_quietly() -> None:
    with at_terminal("engine", "try", "ukulele", "--option", "first_player=1") as terminal:
        terminal.until("player 1> ")
        terminal.write("59-26")
        terminal.until("player 2> ")
        terminal.interrupt()
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown
