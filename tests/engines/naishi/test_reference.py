"""Random games, action by action, beside a plain engine that was written separately."""

from __future__ import annotations

import pytest

from corr.core.chance import Forced, SeededChance
from engines.api import Outcome, Seat
from engines.naishi import ENGINE
from engines.naishi.cards import NAMES
from engines.naishi.orders import Act
from engines.naishi.state import HAND, State
from tests.engines.naishi.drawn import NO_LUCK, believed, mover, order_of, settled
from tests.engines.naishi.plain import PLAIN, Luck, kinds

GAMES = 200


class Beside:
    """One random game in both engines."""

    def __init__(self, number: int) -> None:
        self.dice = SeededChance(b"beside", str(number))
        self.plain = PLAIN.Game(Luck(self.dice))
        self.given = 0
        self.state = self.begun()

    def begun(self) -> State:
        """Deal here what lies there, and play the same draft."""
        river, draft = ([kinds(pile) for pile in piles] for piles in (self.plain.river, self.plain.draft))
        gives = [self.dice.pick(f"give {side}", (0, 1)) for side in (0, 1)]
        self.plain.do_draft(*gives)
        hands = [kinds(self.plain.t[side][HAND:]) for side in (0, 1)]
        deck = tuple(card for pile in (*river, *draft) for card in pile)
        luck = Forced({"cards": [deck], "hand-1": [hands[0]], "hand-2": [hands[1]]})
        state = believed(None, settled(ENGINE.setup(2, {"first_player": "1"}, luck)))
        for side in (0, 1):
            order = (Act("keep", draft[side][1 - gives[side]]),)
            state = believed(state, settled(ENGINE.decide(state, Seat(side + 1), order, NO_LUCK)))
        return believed(state, ENGINE.close(state, luck))

    def step(self) -> None:
        """Give one random order to both."""
        action = self.dice.pick(f"order {self.given}", self.plain.legal())
        facts = settled(ENGINE.decide(self.state, mover(self.state), order_of(action), NO_LUCK))
        self.state, self.given = believed(self.state, facts), self.given + 1
        self.plain.step(action)

    def check(self) -> None:
        """Compare all that both engines hold, and what may be done."""
        plain, state = self.plain, self.state
        assert state.territories == tuple(kinds(cards) for cards in plain.t)
        assert state.left == tuple(map(len, plain.river))
        assert state.tops == tuple(kinds(pile[:1])[0] if pile else -1 for pile in plain.river)
        assert [*state.reserve, *state.swaps, *state.washes] == [*plain.res, *plain.sw, *plain.di]
        assert state.decreed == plain.decree
        assert state.final == (plain.final if plain.final != plain.p or not plain.over else state.final)
        if plain.over:
            assert isinstance(ENGINE.phase(state), Outcome)
            return
        assert (state.side, state.turn) == (plain.p, plain.turns + 1)
        orders = list(ENGINE.orders(state, mover(state)))
        assert sorted(orders) == sorted(order_of(action) for action in plain.legal())

    def check_end(self) -> None:
        """Compare the scores, field by field."""
        found = self.state.finished
        assert found is not None
        scores = [PLAIN.best(cards) for cards in self.plain.t]
        assert found.points == tuple(tuple(by_kind(score[0])) for score in scores)
        assert found.colours == tuple(score[2] for score in scores)
        one, two = (score[1:3] for score in scores)
        assert found.winner == (None if one == two else Seat(1) if one > two else Seat(2))


def by_kind(points: dict[int, int]) -> list[int]:
    """Return points of the plain engine in the order of the kinds."""
    return [points.get(PLAIN.NAMES.index(name), 0) for name in NAMES]


def beside(games: int) -> None:
    """Play so many random games in both engines."""
    for number in range(games):
        game = Beside(number)
        while not game.plain.over:
            game.check()
            game.step()
        game.check()
        game.check_end()


def test_both_engines_agree_on_every_action_and_every_position() -> None:
    beside(GAMES)


@pytest.mark.bench
def test_both_engines_agree_in_two_thousand_games() -> None:
    beside(2_000)
