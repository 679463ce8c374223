"""Ukulele against counts and positions that separately written programs computed."""

from __future__ import annotations

from typing import Any

import pytest

from corr.core.chance import Forced, SeededChance
from corr.core.playout import opened, perft
from engines.api import Outcome, Problem, Seat
from engines.ukulele import ENGINE
from engines.ukulele.board import Jump, jumps, squares
from engines.ukulele.options import ARRAYS, starting_rows
from engines.ukulele.refusals import refusal
from engines.ukulele.state import State, choice
from engines.ukulele.words import spelled_jump
from tests.vectors.cases import documents

MOST = 3_000_000
"""The deepest count that is made has at most so many sequences."""

LONG = 300_000

PERFT = documents("ukulele", "perft")
ARRAY_CASES = [item for document in PERFT for item in document["arrays"].items()]
COUNTS = [
    pytest.param(
        array,
        int(depth),
        count,
        id=f"ukulele-{name}-{depth}",
        marks=[pytest.mark.slow] if count > LONG else [],
    )
    for name, array in ARRAY_CASES
    for depth, count in array["perft"].items()
    if count <= MOST
]
POSITIONS = [
    pytest.param(document["meta"]["array"], case, id=f"ukulele-{case['id']}-{case['tag']}")
    for document in documents("ukulele", "positions")
    for case in document["positions"]
]

ARRAY_FIELDS = {
    "name",  # of the program that counted
    "pieces_per_side",
    "black_camp",
    "white_camp",
    "board_rows_rank1_to_9_files_9_to_1",
    "verified_by_two_implementations_to_depth",  # about the programs
    "perft",
}
POSITION_FIELDS = {
    *("id", "tag", "synthetic", "ply", "rows", "side", "lifted"),
    *("lifted_now", "geometric", "legal", "winning", "perft"),
}


def begun(options: dict[str, str]) -> State:
    state: State | Problem = opened(ENGINE, {"first_player": "1"} | options, lambda _: Forced({}))
    assert not isinstance(state, Problem), state
    return state


def luck(key: str) -> SeededChance:
    return SeededChance(b"", key)


def spelled(moves: list[Jump] | tuple[Jump, ...]) -> list[str]:
    return [spelled_jump(move, "en") for move in moves]


@pytest.mark.parametrize(("array", "depth", "count"), COUNTS)
def test_sequences_of_legal_moves(array: dict[str, Any], depth: int, count: int) -> None:
    assert perft(ENGINE, begun({"array": ",".join(array["black_camp"])}), depth, luck) == count


@pytest.mark.parametrize(
    ("name", "array"), ARRAY_CASES, ids=[f"ukulele-{name}-camps" for name, _ in ARRAY_CASES]
)
def test_camps(name: str, array: dict[str, Any]) -> None:
    assert array.keys() == ARRAY_FIELDS
    black, white = begun(
        {"array": name} if name in ARRAYS else {"array": ",".join(array["black_camp"])}
    ).camps
    assert [str(square) for square in squares(black)] == array["black_camp"]
    assert [str(square) for square in squares(white)] == array["white_camp"]
    assert len(list(squares(black))) == array["pieces_per_side"]
    rows = starting_rows(tuple(squares(black)))
    assert list(rows) == array["board_rows_rank1_to_9_files_9_to_1"]


@pytest.mark.parametrize(("array", "case"), POSITIONS)
def test_position(array: str, case: dict[str, Any]) -> None:
    assert case.keys() == POSITION_FIELDS
    state = placed(array, case)
    turn = choice(state)
    assert turn.lifted == case["lifted_now"]
    assert spelled(jumps(state.men[state.side], state.men[0] | state.men[1])) == case["geometric"]
    assert spelled(turn.moves) == case["legal"]
    assert [move for move in spelled(turn.moves) if wins(state, move)] == case["winning"]
    assert [perft(ENGINE, state, depth, luck) for depth in (1, 2, 3)] == case["perft"]
    assert state.turn == max(case["ply"] + 1, 1)
    assert evidence(state, case).get(case["tag"], True), f"{case['tag']} does not show"


def placed(array: str, case: dict[str, Any]) -> State:
    lifted = "".join(side for side in "bw" if case["lifted"][side]) or "-"
    turn = f" {case['ply'] + 1}" if case["ply"] >= 0 else ""  # -1: composed, not from a game
    return begun({"array": array, "position": f"{'/'.join(case['rows'])} {case['side']} {lifted}{turn}"})


def wins(state: State, words: str) -> bool:
    seat = Seat(state.side + 1)
    (jump,) = read(state, seat, words)
    facts = ENGINE.decide(state, seat, jump, Forced({}))
    assert not isinstance(facts, Problem)
    for fact in facts:
        state = ENGINE.evolve(state, fact)
    return ENGINE.phase(state) == Outcome(frozenset({seat}), "camp")


def read(state: State, seat: Seat, words: str) -> list[Jump]:
    jumps_read = ENGINE.parse(state, seat, words)
    assert not isinstance(jumps_read, Problem)
    return list(jumps_read)


@pytest.mark.parametrize("document", PERFT, ids=["ukulele-default"] * len(PERFT))
def test_default_array(document: dict[str, Any]) -> None:
    assert begun({}) == begun({"array": document["meta"]["default"]})


def evidence(state: State, case: dict[str, Any]) -> dict[str, bool]:
    """Return, by tag, whether the position shows what it is there to show.

    Other tags may come; their cases are checked all the same.
    """
    barred = set(case["geometric"]) - set(case["legal"])
    reasons = {refusal(state, jump).key for words in barred for jump in read(state, Seat(1), words)}
    camp = state.camps[state.side]
    return {
        "diagonal_ban": "ukulele.full-diagonal" in reasons,
        "home_return_ban": "ukulele.home" in reasons,
        "forced_home": "ukulele.obligation" in reasons,
        "forward_into_own_camp": any(camp >> int(words[-2:]) & 1 for words in case["legal"]),
        "lift_home_empty": not state.men[state.side] & camp,
        "lift_no_forward": case["lifted_now"] and not case["lifted"][case["side"]],
        "win_in_one": bool(case["winning"]),
        "pass_only_forbidden": bool(case["geometric"]) and not case["legal"],
        "pass_no_move": not case["geometric"],
    }
