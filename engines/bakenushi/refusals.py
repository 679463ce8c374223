"""Why an order is refused, as closely as the rules can tell, and no closer than its seat may know."""

from __future__ import annotations

from engines.api import Phrase, Problem, Seat
from engines.bakenushi.facts import Land
from engines.bakenushi.orders import Order, may_hide
from engines.bakenushi.state import LANDS, TANUKI, State, land_at, side_of
from engines.bakenushi.words import code, colour


def refusal(state: State, seat: Seat, order: Order) -> Problem:
    """Return the first rule that an illegal order breaks."""
    return wrong_time(state, order) or (
        already_up(state, order.what) if order.verb == "turn" else no_card(state, seat, order)
    )


def wrong_time(state: State, order: Order) -> Problem | None:
    """Refuse an order that belongs to another part of the round."""
    if state.choice:
        return Problem("bakenushi.now-choose", {"land": code(state.marked[0])})
    selecting = state.step < LANDS
    if order.verb == "choose":
        return Problem("bakenushi.no-choice", {"discipline": colour(order.what)})
    if selecting and order.verb != "turn":
        return Problem("bakenushi.now-land", {"discipline": colour(state.order[len(state.marked)])})
    if not selecting and order.verb == "turn":
        return Problem("bakenushi.now-card", {"land": code(order.what)})
    return None


def already_up(state: State, cell: int) -> Problem:
    """Refuse to turn up what lies face up."""
    return Problem("bakenushi.already-up", {"at": code(cell), "land": named(land_at(state, cell))})


def no_card(state: State, seat: Seat, order: Order) -> Problem:
    """Refuse a card that is not in the hand, or that may not lie face down."""
    side, number = side_of(state, seat), order.what
    if number not in state.hands[side]:
        hand = ", ".join(map(str, state.hands[side]))
        gone = number in state.gone or number in seen(state, side)
        return Problem(f"bakenushi.{'gone' if gone else 'not-in-hand'}", {"card": number, "hand": hand})
    assert not may_hide(state), f"{order} is legal"
    if not state.table.large[TANUKI] or side != TANUKI:
        return Problem("bakenushi.no-hiding", {"card": number})
    return Problem("bakenushi.hidden-already" if state.down else "bakenushi.hide-first", {"card": number})


def seen(state: State, side: int) -> tuple[int, ...]:
    """Return the cards on the table that a side has seen: the other's face-down card is none of them."""
    cards = (*state.played[0], *state.played[1])
    return cards if side == TANUKI else tuple(card for card in cards if card != state.down)


def named(land: Land) -> Phrase:
    """Name a land inside a phrase."""
    if land.neutral:
        return Phrase(f"bakenushi.neutral.{land.neutral}")
    return Phrase("bakenushi.valued", {"label": land.label})
