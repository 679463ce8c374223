"""Positions drawn as text: rank 1 at the top, file 9 at the left, "b", "w" and "."."""

from __future__ import annotations

from corr.core.chance import Forced
from engines.api import Chance, Phase, Problem, Seat
from engines.ukulele import ENGINE
from engines.ukulele.facts import Fact
from engines.ukulele.state import State, choice
from engines.ukulele.words import spelled_jump

NO_LUCK: Chance = Forced({})
BLACK, WHITE = Seat(1), Seat(2)


def began(**options: str) -> State:
    """Begin a game in which seat 1 has Black."""
    facts = ENGINE.setup(2, {"first_player": "1"} | options, NO_LUCK)
    assert not isinstance(facts, Problem), facts
    return folded(None, *facts)


def drawn(board: str, mover: str = "b", lifted: str = "-", turn: int = 2, **options: str) -> State:
    """Begin a game from a drawing; *lifted* names the sides that may move backward."""
    rows = "/".join("".join(row.split()) for row in board.strip().splitlines())
    return began(position=f"{rows} {mover} {lifted} {turn}", **options)


def folded(state: State | None, *facts: Fact) -> State:
    """Take facts into a state."""
    for fact in facts:
        state = ENGINE.evolve(state, fact)
    assert state is not None
    return state


def legal(state: State) -> list[str]:
    """Return the legal moves in words."""
    return [spelled_jump(move, "en") for move in choice(state).moves]


def judged(state: State, words: str) -> list[Fact] | Problem:
    """Give the mover's order."""
    seat = Seat(state.side + 1)
    orders = ENGINE.parse(state, seat, words)
    assert not isinstance(orders, Problem), orders
    (order,) = orders
    facts = ENGINE.decide(state, seat, order, NO_LUCK)
    return facts if isinstance(facts, Problem) else list(facts)


def moved(state: State, *moves: str) -> State:
    """Make legal moves, one after another."""
    for words in moves:
        facts = judged(state, words)
        assert not isinstance(facts, Problem), f"{words}: {facts}"
        state = folded(state, *facts)
    return state


def passed(state: State) -> State:
    """Let the mover pass, which must be compulsory."""
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    assert not phase.open
    return folded(state, *ENGINE.close(state, NO_LUCK))
