"""The laws catch what they are there for: each game here is broken in one way."""

from __future__ import annotations

import pytest

from tests.games import broken
from tests.games.guess import Guess
from tests.laws.laws import LAWS
from tests.laws.play import play

BROKEN: dict[type[Guess], str] = {
    broken.ViewTells: "the view tells 1|the view tells 2",
    broken.ViewTellsThePublic: r"the view tells Watcher\.PUBLIC",
    broken.ViewTellsWhoIsDone: "the view tells [12]",
    broken.OrdersTell: "the orders tell",
    broken.RefusalTells: "the refusals tell",
    broken.NoteTells: "the notes of .* tell",
    broken.SealIsOpen: "is told of a sealed order",
    broken.FactsFade: "comes back as",
    broken.SetupClings: "setup keeps something",
    broken.NeverDeals: "deal-1 cannot be closed",
    broken.WaitsForTheAbsent: "waits for a seat that may not act",
    broken.SameKeyAgain: "a phase comes twice",
    broken.DrawsTwice: "'card' is drawn twice in deal",
    broken.Mumbles: "番",
    broken.RefusesItsOwn: "is listed and refused|a listed order is refused",
}


def keep_all_laws(game: type[Guess]) -> None:
    engine = game()
    for seed in range(20):
        played = play(engine, seed)
        for law in LAWS:
            law(engine, played)


@pytest.mark.parametrize("game", BROKEN, ids=lambda game: game.__name__)
def test_a_broken_game_is_caught_by_its_law(game: type[Guess]) -> None:
    with pytest.raises(AssertionError, match=BROKEN[game]):
        keep_all_laws(game)


def test_the_sound_game_passes() -> None:
    """So it is the planted fault that was caught above, and nothing else."""
    keep_all_laws(Guess)
