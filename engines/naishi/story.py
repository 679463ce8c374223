"""What happened, as phrases, each for those who may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from engines.api import Phrase, Seat, Value, Viewer, Watcher, name
from engines.naishi.cards import NINJA
from engines.naishi.dealing import given_by, kept_by
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
from engines.naishi.names import card_phrase, place_phrase
from engines.naishi.state import HAND, State, seat_of, side_of

Telling: TypeAlias = Callable[[State, Any, Viewer], Iterable[Phrase]]

SIDES = (0, 1)


def told(state: State, fact: Fact, viewer: Viewer) -> Iterable[Phrase]:
    """Put a fact, which led to *state*, in words."""
    return TELL[type(fact)](state, fact, viewer)


def shown(state: State, viewer: Viewer, side: int, at: int) -> bool:
    """Tell whether a viewer knows the card at a place of a side."""
    own = viewer in (seat_of(state, side), Watcher.MASTER)
    if own or at < HAND or state.finished is not None:
        return True
    if viewer is Watcher.PUBLIC:
        return state.whence[side][at - HAND] < 0
    return not state.unseen[side] >> at - HAND & 1


def began(state: State, fact: Began, viewer: Viewer) -> Iterator[Phrase]:
    """Say who plays first, and which options are unusual."""
    yield Phrase("naishi.began", {"first": name(fact.first), "second": name(Seat(3 - fact.first))})
    laws = fact.laws
    unusual = {
        "any-column": laws.any_column,
        "banner-instead": not laws.banner_adds,
        "may-copy": not laws.must_copy,
        "discards": laws.lists_discards,
    }
    yield from (Phrase(f"naishi.began.{what}") for what, so in unusual.items() if so)


def dealt(state: State, fact: Dealt, viewer: Viewer) -> Iterator[Phrase]:
    """Show the river to all, and to each player the two cards."""
    yield Phrase("naishi.river", {"cards": tuple(card_phrase(pile[0]) for pile in fact.river)})
    for side in SIDES:
        if viewer in (seat_of(state, side), Watcher.MASTER):
            first, second = map(card_phrase, fact.dealt[side])
            yield Phrase("naishi.dealt", {"by": name(seat_of(state, side)), "first": first, "second": second})


def kept(state: State, fact: Kept, viewer: Viewer) -> Iterator[Phrase]:
    """Confirm a choice to its player alone: others do not learn that there is one."""
    if viewer in (fact.by, Watcher.MASTER):
        values: dict[str, Value] = {"by": name(fact.by), "card": card_phrase(fact.card)}
        yield Phrase("naishi.kept", values | {"other": name(Seat(3 - fact.by))})


def handed(state: State, fact: Handed, viewer: Viewer) -> Iterator[Phrase]:
    """Say what was kept and given, and how the hand was shuffled, to those who know."""
    yield Phrase("naishi.handed")
    for side in SIDES:
        seat = seat_of(state, side)
        if viewer not in (seat, Watcher.MASTER):
            continue
        values: dict[str, Value] = {
            "by": name(seat),
            "other": name(Seat(3 - seat)),
            "card": card_phrase(kept_by(state, side)),
        }
        values |= {"given": card_phrase(given_by(state, side)), "got": card_phrase(given_by(state, 1 - side))}
        yield Phrase("naishi.chosen", values)
        yield Phrase("naishi.hand", {"by": name(seat), "cards": tuple(map(card_phrase, fact.hands[side]))})


def developed(state: State, fact: Developed, viewer: Viewer) -> Iterator[Phrase]:
    """Say which card went and which came, and what the river shows now."""
    values: dict[str, Value] = {"by": name(fact.by), "at": place_phrase(fact.at)}
    values |= {"lost": card_phrase(fact.lost), "came": card_phrase(fact.came)}
    yield Phrase("naishi.developed", values | {"next": turned_up(state, fact.at % HAND)})


def turned_up(state: State, column: int) -> Phrase:
    """Say which card of a pile lies on top now."""
    if state.left[column] == 0:
        return Phrase("naishi.empty", {"column": column + 1})
    return Phrase("naishi.turned-up", {"column": column + 1, "card": card_phrase(state.tops[column])})


def exchanged(state: State, fact: Exchanged, viewer: Viewer) -> Iterator[Phrase]:
    """Say how two cards of the river changed places."""
    first, second = (column + 1 for column in fact.columns)
    here, there = map(card_phrase, fact.cards)
    values: dict[str, Value] = {"by": name(fact.by), "first": first, "second": second}
    yield Phrase("naishi.exchanged", values | {"here": here, "there": there})


def swapped(state: State, fact: Swapped, viewer: Viewer) -> Iterator[Phrase]:
    """Say how two cards of a territory changed places, and name those that the viewer knows."""
    side = side_of(state, fact.by)
    known = [shown(state, viewer, side, at) for at in fact.places]
    first, second = map(place_phrase, fact.places)
    values: dict[str, Value] = {"by": name(fact.by), "first": first, "second": second}
    if not any(known):
        yield Phrase("naishi.swapped-hidden", values)
        return
    here, there = (
        card_phrase(card) if seen else Phrase("naishi.card.hidden")
        for seen, card in zip(known, fact.cards, strict=True)
    )
    yield Phrase("naishi.swapped", values | {"here": here, "there": there})


def washed(state: State, fact: Washed, viewer: Viewer) -> Iterator[Phrase]:
    """Say which cards left the river, and what it shows now."""
    first, second = (column + 1 for column in fact.columns)
    here, there = map(card_phrase, fact.cards)
    values: dict[str, Value] = {"by": name(fact.by), "first": first, "second": second}
    now, too = (turned_up(state, column) for column in fact.columns)
    yield Phrase("naishi.washed", values | {"here": here, "there": there, "now": now, "too": too})


def decreed(state: State, fact: Decreed, viewer: Viewer) -> Iterator[Phrase]:
    """Say which cards changed owners: of hidden ones, to the two players alone."""
    other = name(Seat(3 - fact.by))
    values: dict[str, Value] = {"by": name(fact.by), "other": other, "at": place_phrase(fact.at)}
    if viewer is Watcher.PUBLIC and not all(shown(state, viewer, side, fact.at) for side in SIDES):
        yield Phrase("naishi.decreed-hidden", values)
    else:
        yield Phrase(
            "naishi.decreed", values | {"given": card_phrase(fact.given), "taken": card_phrase(fact.taken)}
        )


def recalled(state: State, fact: Recalled, viewer: Viewer) -> Iterator[Phrase]:
    """Say that emissaries came back."""
    yield Phrase("naishi.recalled", {"by": name(fact.by), "n": state.reserve[side_of(state, fact.by)]})


def declared(state: State, fact: Declared, viewer: Viewer) -> Iterator[Phrase]:
    """Say who ends the game."""
    yield Phrase("naishi.declared", {"by": name(fact.by)})


def stopped(state: State, fact: Stopped, viewer: Viewer) -> Iterator[Phrase]:
    """Say that a turn ended without an emissary."""
    yield Phrase("naishi.stopped", {"by": name(fact.by)})


def final(state: State, fact: Final, viewer: Viewer) -> Iterator[Phrase]:
    """Say whose turn is the last."""
    yield Phrase(f"naishi.final.{fact.reason}", {"by": name(fact.by)})


def finished(state: State, fact: Finished, viewer: Viewer) -> Iterator[Phrase]:
    """Say what the ninjas copied, and the sums."""
    for side in SIDES:
        for at, card in enumerate(state.territories[side]):
            copy = fact.territories[side][at]
            if card == NINJA and copy != NINJA:
                values: dict[str, Value] = {"by": name(seat_of(state, side)), "at": place_phrase(at)}
                yield Phrase("naishi.copied", values | {"card": card_phrase(copy)})
    first, second = (name(seat_of(state, side)) for side in SIDES)
    sums: dict[str, Value] = {"first_points": sum(fact.points[0]), "second_points": sum(fact.points[1])}
    yield Phrase("naishi.finished", sums | {"first": first, "second": second})


TELL: Mapping[type[Any], Telling] = {
    Began: began,
    Dealt: dealt,
    Kept: kept,
    Handed: handed,
    Developed: developed,
    Exchanged: exchanged,
    Swapped: swapped,
    Washed: washed,
    Decreed: decreed,
    Recalled: recalled,
    Declared: declared,
    Stopped: stopped,
    Final: final,
    Finished: finished,
}
