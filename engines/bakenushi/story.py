"""What happened, as phrases, each for those who may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from engines.api import Phrase, Seat, Value, Viewer, Watcher, name
from engines.bakenushi.facts import (
    Began,
    Card,
    Chosen,
    Dealt,
    Drawn,
    Fact,
    Judged,
    Played,
    Turned,
    Uncovered,
    Won,
)
from engines.bakenushi.judging import is_plus
from engines.bakenushi.refusals import named
from engines.bakenushi.scoring import FIGURE
from engines.bakenushi.state import (
    FOX,
    TANUKI,
    Review,
    State,
    cards_of,
    first_side,
    seat_of,
    side_of,
)
from engines.bakenushi.words import code, colour

Telling: TypeAlias = Callable[[State, Any, Viewer], Iterable[Phrase]]


def told(state: State, fact: Fact, viewer: Viewer) -> Iterable[Phrase]:
    """Put a fact in words.  The end of everything is told by its outcome."""
    tell = TELL.get(type(fact))
    return tell(state, fact, viewer) if tell else ()


def began(state: State, fact: Began, viewer: Viewer) -> Iterator[Phrase]:
    """Say which options are unusual."""
    laws = fact.laws
    unusual = {
        "components": laws.own,
        "abilities": laws.abilities,
        "match": laws.match,
        "gaining": laws.gaining,
        "front": laws.abilities and not laws.swap,
    }
    yield from (Phrase(f"bakenushi.began.{what}") for what, so in unusual.items() if so)
    if laws.match:
        yield Phrase(f"bakenushi.began.points.{laws.points}")


def dealt(state: State, fact: Dealt, viewer: Viewer) -> Iterator[Phrase]:
    """Say who plays what, and to each side its own hand."""
    fox, tanuki = (name(seat_of(state, side)) for side in (FOX, TANUKI))
    if state.table.laws.match:
        yield Phrase("bakenushi.game", {"game": fact.game})
    yield Phrase("bakenushi.dealt", {"fox": fox, "tanuki": tanuki})
    if state.won and any(fact.large):
        loser = name(seat_of(state, fact.large.index(True)))
        yield Phrase("bakenushi.handicap", {"by": loser})
    yield from received(state, viewer, "bakenushi.hand", state.hands)


def received(
    state: State, viewer: Viewer, key: str, cards: tuple[tuple[int, ...], tuple[int, ...]]
) -> Iterator[Phrase]:
    """Tell a side which cards it has; a master both sides'."""
    for side in (FOX, TANUKI):
        seat = seat_of(state, side)
        if viewer in (seat, Watcher.MASTER):
            faces = tuple(face(card) for card in cards_of(state, cards[side]))
            yield Phrase(key, {"by": name(seat), "cards": faces})


def turned(state: State, fact: Turned, viewer: Viewer) -> Iterator[Phrase]:
    """Say which land came up."""
    land = named(state.table.lands[fact.land - 1])
    values: dict[str, Value] = {"by": name(fact.by), "at": code(fact.at), "land": land}
    if fact.marker is None:
        yield Phrase("bakenushi.turned-neutral", values)
    elif fact.choice:
        yield Phrase("bakenushi.turned-choice", values)
    else:
        yield Phrase("bakenushi.turned", {**values, "discipline": colour(fact.marker)})


def chosen(state: State, fact: Chosen, viewer: Viewer) -> Iterator[Phrase]:
    """Say what the great fox chose."""
    first, second, third = map(colour, fact.order)
    yield Phrase("bakenushi.chosen", {"by": name(fact.by), "first": first, "second": second, "third": third})


def played(state: State, fact: Played, viewer: Viewer) -> Iterator[Phrase]:
    """Say which card was played; of a hidden one, the other side learns only that it is there."""
    if fact.down and viewer not in (fact.by, Watcher.MASTER):
        yield Phrase("bakenushi.hidden", {"by": name(fact.by)})
        return
    key = "bakenushi.hid" if fact.down else "bakenushi.played"
    yield Phrase(key, {"by": name(fact.by), "card": face_of(state, fact.card)})


