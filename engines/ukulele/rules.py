"""Ukulele: a race on nine by nine squares in which men move only by diagonal jumps.

Source: the rules published by Takahashi Makoto (LogicalPower, 2016).  The figure of the
starting array is not available: ``checker3`` is a reconstruction.  Where the text is silent,
these rulings hold:

 1. "Can move forward" does not count forbidden moves; with ``can_move = geometric`` it does.
 2. When all forward moves are forbidden, the restriction falls at once; backward moves that are
    not forbidden are then allowed, and a pass is the last resort.
 3. An obliged man may make any legal move.
 4. The restriction is judged also on a turn that ends in a pass.
 5. Once fallen it never comes back.
 6. When both sides pass in succession, the game is a draw.
 7. So it is when a position comes the fourth time (board, mover, both restrictions), unless
    ``repetition = off``, and after ``move_cap`` moves and passes, if that option is set.
 8. A side that never leaves its camp has no rule of its own; 7 ends the game.
 9. In a handicap turn each move is judged like a turn, a win counts at once, and when none is
    possible the rest is forfeited.
10. A forward move may land in the own camp.
11. Whether a main diagonal is full is judged after the move, so within it one may always move.
12. A player may resign; corr sees to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.api import Chance, Info, Outcome, Phase, Phrase, Problem, Seat, View, Viewer
from engines.kit.facts import Codec
from engines.ukulele.board import BLACK, WHITE, Jump
from engines.ukulele.bot import chosen
from engines.ukulele.facts import Began, Fact, Finished, Moved, Passed
from engines.ukulele.options import OPTIONS, begin
from engines.ukulele.refusals import refusal, stuck
from engines.ukulele.state import State, arrived, believe, choice, ending, seat_of
from engines.ukulele.story import told
from engines.ukulele.view import view_of
from engines.ukulele.words import read_jump, read_start, spelled_jump

NOBODY = frozenset[Seat]()
ALONE = {seat: frozenset({seat}) for seat in (Seat(1), Seat(2))}


class Ukulele(Codec[Fact]):
    """The rules of Ukulele behind the contract."""

    info = Info("ukulele/1", range(2, 3), {"move": "3d"}, OPTIONS)

    def __init__(self) -> None:
        super().__init__(Began, Moved, Passed, Finished)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Sequence[Fact] | Problem:
        """Place the men; draw who has Black unless an option says it.

        The option ``position`` is written as nine rows from rank 1, each from file 9, then the
        mover, the sides whose restriction has fallen, and the number of the turn:
        ``w.w.w.w.w/.w.w.w.w./w.w.w.w.w/........./........./........./b.b.b.b.b/.b.b.b.b./b.b.b.b.b b - 1``.
        """
        began = begin(options, chance)
        if isinstance(began, Problem):
            return began
        state = believe(None, began)
        if arrived(state, BLACK) or arrived(state, WHITE):
            return Problem("ukulele.position-won")
        return [began]

    def evolve(self, state: State | None, fact: Fact, /) -> State:
        return believe(state, fact)

    def phase(self, state: State, /) -> Phase | Outcome:
        if state.outcome is not None:
            return state.outcome
        mover = ALONE[seat_of(state, state.side)] if choice(state).moves else NOBODY
        return Phase(f"turn-{state.turn}", mover, mover, "move")

    def orders(self, state: State, seat: Seat, /) -> Iterator[Jump]:
        return iter(choice(state).moves)

    def parse(self, state: State, seat: Seat, words: str, /) -> Sequence[Jump] | Problem:
        """Read two squares; one square alone means every legal move from there."""
        jump = read_jump(words)
        if jump is not None:
            return [jump]
        start = read_start(words)
        if start is None:
            return Problem("ukulele.unread")
        return [move for move in choice(state).moves if move.start == start] or stuck(state, start)

    def spell(self, state: State, seat: Seat, order: Jump, lang: str, /) -> str:
        return spelled_jump(order, lang)

    def decide(self, state: State, seat: Seat, order: Jump, chance: Chance, /) -> Sequence[Fact] | Problem:
        turn = choice(state)
        if order not in turn.moves:
            return refusal(state, order)
        lifts = turn.lifted and not state.lifted[state.side]
        return concluded(state, Moved(seat, order.start, order.to, lifts))

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        """Pass where there is no move.  What a lapse means, the rules do not say."""
        turn = choice(state)
        if state.outcome is not None or turn.moves:
            return ()
        lifts = turn.lifted and not state.lifted[state.side]
        forfeits = state.left if state.left > 1 else 0
        return concluded(state, Passed(seat_of(state, state.side), lifts, forfeits))

    def imagine(self, state: State, viewer: Viewer, chance: Chance, /) -> State:
        return state

    def view(self, state: State, viewer: Viewer, /) -> View:
        return view_of(state, viewer)

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        return tuple(told(state, fact))

    def suggest(self, worlds: Iterator[State], seat: Seat, chance: Chance, /) -> Jump:
        return chosen(next(worlds), chance)


def concluded(state: State, fact: Moved | Passed) -> list[Fact]:
    """Return the fact, and the end of the game if it brings that about."""
    end = ending(state, believe(state, fact))
    return [fact] if end is None else [fact, end]
