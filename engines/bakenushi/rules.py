"""Bakenushi: fox and tanuki duel in three disciplines for the lands of a mountain.

Source: the rules published by Tomioka Katsumasa (tablexgames, 2026).  The pictures of the cards
are not available: what they show beyond the published counts is a reconstruction
(``components``).  Where the text is silent, or contradicts itself, these rulings hold:

 1. 12 blue and 15 green figures cannot be; they are read as exchanged (``components``).
 2. The row that scores 3 is the top one, the third counted from below.
 3. A red figure counts for later cards also where its card gains nothing, unless
    ``red_figures = gaining``.
 4. A card without a red figure gains what it gains, times 1, also after figures.
 5. A doubled boundary without a common mark is worth nothing.
 6. A doubling is for its own boundary only.
 7. Both at +8 or both at -8: the better power wins; when equal, the game goes on, and in round 4
    the last test decides.
 8. +8 comes before a connection.
 9. Both connected: void; in round 4 the last test decides.
10. A neutral land is closed until it is turned up.
11. 12. Two lands 0/+5 (0/-5) of one owner bring +5 (-5) once, whenever they were won; of two
    owners, nothing, for good.
13. The great tanuki need not hide a card, and hides one in a round at most.
14. The great fox chooses after the land is turned up; to choose blue is to leave all as it is.
15. On a plus land a tie that includes the tanuki's 1 goes to the great tanuki; elsewhere ties go
    to the first player.
16. Power has no limit either way.
17. Neutral lands lie as they are printed: 吊橋 east-west, 獣道 north-south.
18. Victory points: see ``match``.
19. The first player's new cards come off the deck first; the fox is the first player of each game.
20. Positions in the red duel are the order in which each side played its cards.
21. The victory points ``difference`` and ``winner_power`` are taken as they come, below zero too.
22. In the second game of a match the sides are swapped, and everything is dealt anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engines.api import Chance, Info, Outcome, Phase, Phrase, Problem, Seat, View, Viewer
from engines.bakenushi.bot import chosen
from engines.bakenushi.dealing import deal, imagined
from engines.bakenushi.facts import (
    Began,
    Chosen,
    Dealt,
    Drawn,
    Fact,
    Finished,
    Judged,
    Played,
    Turned,
    Uncovered,
    Won,
)
from engines.bakenushi.options import OPTIONS, begin
from engines.bakenushi.orders import Order, legal, may_hide
from engines.bakenushi.refusals import refusal
from engines.bakenushi.round import outcome_of
from engines.bakenushi.state import LANDS, TURNS, State, believe, first_side
from engines.bakenushi.story import told
from engines.bakenushi.view import view_of
from engines.bakenushi.words import parse, spell
from engines.kit.facts import Codec

NOBODY = frozenset[Seat]()
ALONE = {seat: frozenset({seat}) for seat in (Seat(1), Seat(2))}


class Bakenushi(Codec[Fact]):
    """The rules of Bakenushi behind the contract."""

    info = Info("bakenushi/1", range(2, 3), {"move": "3d"}, OPTIONS, frozenset({"components"}))

    def __init__(self) -> None:
        super().__init__(Began, Dealt, Turned, Chosen, Played, Uncovered, Judged, Drawn, Won, Finished)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Sequence[Fact] | Problem:
        """Settle the options, draw who is the fox unless an option says it, and deal.

        The option ``components`` is the content of an owner's file as JSON (see ``components``).
        """
        began = begin(options)
        if isinstance(began, Problem):
            return began
        first = options.get("first_player", "random")
        fox = chance.pick("first_player", (Seat(1), Seat(2))) if first == "random" else Seat(int(first))
        return [began, deal(believe(None, began), fox, chance)]

    def evolve(self, state: State | None, fact: Fact, /) -> State:
        return believe(state, fact)

    def phase(self, state: State, /) -> Phase | Outcome:
        if state.outcome is not None:
            return state.outcome
        if len(state.won) == state.table.game:
            return Phase(f"deal-{state.table.game + 1}", NOBODY, NOBODY, "move")
        return stage(state.table.game, state.round, state.step - state.choice, state.table.fox)

    def orders(self, state: State, seat: Seat, /) -> Iterator[Order]:
        return iter(legal(state))

    def parse(self, state: State, seat: Seat, words: str, /) -> Sequence[Order] | Problem:
        return parse(words, hides=may_hide(state))

    def spell(self, state: State, seat: Seat, order: Order, lang: str, /) -> str:
        return spell(order, lang)

    def decide(self, state: State, seat: Seat, order: Order, chance: Chance, /) -> Sequence[Fact] | Problem:
        return outcome_of(state, seat, order) if order in legal(state) else refusal(state, seat, order)

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        """Deal the second game of a match.  What a lapse means, the rules do not say."""
        if state.outcome is not None or len(state.won) < state.table.game:
            return ()
        return [deal(state, Seat(3 - state.table.fox), chance)]

    def imagine(self, state: State, viewer: Viewer, chance: Chance, /) -> State:
        return imagined(state, viewer, chance)

    def view(self, state: State, viewer: Viewer, /) -> View:
        return view_of(state, viewer)

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        return tuple(told(state, fact, viewer))

    def suggest(self, worlds: Iterator[State], seat: Seat, chance: Chance, /) -> Order:
        return chosen(worlds, seat, chance)


@lru_cache(maxsize=256)
def stage(game: int, round_: int, step: int, fox: Seat) -> Phase:
    """Return the phase of a step: three lands, then six cards, in turn."""
    what = f"land-{step + 1}" if step < LANDS else f"card-{step - LANDS + 1}"
    seat = fox if TURNS[step] == first_side(round_) else Seat(3 - fox)
    return Phase(f"game-{game}-round-{round_}-{what}", ALONE[seat], ALONE[seat], "move")