def uncovered(state: State, fact: Uncovered, viewer: Viewer) -> Iterator[Phrase]:
    """Show the hidden card."""
    yield Phrase("bakenushi.uncovered", {"by": name(fact.by), "card": face_of(state, fact.card)})


def judged(state: State, fact: Judged, viewer: Viewer) -> Iterator[Phrase]:
    """Say who won which land, and how both powers stand."""
    review = state.last
    assert review is not None, "a judgement leaves a review"
    for discipline, cell, land in zip(review.order, review.marked, review.lands, strict=True):
        fox, tanuki = fact.strengths[discipline]
        values: dict[str, Value] = {
            "discipline": colour(discipline),
            "at": code(cell),
            "land": named(land),
            "winner": name(seat_of(state, fact.winners[discipline])),
            "fox": fox,
            "tanuki": tanuki,
        }
        yield Phrase(f"bakenushi.judged{why(review, fox == tanuki, is_plus(land))}", values)
    yield Phrase(
        "bakenushi.power",
        {
            "fox": name(seat_of(state, FOX)),
            "tanuki": name(seat_of(state, TANUKI)),
            "fox_power": signed(fact.power[FOX]),
            "tanuki_power": signed(fact.power[TANUKI]),
        },
    )


def why(review: Review, tie: bool, plus: bool) -> str:
    """Return how a tie was broken, as the end of a key; nothing where there was none."""
    if not tie:
        return ""
    return ".tie-tanuki" if review.great and plus else ".tie"


def drawn(state: State, fact: Drawn, viewer: Viewer) -> Iterator[Phrase]:
    """Say that the next round begins, and to each side what it drew."""
    first = name(seat_of(state, first_side(state.round)))
    yield Phrase("bakenushi.round", {"round": state.round, "first": first})
    yield from received(state, viewer, "bakenushi.drew", fact.cards)


def won(state: State, fact: Won, viewer: Viewer) -> Iterator[Phrase]:
    """Say who won a game of a match, and with how many victory points."""
    if state.table.laws.match:
        reason = Phrase(f"bakenushi.outcome.{fact.reason}")
        values: dict[str, Value] = {
            "by": name(fact.winner),
            "n": fact.points,
            "points": fact.points,
            "reason": reason,
        }
        yield Phrase("bakenushi.won", {**values, "game": state.table.game})


TELL: Mapping[type[Any], Telling] = {
    Began: began,
    Dealt: dealt,
    Turned: turned,
    Chosen: chosen,
    Played: played,
    Uncovered: uncovered,
    Judged: judged,
    Drawn: drawn,
    Won: won,
}


def face_of(state: State, number: int) -> Phrase:
    """Name a card by its number and all that it shows."""
    return face(state.table.cards[number - 1])


def face(card: Card) -> Phrase:
    """Name a card by its number and all that it shows."""
    red, green, blue = signs(card)
    return Phrase("bakenushi.face", {"number": card.number, "red": red, "green": green, "blue": blue})


def signs(card: Card) -> tuple[str, str, str]:
    """Write red, green and blue of a card: a star is a figure, A and B are its green kinds."""
    red = f"{card.red}★" if card.red_figure else str(card.red)
    rows = [f"{'■' * (card.blue >> bit & 1)}{'●' * (card.blue >> bit + 1 & 1)}" or "-" for bit in (0, 2, 4)]
    return red, f"{card.green}{card.green_figure}", "/".join(rows) + "★" * bool(card.blue & FIGURE)


def signed(power: int) -> str:
    """Write a power with its sign."""
    return f"{power:+d}" if power else "0"


def seat_side(state: State, viewer: Viewer) -> int | None:
    """Return the side of a viewer; None for a watcher."""
    return None if isinstance(viewer, Watcher) else side_of(state, Seat(viewer))
