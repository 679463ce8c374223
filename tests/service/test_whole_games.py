"""Whole games by letters, played at random: the letters, the store and the engine agree."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
from sqlmodel import col, select

from corr.core.chance import SeededChance
from corr.core.commands import word
from corr.core.fold import fold
from corr.demo.clients import CLIENTS
from corr.demo.player import offered
from corr.service import admin
from corr.service.sitting import Sitting
from corr.store.tables import Game
from engines.api import Outcome, Phase, Problem, Seat
from tests.service.world import AOI, BEN, World, found

PLAYERS = (AOI, BEN)


class Play:
    """One game, in which the players choose among the words that their letters offer."""

    def __init__(self, world: World, code: str, langs: tuple[str, str], seed: int) -> None:
        self.world, self.code, self.langs = world, code, langs
        self.luck = SeededChance(bytes([seed] * 32), code)
        self.replies = 0

    def sitting(self) -> Sitting:
        with self.world.office.database.session() as session:
            return Sitting(session, self.world.office, found(session, self.code))

    def links_are_legal(self, sitting: Sitting, seat: Seat) -> tuple[str, ...]:
        """Follow every link of the newest letter to *seat*; return those that are orders."""
        engine, state, phase = sitting.engine, sitting.position.state, sitting.status
        assert isinstance(phase, Phase)
        links = [words for words in offered(self.world.newest(PLAYERS[seat - 1])) if not word(fold(words))]
        if seat not in phase.open:
            assert links == []
            return ()
        for words in links:
            read = engine.parse(state, seat, fold(words))
            assert not isinstance(read, Problem), words
            (order,) = read
            assert order in set(engine.orders(state, seat)), words
            assert engine.spell(state, seat, order, self.langs[seat - 1]) == words
        assert links, "who may act is offered something"
        return tuple(links)

    def to_the_end(self, most: int = 400) -> Sitting:
        """Play until the game is over, or *most* replies are written."""
        for _ in range(most):
            sitting = self.sitting()
            if isinstance(sitting.status, Outcome):
                return sitting
            offers = {seat: self.links_are_legal(sitting, seat) for seat in sitting.holders}
            seat = self.luck.pick(f"seat {self.replies}", sorted(sitting.status.waiting))
            self.reply(seat, self.luck.pick(f"words {self.replies}", offers[seat]))
        return self.sitting()

    def reply(self, seat: Seat, words: str) -> None:
        clients = CLIENTS[self.langs[seat - 1]]
        client = clients[self.replies % len(clients)]
        self.replies += 1
        self.world.sleep(minutes=1)
        done = self.world.reply(PLAYERS[seat - 1], words, client=client)
        assert done.status == "done", (words, done.problem)


def refolded(sitting: Sitting) -> Any:
    """Play what the log says by the engine alone: its words, in order, from the published seed."""
    engine, game = sitting.engine, sitting.game
    assert game.seed is not None

    def luck(phase: str) -> SeededChance:
        return SeededChance(game.seed or b"", f"{game.code}/{phase}")

    state = reduce(engine.evolve, good(engine.setup(2, game.options, luck("setup"))), None)
    for entry in sitting.log[1:]:
        phase = engine.phase(state)
        assert isinstance(phase, Phase)
        if entry.seat is None:
            facts = engine.close(state, luck(phase.key))
        else:
            (order,) = good(engine.parse(state, entry.seat, entry.words or ""))
            facts = good(engine.decide(state, entry.seat, order, luck(phase.key)))
        state = reduce(engine.evolve, facts, state)
    return state


def good(judged: Any) -> Any:
    assert not isinstance(judged, Problem), judged
    return judged


@pytest.mark.slow
@pytest.mark.parametrize("langs", [("en", "ja"), ("ja", "en")])
def test_a_whole_game_of_ukulele_ends_where_the_engine_ends(world: World, langs: tuple[str, str]) -> None:
    """Full of passes and jumps; the move cap ends it."""
    code = world.game("ukulele", options={"move_cap": "24"})
    speak(world, langs)
    over = Play(world, code, langs, len(langs[0] + langs[1])).to_the_end()
    assert isinstance(over.status, Outcome)
    assert over.position.state == refolded(over)
    assert [done.problem for done in admin.replay(world.office, code)] == [None]
    assert_as_stored(world, code, over)


@pytest.mark.parametrize(("engine", "seed"), [("tictactoe", 1), ("tictactoe", 2), ("guess", 3)])
def test_a_whole_small_game_ends_where_its_engine_ends(world: World, engine: str, seed: int) -> None:
    code = world.game(engine)
    langs = ("ja", "en")
    speak(world, langs)
    over = Play(world, code, langs, seed).to_the_end()
    assert isinstance(over.status, Outcome)
    assert over.position.state == refolded(over)
    assert [done.problem for done in admin.replay(world.office)] == [None]
    assert_as_stored(world, code, over)


@pytest.mark.parametrize("engine", ["naishi", "bakenushi"])
def test_a_game_with_hidden_cards_is_remembered_as_it_is_stored(world: World, engine: str) -> None:
    code = world.game(engine)
    langs = ("ja", "en")
    speak(world, langs)
    assert_as_stored(world, code, Play(world, code, langs, 5).to_the_end(most=30))


def assert_as_stored(world: World, code: str, over: Sitting) -> None:
    """Check that what the process remembers of a game that it wrote is what a new process reads."""
    world.office.database.memory.forget()
    stored = Play(world, code, ("en", "en"), 0).sitting()
    assert (over.log, over.history) == (stored.log, stored.history)


def speak(world: World, langs: tuple[str, str]) -> None:
    for who, lang in zip(PLAYERS, langs, strict=True):
        world.reply(who, f"lang {lang}")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seq", 7),
        ("position", 9),
        ("phase_key", "ply-1"),
        ("status", "over"),
    ],
)
def test_replay_finds_a_running_game_that_was_tampered_with(world: World, column: str, value: object) -> None:
    code = world.game()
    world.reply(AOI, "5")
    assert [done.problem for done in admin.replay(world.office)] == [None]
    tamper(world, code, column, value)
    (done,) = admin.replay(world.office, code)
    assert done.problem is not None


def test_replay_finds_a_result_that_was_tampered_with(world: World) -> None:
    code = world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    tamper(world, code, "outcome", {"winners": [2], "reason": "three-in-a-row"})
    (done,) = admin.replay(world.office, code)
    assert done.problem is not None


def test_replay_agrees_after_every_way_in_which_a_game_ends(world: World) -> None:
    codes = [world.game(), world.game(), world.game()]
    letters = world.letters(AOI)
    world.reply(AOI, "resign", letters[0])
    world.reply(AOI, "yes")
    admin.adjudicate(world.office, codes[1], "2", "a reason", void=False)
    admin.adjudicate(world.office, codes[2], None, "a reason", void=True)
    assert [done.problem for done in admin.replay(world.office)] == [None] * 3


def test_a_game_that_has_not_begun_is_not_replayed(world: World) -> None:
    world.wish()
    assert list(admin.replay(world.office)) == []
    with pytest.raises(LookupError):
        list(admin.replay(world.office, "ZZZZ"))


def tamper(world: World, code: str, column: str, value: object) -> None:
    with world.office.database.session() as session:
        game = session.exec(select(Game).where(col(Game.code) == code)).one()
        setattr(game, column, value)
