"""All that a game says has words in both languages."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from corr.core.fold import fold
from corr.core.turn import AnyEngine
from corr.registry import Registry, game_of
from corr.render.catalogue import option, reason, word
from engines.api import Outcome, Phrase, Problem, Seat, Viewer, Watcher
from tests import games
from tests.games import tictactoe
from tests.laws.laws import CHATTER, LANGUAGES, turns
from tests.laws.play import Game, play

EXTRA = tuple(Path(folder) for folder in games.__path__)
ENGINES: dict[str, AnyEngine] = {
    engine.info.rules: engine for engine in (*Registry.installed(), tictactoe.ENGINE)
}
SEEDS = range(3)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", ENGINES)
def test_whole_games_are_told_and_refusals_explained(rules: str, lang: str) -> None:
    """A key or a value that the catalogue lacks raises KeyError."""
    engine = ENGINES[rules]
    for game in (play(engine, seed) for seed in SEEDS):
        names = {Seat(number): f"P{number}" for number in range(1, game.seats + 1)}
        for phrase in (*told(engine, game), *unread(engine, game)):
            assert word(phrase, lang, names, EXTRA)
        end = game.moments[-1].phase
        if isinstance(end, Outcome):
            assert reason(end, game_of(engine), lang, EXTRA)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", ENGINES)
def test_the_game_and_its_options_have_names(rules: str, lang: str) -> None:
    engine = ENGINES[rules]
    assert word(Phrase(f"{game_of(engine)}.title"), lang, {}, EXTRA)
    for key, values in engine.info.options.items():
        for value in values or ("text",):
            assert option(game_of(engine), key, value, lang, EXTRA)


@pytest.mark.parametrize(
    "filler", ["です", "で", "を", "の", "ます", "お願いします", "please ", "the ", "- ", "1", "一"]
)
@pytest.mark.parametrize("rules", ENGINES)
def test_no_line_keeps_a_reader_for_ever(rules: str, filler: str) -> None:
    """Letters come from anybody: polite words that can be taken in two ways are tried in all of them."""
    engine, game = ENGINES[rules], play(ENGINES[rules], 0)
    for state, seat in islice(turns(game), 0, None, 7):
        for order, lang in product(islice(engine.orders(state, seat), 3), LANGUAGES):
            spelt = engine.spell(state, seat, order, lang)
            for line in (f"{spelt}{filler * 60}ゑ", f"{filler * 60}{spelt}ゑ", f"{spelt[:2]}{filler * 60}ゑ"):
                assert isinstance(engine.parse(state, seat, fold(line)), Problem)


def told(engine: AnyEngine, game: Game) -> list[Phrase]:
    """Return what anybody is told of a game."""
    viewers: list[Viewer] = [*(Seat(number) for number in range(1, game.seats + 1)), *Watcher]
    state: Any = None
    phrases: list[Phrase] = []
    for fact in game.facts:
        state = engine.evolve(state, fact)
        for viewer in viewers:
            phrases += engine.tell(state, fact, viewer)
    return phrases


def unread(engine: AnyEngine, game: Game) -> list[Phrase]:
    """Return why chatter is not read."""
    answers = (engine.parse(state, seat, fold(words)) for state, seat in turns(game) for words in CHATTER)
    return [answer for answer in answers if isinstance(answer, Problem)]
