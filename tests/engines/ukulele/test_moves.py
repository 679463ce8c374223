"""Jumps, and the reason that is given for every move that is none."""

from __future__ import annotations

import pytest

from engines.api import Outcome, Problem
from engines.ukulele import ENGINE
from engines.ukulele.words import square_phrase
from tests.engines.ukulele.drawn import BLACK, began, drawn, judged, legal, moved

FIGURE_2 = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . w .
. . b . . . b . .
. . . w . w . . .
. . . . b . . . .
"""


def reason(board: str, words: str, lifted: str = "b") -> tuple[str, dict[str, object]]:
    problem = judged(drawn(board, lifted=lifted), words)
    assert isinstance(problem, Problem), f"{words} is legal"
    return problem.key, dict(problem.values)


def named(**squares: int) -> dict[str, object]:
    return {name.rstrip("_"): square_phrase(square) for name, square in squares.items()}


def test_figure_2_a_man_jumps_over_the_whole_run_to_the_square_behind_it() -> None:
    moves = [move for move in legal(drawn(FIGURE_2)) if move.startswith("59")]
    assert moves == ["59-15", "59-86"]


def test_black_has_twelve_first_moves() -> None:
    assert len(legal(began())) == 12


def test_men_do_not_move_without_a_run_to_jump_over() -> None:
    alone = """
    . . . . . . . . .
    . . . . . . . . w
    . . . . . . . . .
    . . . . . . . . .
    . . . . b . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    assert legal(drawn(alone)) == []


@pytest.mark.parametrize(
    ("words", "key", "squares"),
    [
        ("55-33", "ukulele.empty", {"from_": 55}),
        ("48-66", "ukulele.not-yours", {"from_": 48}),
        ("59-57", "ukulele.not-diagonal", {"from_": 59, "to": 57}),
        ("59-59", "ukulele.not-diagonal", {"from_": 59, "to": 59}),
        ("59-38", "ukulele.not-diagonal", {"from_": 59, "to": 38}),
        ("77-55", "ukulele.no-run", {"from_": 77, "to": 55, "next": 66}),
        ("59-37", "ukulele.taken", {"from_": 59, "to": 37, "landing": 15}),
        ("59-95", "ukulele.other-landing", {"from_": 59, "to": 95, "landing": 86}),
        ("37-19", "ukulele.no-run", {"from_": 37, "to": 19, "next": 28}),
    ],
)
def test_what_is_no_jump_is_refused_with_its_squares(words: str, key: str, squares: dict[str, int]) -> None:
    assert reason(FIGURE_2, words) == (key, named(**squares))


def test_a_run_up_to_the_edge_leaves_no_square_to_land_on() -> None:
    edge = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    w . . . . . . . .
    . w . . . . . . .
    . . b . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    assert reason(edge, "77-95") == ("ukulele.off-board", named(from_=77, to=95))


DIAGONAL = """
. . . . . . . . w
. . . . . . . w .
. . . . . . w . .
. . . . . w . . .
. . . . w . . . .
. . . . . . . . .
. . w . b . . . .
. w . . . b . . .
w . . . . . . . .
"""


def test_nobody_may_fill_a_main_diagonal_whoever_stands_on_it() -> None:
    assert reason(DIAGONAL, "48-66") == ("ukulele.full-diagonal", named(from_=48, to=66))


def test_nobody_may_go_backward_into_his_own_camp() -> None:
    assert reason(DIAGONAL, "57-39") == ("ukulele.home", named(from_=57, to=39))


FREE = """
w . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . b . . .
. . . . b . . . .
. . . . . . . . .
. . . . . . . . .
. w . . . . . w .
. . . . . . . . b
"""


def test_a_backward_move_is_refused_while_the_restriction_stands() -> None:
    assert legal(drawn(FREE, lifted="-")) == ["19-37", "55-33"]
    assert reason(FREE, "44-66", lifted="-") == ("ukulele.restriction", named(from_=44, to=66))


def test_a_man_in_the_camp_that_can_move_forward_goes_first() -> None:
    assert legal(drawn(FREE, lifted="b")) == ["19-37"]
    expected = named(from_=55, to=33) | {"men": (square_phrase(19),)}
    assert reason(FREE, "55-33") == ("ukulele.obligation", expected)


def test_with_an_empty_camp_all_moves_are_free() -> None:
    vacant = FREE.rstrip()[:-1] + "."
    assert legal(drawn(vacant, lifted="-")) == ["44-66", "55-33"]


def test_white_moves_the_other_way() -> None:
    """The rules are the same for both sides when the board is turned."""
    rows = FREE.split()
    turned = "\n".join(" ".join(rows[i : i + 9]) for i in range(0, 81, 9))[::-1]
    swapped = turned.translate(str.maketrans("bw", "wb"))
    assert legal(drawn(swapped, mover="w", lifted="w")) == ["91-73"]


def test_the_side_that_fills_the_opponents_camp_first_wins() -> None:
    """Black's last man steps in; White has no equalising move."""
    last = """
    b . b . b . b . b
    . b . b . b . b .
    b . b . . . b . b
    . . . . . w . . .
    . . . . . . b . .
    w . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    state = moved(drawn(last, lifted="b"), "35-53")
    assert ENGINE.phase(state) == Outcome(frozenset({BLACK}), "camp")
