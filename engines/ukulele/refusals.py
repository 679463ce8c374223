"""Why a move is refused, as closely as the rules can tell."""

from __future__ import annotations

from engines.api import Phrase, Problem
from engines.ukulele.board import Jump, forward, jump_from, ray, squares
from engines.ukulele.state import State, choice
from engines.ukulele.turn import Duty, fills_diagonal, returns_home
from engines.ukulele.words import square_phrase


def refusal(state: State, jump: Jump) -> Problem:
    """Return the first rule that an illegal move breaks."""
    return not_yours(state, jump.start) or no_jump(state, jump) or barred(state, jump)


def stuck(state: State, start: int) -> Problem:
    """Return why nothing can move from a square."""
    return not_yours(state, start) or Problem("ukulele.stuck", {"from": square_phrase(start)})


def not_yours(state: State, start: int) -> Problem | None:
    """Refuse to move no man, or the opponent's."""
    if state.men[state.side] >> start & 1:
        return None
    theirs = state.men[1 - state.side] >> start & 1
    return Problem("ukulele.not-yours" if theirs else "ukulele.empty", {"from": square_phrase(start)})


def no_jump(state: State, jump: Jump) -> Problem | None:
    """Refuse what is no jump on this board."""
    files, ranks = jump.to // 10 - jump.start // 10, jump.to % 10 - jump.start % 10
    if abs(files) != abs(ranks) or not files:
        return Problem("ukulele.not-diagonal", named(jump))
    step = (jump.to - jump.start) // abs(files)
    way = ray(jump.start, step)
    men = state.men[0] | state.men[1]
    if not men >> way[1] & 1:
        return Problem("ukulele.no-run", named(jump) | {"next": square_phrase(way[1])})
    landing = next((hop.to for hop in jump_from(way, men)), None)
    if landing is None:
        return Problem("ukulele.off-board", named(jump))
    if men >> jump.to & 1:
        return Problem("ukulele.taken", named(jump) | {"landing": square_phrase(landing)})
    if landing != jump.to:
        return Problem("ukulele.other-landing", named(jump) | {"landing": square_phrase(landing)})
    return None


def barred(state: State, jump: Jump) -> Problem:
    """Refuse a jump that the rules forbid, restrict or put behind an obligation."""
    if fills_diagonal(jump, state.men[0] | state.men[1]):
        return Problem("ukulele.full-diagonal", named(jump))
    if returns_home(jump, state.side, state.camps[state.side]):
        return Problem("ukulele.home", named(jump))
    turn = choice(state)
    if turn.duty is Duty.FORWARD and not forward(jump, state.side):
        return Problem("ukulele.restriction", named(jump))
    assert turn.duty is Duty.CAMP, f"{jump} is legal"
    men = tuple(square_phrase(square) for square in squares(turn.obliged))
    return Problem("ukulele.obligation", named(jump) | {"men": men})


def named(jump: Jump) -> dict[str, str | int | Phrase | tuple[Phrase, ...]]:
    """Return the squares of a move as values of a phrase."""
    return {"from": square_phrase(jump.start), "to": square_phrase(jump.to)}
