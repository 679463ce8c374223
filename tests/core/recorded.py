"""Games played at random by all that can happen in one, with their records."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from corr.core.chance import SeededChance
from corr.core.endings import adjudicated, agreed, out_of_time, resigned, voided
from corr.core.record import Header
from corr.core.scribe import Scribe
from corr.core.turn import AnyEngine, Ended, Luck, Turn, end, joined, run_out, start, status, take
from corr.registry import Registry
from engines.api import Chance, Outcome, Phase, Problem, Seat, Viewer, Watcher
from tests.games import guess, tictactoe

ENGINES: dict[str, AnyEngine] = {
    engine.info.rules: engine for engine in (*Registry.installed(), tictactoe.ENGINE, guess.ENGINE)
}
CODE = "K7QX"
CAP = 60
"""Orders after which a random game is left as it stands."""

VERBS = (*["order"] * 40, *["lapse"] * 2, "resign", "draw", "claim", "adjudicate", "void")
"""What happens next, as often as it stands here."""


class Recorded(NamedTuple):
    """A game as it was played."""

    engine: AnyEngine
    header: Header
    turn: Turn  # from the setup to the last move

    def text(self, lang: str = "en", viewer: Viewer = Watcher.MASTER) -> str:
        """Write the record, as a file."""
        scribe = Scribe(self.engine, self.header, viewer, lang)
        return "\n".join(scribe.written(self.turn.entries, self.turn.steps)) + "\n"


def luck_of(header: Header) -> Luck:
    """Return the luck of a game, as the daemon draws it."""
    return lambda phase: SeededChance(header.seed, f"{header.luck}/{phase}")


def headed(engine: AnyEngine, dice: Chance) -> Header:
    """Choose seats, options and terms."""
    seats = dice.pick("seats", engine.info.seats)
    options = {
        key: dice.pick(f"option {key}", values)
        for key, values in engine.info.options.items()
        if values and dice.pick(f"set {key}", "ynn") == "y"
    }
    seed = sha256(repr((engine.info.rules, dice.pick("seed", range(10**9)))).encode()).digest()
    header = Header(
        code=CODE,
        rules=engine.info.rules,
        names={Seat(number): f"P: {number}" for number in range(1, seats + 1)},
        luck=CODE,
        timeout=dice.pick("timeout", ("loss", "claim", "nothing")),
        press="open",
        options=options,
        paces=engine.info.paces,
        digest=sha256(seed).hexdigest(),
        seed=seed,
    )
    if isinstance(engine.setup(seats, options, luck_of(header)("setup")), Problem):
        return replace(header, options={})
    return header


def recorded(engine: AnyEngine, seed: int, *, verbs: Sequence[str] = VERBS) -> Recorded:
    """Play a game at random, by *verbs*, to its end or to the cap."""
    header = headed(engine, SeededChance(b"header", f"{engine.info.rules}/{seed}"))
    luck = luck_of(header)
    setup = engine.setup(len(header.names), header.options, luck("setup"))
    assert not isinstance(setup, Problem)
    turns = [start(engine, setup, luck)]
    for number in range(CAP):
        phase = status(engine, turns[-1].after)
        if isinstance(phase, Outcome):
            break
        dice = SeededChance(b"players", f"{engine.info.rules}/{seed}/{number}")
        turns.append(happened(Recorded(engine, header, turns[-1]), phase, dice.pick("verb", verbs), dice))
    return Recorded(engine, header, joined(turns))


def happened(game: Recorded, phase: Phase, verb: str, dice: Chance) -> Turn:
    """Let one thing happen; an order, where what was drawn cannot happen here."""
    engine, now = game.engine, game.turn.after
    lapse = run_out(engine, now, luck_of(game.header)) if verb == "lapse" else None
    if lapse is not None:
        return lapse
    ended = endings(game, phase, dice).get(verb)
    if ended is None:
        return ordered(game, phase, dice)
    if verb in {"lapse", "adjudicate", "void"}:
        return end(engine, now, ended, None, "close" if verb == "lapse" else "master")
    others = sorted(set(game.header.names) - phase.waiting)  # of whom one claims, or agrees last
    return end(engine, now, ended, ended.by[0] if verb == "resign" else others[0], "order")


def endings(game: Recorded, phase: Phase, dice: Chance) -> dict[str, Ended]:
    """Return the ends outside the rules that can come now, by verb."""
    seats, timeout = sorted(game.header.names), game.header.timeout
    found = {
        "resign": resigned(seats, dice.pick("resigns", seats)),
        "adjudicate": adjudicated(dice.pick("wins", (None, *seats))),
        "void": voided(),
    }
    silent = run_out(game.engine, game.turn.after, luck_of(game.header)) is None
    if timeout == "loss" and silent:
        found["lapse"] = out_of_time(seats, phase)
    if set(seats) - phase.waiting:
        found["draw"] = agreed()
        if timeout == "claim":
            found["claim"] = out_of_time(seats, phase)
    return found


def ordered(game: Recorded, phase: Phase, dice: Chance) -> Turn:
    """Take a letter with one or two legal orders of a seat."""
    engine, state = game.engine, game.turn.after.state
    seat = dice.pick("seat", sorted(phase.waiting or phase.open))
    orders = tuple(itertools.islice(engine.orders(state, seat), 200))
    lines = [engine.spell(state, seat, dice.pick(f"order {n}", orders), "ja") for n in range(2)]
    turn = take(engine, game.turn.after, seat, lines, luck_of(game.header), lang="en")
    assert turn.entries, turn.lines
    return turn
