"""The laws of the contract, each a function that raises AssertionError where a game breaks it.

They are functions, not tests, so that they can be pointed at games that are broken on purpose.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

from corr.core.chance import SeededChance
from corr.core.fold import fold
from corr.core.turn import AnyEngine
from engines.api import Outcome, Phrase, Problem, Seat, Viewer, Watcher
from tests.laws.play import PLENTY, Game, Moment

LANGUAGES = ("en", "ja")

CHATTER = ("", "hello", "よろしくお願いします", "0", "999 999", "59-15", "vote 4", "\N{PILE OF POO}")
"""Lines that a game may read or not, but never with an exception."""

TRIED = 6
"""Orders that are tried out in one state."""


def check_facts(engine: AnyEngine, game: Game) -> None:
    """Check that facts come back through JSON as they were, and give the same state."""
    stored = [stored_and_read(engine, fact) for fact in game.facts]
    for fact, back in zip(game.facts, stored, strict=True):
        assert back == fact, f"{fact} comes back as {back}"
        assert type(back) is type(fact), f"{fact} comes back as another kind"
    assert reduce(engine.evolve, stored, None) == game.moments[-1].state, "the fold gives another state"


def stored_and_read(engine: AnyEngine, fact: Any) -> Any:
    """Send a fact through JSON."""
    kind, version, body = engine.dump(fact)
    return engine.load(kind, version, json.loads(json.dumps(body)))


def check_setup(engine: AnyEngine, game: Game) -> None:
    """Check that the facts of the setup give the first state, whatever they are folded onto."""
    for moment in game.moments:
        again = reduce(engine.evolve, game.setup, moment.state)
        assert again == game.moments[0].state, "setup keeps something of the state before"


def check_phases(engine: AnyEngine, game: Game) -> None:
    """Check that who is waited for may act, that a phase without players can be closed, and all keys."""
    phases = [moment.phase for moment in game.moments if not isinstance(moment.phase, Outcome)]
    for phase in phases:
        assert phase.waiting <= phase.open, f"{phase.key} waits for a seat that may not act"
        assert phase.pace in engine.info.paces, f"{phase.key} names no pace"
    keys = [key for key, _ in itertools.groupby(phase.key for phase in phases)]
    assert len(set(keys)) == len(keys), f"a phase comes twice: {keys}"
    for moment in game.moments:
        if not isinstance(moment.phase, Outcome) and not moment.phase.open:
            facts = engine.close(moment.state, SeededChance(b"", "trial"))
            assert facts, f"{moment.phase.key} cannot be closed"


def check_orders(engine: AnyEngine, game: Game) -> None:
    """Check that every legal order is read back from its words in each language, and not refused."""
    for state, seat in turns(game):
        orders = listed(engine, game, state, seat)
        assert orders, f"seat {seat} may act but has no order"
        assert orders == listed(engine, game, state, seat), "the order of orders moves"
        for order, lang in itertools.product(orders, LANGUAGES):
            words = engine.spell(state, seat, order, lang)
            read = engine.parse(state, seat, fold(words))
            assert list(read) == [order] if not isinstance(read, Problem) else False, f"{words!r}: {read}"
        for order in orders:
            judged = engine.decide(state, seat, order, SeededChance(b"", "trial"))
            assert not isinstance(judged, Problem), f"{order} is listed and refused: {judged}"


def check_reading(engine: AnyEngine, game: Game) -> None:
    """Check that whatever people write is read as orders or refused, never raised."""
    for state, seat in turns(game):
        for words in CHATTER:
            read = engine.parse(state, seat, fold(words))
            assert isinstance(read, Problem) or len(read) > 0, f"{words!r} is neither read nor refused"


def check_secrets(engine: AnyEngine, game: Game) -> None:
    """Check that nothing a viewer sees, may do, is refused or is told depends on what it cannot know."""
    for number, moment in enumerate(game.moments):
        for viewer in viewers(game):
            chance = SeededChance(str(number).encode(), f"imagined by {viewer}")
            world = engine.imagine(moment.state, viewer, chance)
            if world is not moment.state:
                check_world(engine, game, moment, world, viewer)


def check_world(engine: AnyEngine, game: Game, moment: Moment, world: Any, viewer: Viewer) -> None:
    """Check that a state and what a viewer imagines in its place are the same to that viewer."""
    state, phase = moment
    assert engine.view(world, viewer) == engine.view(state, viewer), f"the view tells {viewer} a secret"
    if isinstance(phase, Outcome):
        return
    if viewer in phase.open and not isinstance(viewer, Watcher):
        for matter, of in (("orders", listed), ("refusals", refused)):
            same = of(engine, game, state, viewer) == of(engine, game, world, viewer)
            assert same, f"the {matter} tell {viewer} a secret"
    for seat, order in itertools.product(sorted(phase.open), game.orders[:TRIED]):
        real, imagined = (tried(engine, at, seat, order, viewer) for at in (state, world))
        if real and imagined and real.view == imagined.view:
            assert real.notes == imagined.notes, f"the notes of {order} tell {viewer} a secret"


def check_sealed(engine: AnyEngine, game: Game) -> None:
    """Check that of two orders of another seat that leave a viewer with equal views, it is told the same."""
    for state, phase in game.moments:
        if isinstance(phase, Outcome):
            continue
        for seat in phase.open:
            orders = list(itertools.islice(engine.orders(state, seat), TRIED))
            for viewer in viewers(game):
                if viewer != seat:
                    trials = [tried(engine, state, seat, order, viewer) for order in orders]
                    check_alike([trial for trial in trials if trial is not None], viewer)


class Trial(NamedTuple):
    """What a viewer sees after an order, and is told of it."""

    view: Any
    notes: tuple[Phrase, ...]


def check_alike(trials: list[Trial], viewer: Viewer) -> None:
    """Check that equal views go with equal notes."""
    for one, two in itertools.pairwise(trials):
        if one.view == two.view:
            assert one.notes == two.notes, f"{viewer} is told of a sealed order"


def tried(engine: AnyEngine, state: Any, seat: Seat, order: Any, viewer: Viewer) -> Trial | None:
    """Give an order on a copy; None where it is refused."""
    facts = engine.decide(state, seat, order, SeededChance(b"", "trial"))
    if isinstance(facts, Problem):
        return None
    notes: list[Phrase] = []
    for fact in facts:
        state = engine.evolve(state, fact)
        notes += engine.tell(state, fact, viewer)
    return Trial(engine.view(state, viewer), tuple(notes))


def listed(engine: AnyEngine, game: Game, state: Any, seat: Seat) -> list[Any]:
    """Return what a seat may do."""
    return list(itertools.islice(engine.orders(state, seat), PLENTY))


def refused(engine: AnyEngine, game: Game, state: Any, seat: Seat) -> list[Problem | None]:
    """Return what a seat reads when it tries all that anybody did in this game, or chats."""
    chance = SeededChance(b"", "trial")
    judged = [engine.decide(state, seat, order, chance) for order in game.orders]
    read = [engine.parse(state, seat, fold(words)) for words in CHATTER]
    return [answer if isinstance(answer, Problem) else None for answer in (*judged, *read)]


def turns(game: Game) -> Iterator[tuple[Any, Seat]]:
    """Yield each seat that may act, in each state."""
    for state, phase in game.moments:
        if not isinstance(phase, Outcome):
            for seat in sorted(phase.open):
                yield state, seat


def viewers(game: Game) -> list[Viewer]:
    """Return all who look and must not see everything."""
    return [*(Seat(number) for number in range(1, game.seats + 1)), Watcher.PUBLIC]


LAWS = (check_facts, check_setup, check_phases, check_orders, check_reading, check_secrets, check_sealed)
