"""Naishi: two courts develop their territories along a river of cards.

Source: the base game (Merle éditions, 2024; Alex Fortineau and Mathieu Bieri).  Where the text is
silent or sources differ, these rulings hold:

 1. A card of the line is swapped with the one behind it only, unless ``swap_line_hand = any``.
 2. A banner counts in the line only.
 3. A horseman behind a banner scores 13, with ``horseman_banner = 10`` only 10.
 4. Three toriis or four score 30.
 5. Four rice fields that hang together score 30, and so do five.
 6. Several groups of rice fields add up.
 7. A ninja is never a kind for the ronin.
 8. For its neighbours a ninja is what it copies.
 9. A ninja must copy a character where there is one, unless ``ninja_copy = optional``.
10. For a tie, mountains are a colour, and a ninja has the colour that it copies.
11. When the colours are equal too, it is a draw.
12. A river discard takes cards from two piles: with one pile left there is none.
13. A river discard before the develop must leave a card to develop.
14. From an empty pile nothing is developed.
15. In the last turn nobody declares.
16. After the second player has declared, the first player's turn is the last, whatever it empties.
17. All emissaries are recalled at once; the one on the decree stays.
18. Nobody recalls when none is out.
19. Every discard is public; letters list them with ``discard_list = on``.
20. The decree exchanges facing cards: columns are shared across the table.
21. The river's top cards are seen in the draft.
22. Hands are shuffled after the draft, and nobody orders them.
23. The next card of a pile is turned up at once, before an emissary acts.
24. After a recall, a decree or a declaration no emissary acts.
25. A mountain is no kind for the ronin.

And of this engine's own:

26. In the draft each player may choose again until both have chosen.
27. A line of several actions is taken whole or not at all; what the turn still needs stays open.
28. A turn in which an emissary may act after the develop waits for it, or for a stop.  A line may
    end with a stop also where the turn has ended by itself.
29. Of equally good ways to copy, the ninjas take the first, in the order of the characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce

from engines.api import Chance, Info, Outcome, Phase, Phrase, Problem, Seat, View, Viewer
from engines.kit.facts import Codec
from engines.naishi.bot import chosen
from engines.naishi.dealing import deal, hand_out
from engines.naishi.facts import (
    Began,
    Dealt,
    Declared,
    Decreed,
    Developed,
    Exchanged,
    Fact,
    Final,
    Finished,
    Handed,
    Kept,
    Recalled,
    Stopped,
    Swapped,
    Washed,
)
from engines.naishi.imagining import imagined
from engines.naishi.options import OPTIONS, begin
from engines.naishi.orders import Order, choices, keeps
from engines.naishi.refusals import not_kept, refusal
from engines.naishi.state import SEATS, State, believe, seat_of, side_of
from engines.naishi.story import told
from engines.naishi.turn import outcome_of
from engines.naishi.view import view_of
from engines.naishi.words import parse, spell

FACTS = (
    *(Began, Dealt, Kept, Handed, Developed, Exchanged, Swapped, Washed, Decreed),
    *(Recalled, Declared, Stopped, Final, Finished),
)
BOTH = frozenset({Seat(1), Seat(2)})


class Naishi(Codec[Fact]):
    """The rules of Naishi behind the contract."""

    info = Info("naishi/1", range(2, 3), {"move": "3d"}, OPTIONS)

    def __init__(self) -> None:
        super().__init__(*FACTS)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Sequence[Fact] | Problem:
        """Settle the options, draw who plays first unless one says it, and deal."""
        began = begin(options, chance)
        return began if isinstance(began, Problem) else [began, deal(chance)]

    def evolve(self, state: State | None, fact: Fact, /) -> State:
        return believe(state, fact)

    def phase(self, state: State, /) -> Phase | Outcome:
        if state.outcome is not None:
            return state.outcome
        if state.turn == 0:
            return draft(state.first, state.kept[0] is None, state.kept[1] is None)
        return turn(state.turn, seat_of(state, state.side))

    def orders(self, state: State, seat: Seat, /) -> Iterator[Order]:
        return iter(choices(state).orders if state.turn else keeps(state.dealt[side_of(state, seat)]))

    def parse(self, state: State, seat: Seat, words: str, /) -> Sequence[Order] | Problem:
        return parse(words)

    def spell(self, state: State, seat: Seat, order: Order, lang: str, /) -> str:
        return spell(order, lang)

    def decide(self, state: State, seat: Seat, order: Order, chance: Chance, /) -> Sequence[Fact] | Problem:
        if state.turn == 0:
            return drafted(state, seat, order)
        return acted(state, seat, order) if len(order) == 1 else in_a_line(state, seat, order)

    def close(self, state: State, chance: Chance, /) -> Sequence[Fact]:
        """Give the hands out once both have chosen.  What a lapse means, the rules do not say."""
        return [hand_out(state, chance)] if state.turn == 0 and None not in state.kept else ()

    def imagine(self, state: State, viewer: Viewer, chance: Chance, /) -> State:
        return imagined(state, viewer, chance)

    def view(self, state: State, viewer: Viewer, /) -> View:
        return view_of(state, viewer)

    def tell(self, state: State, fact: Fact, viewer: Viewer, /) -> Sequence[Phrase]:
        return tuple(told(state, fact, viewer))

    def suggest(self, worlds: Iterator[State], seat: Seat, chance: Chance, /) -> Order:
        return chosen(worlds, seat, chance)


@lru_cache(maxsize=8)
def draft(first: Seat, one: bool, two: bool) -> Phase:
    """Return the phase of the draft, which waits for the first player, the second, or both."""
    waiting = frozenset(seat for seat, waits in zip(SEATS[first], (one, two), strict=True) if waits)
    return Phase("draft", waiting, BOTH, "move")


@lru_cache(maxsize=256)
def turn(number: int, seat: Seat) -> Phase:
    """Return the phase of a turn."""
    alone = frozenset({seat})
    return Phase(f"turn-{number}", alone, alone, "move")


def drafted(state: State, seat: Seat, order: Order) -> Sequence[Fact] | Problem:
    """Judge a choice of the draft."""
    side = side_of(state, seat)
    if order not in keeps(state.dealt[side]):
        return not_kept(state, side, order)
    return [Kept(seat, order[0].first)]


def acted(state: State, seat: Seat, order: Order) -> Sequence[Fact] | Problem:
    """Judge a single action of a turn."""
    return outcome_of(state, seat, order[0]) if order in choices(state).known else refusal(state, order[0])


def in_a_line(state: State, seat: Seat, order: Order) -> Sequence[Fact] | Problem:
    """Judge several actions, each where those before it lead to."""
    facts, now = list[Fact](), state
    for number, act in enumerate(order, 1):
        if now.turn != state.turn:
            done = act.verb == "stop" and number == len(order)
            return facts if done else Problem("naishi.turn-over", {"count": number - 1})
        news = acted(now, seat, (act,))
        if isinstance(news, Problem):
            return Problem("naishi.part", {"number": number, "why": news})
        facts += news
        now = reduce(believe, news, now)
    return facts
