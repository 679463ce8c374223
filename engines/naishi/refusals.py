"""Why an order is refused, as closely as the rules can tell.

All that a refusal tells is public, or its seat's own: what it was dealt, what it has kept.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.api import Problem, Value, name
from engines.naishi.dealing import kept_by
from engines.naishi.names import action_phrase, card_phrase, place_phrase
from engines.naishi.orders import SWAPS, WASHES, Act, Order, Verb, filled
from engines.naishi.state import HAND, State, seat_of


def not_kept(state: State, side: int, order: Order) -> Problem:
    """Refuse what is no choice of a card in the draft."""
    cards = tuple([card_phrase(card) for card in dict.fromkeys(state.dealt[side])])
    act = order[0]
    if act.verb != "keep":
        return Problem("naishi.now-keep", {"cards": cards})
    if act.first not in state.dealt[side]:
        return Problem("naishi.not-dealt", {"card": card_phrase(act.first), "cards": cards})
    return Problem("naishi.keep-alone")


def refusal(state: State, act: Act) -> Problem:
    """Return the first rule that an illegal action of a turn breaks."""
    if act.verb == "keep":
        return Problem("naishi.draft-over", {"card": card_phrase(kept_by(state, state.side))})
    judges = (wrong_time, nowhere, *BREAKS[act.verb])
    problem = next((problem for judge in judges if (problem := judge(state, act))), None)
    assert problem is not None, f"{act} is legal"
    return problem


def wrong_time(state: State, act: Act) -> Problem | None:
    """Refuse what does not fit to what has been done in this turn."""
    if act.verb in EMISSARY:
        return Problem("naishi.second-emissary") if state.helped else None
    if act.verb == "stop":
        return None if state.developed else Problem("naishi.stop-early")
    if act.verb == "develop":
        return Problem("naishi.developed-already") if state.developed else None
    action: dict[str, Value] = {"action": action_phrase(act.verb)}
    if state.developed:
        return Problem("naishi.main-done", action)
    return Problem("naishi.must-develop", action) if state.helped else None


def nowhere(state: State, act: Act) -> Problem | None:
    """Refuse what names no place or column of the board, or one twice."""
    columns, numbers = act.verb in COLUMNS, named(act)
    if not all(0 <= number < (5 if columns else 10) for number in numbers):
        return Problem("naishi.no-such-column" if columns else "naishi.no-such-place")
    if len(set(numbers)) == len(numbers):
        return None
    if columns:
        return Problem("naishi.same-column", {"column": act.first + 1})
    return Problem("naishi.same-place", {"place": place_phrase(act.first)})


def named(act: Act) -> tuple[int, ...]:
    """Return the places or columns that an action names."""
    return (act.first, act.second)[: NAMED.get(act.verb, 0)]


def no_emissary(state: State, act: Act) -> Problem | None:
    """Refuse to send an emissary where none is left in reserve."""
    side = state.side
    if state.reserve[side]:
        return None
    return Problem("naishi.no-emissary", {"out": state.swaps[side] + state.washes[side]})


def no_space(state: State, act: Act) -> Problem | None:
    """Refuse an action whose spaces on the board are all taken."""
    taken, spaces = (state.washes, WASHES) if act.verb == "discard" else (state.swaps, SWAPS)
    if sum(taken) < spaces:
        return None
    return Problem("naishi.no-space", {"action": action_phrase(act.verb), "spaces": spaces})


def pile_empty(state: State, act: Act) -> Problem | None:
    """Refuse to take a card from an empty pile."""
    empty = next((number % HAND for number in named(act) if not state.left[number % HAND]), None)
    if empty is None:
        return None
    columns = ", ".join(str(column + 1) for column in filled(state.left))
    return Problem("naishi.pile-empty", {"column": empty + 1, "columns": columns})


def leaves_nothing(state: State, act: Act) -> Problem | None:
    """Refuse to discard what must still be developed."""
    if state.developed or sum(state.left) > 2:
        return None
    return Problem("naishi.leaves-nothing", {"cards": sum(state.left)})


def other_column(state: State, act: Act) -> Problem | None:
    """Refuse to swap a card of the line with one that is not behind it."""
    if not act.first < HAND <= act.second or act.second - act.first == HAND or state.laws.any_column:
        return None
    line, hand = place_phrase(act.first), place_phrase(act.second)
    return Problem("naishi.other-column", {"line": line, "hand": hand, "column": act.first + 1})


def decree_taken(state: State, act: Act) -> Problem | None:
    """Refuse a second decree."""
    if state.decreed is None:
        return None
    return Problem("naishi.decree-taken", {"by": name(seat_of(state, state.decreed))})


def nothing_out(state: State, act: Act) -> Problem | None:
    """Refuse to recall nobody."""
    out = state.swaps[state.side] + state.washes[state.side]
    return None if out else Problem("naishi.nothing-out")


def too_early(state: State, act: Act) -> Problem | None:
    """Refuse to declare the end before a pile is empty, or when the last turn is settled."""
    if state.final is not None:
        return Problem("naishi.final-turn", {"by": name(seat_of(state, state.final))})
    return None if 0 in state.left else Problem("naishi.no-empty-pile")


EMISSARY: frozenset[Verb] = frozenset({"river", "swap", "discard"})
COLUMNS: frozenset[Verb] = frozenset({"river", "discard"})
"""Actions that name columns; others name places."""

NAMED: dict[Verb, int] = {"develop": 1, "river": 2, "swap": 2, "discard": 2, "decree": 1}
"""How many places or columns an action names."""

BREAKS: dict[Verb, tuple[Callable[[State, Act], Problem | None], ...]] = {
    "develop": (pile_empty,),
    "river": (no_emissary, no_space, pile_empty),
    "swap": (no_emissary, no_space, other_column),
    "discard": (no_emissary, no_space, pile_empty, leaves_nothing),
    "decree": (decree_taken, no_emissary),
    "recall": (nothing_out,),
    "declare": (too_early,),
    "stop": (),
}
"""The rules that each action can break, in the order in which they are asked."""
