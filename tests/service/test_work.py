"""A letter late in a game is no more work than one at its beginning."""

from __future__ import annotations

from corr.demo.player import offered
from engines.api import Json
from engines.ukulele.facts import Fact
from engines.ukulele.rules import Ukulele
from tests.databases import statements
from tests.service.world import AOI, BEN, World

MOST_STATEMENTS = 33
"""SQL for one letter and its two answers.  One more query is no fault; one for each row is."""


class Counted(Ukulele):
    """Ukulele that counts the facts that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def load(self, kind: str, version: int, body: Json, /) -> Fact:
        self.read += 1
        return super().load(kind, version, body)


def moves(world: World, count: int) -> None:
    """Let the two move in turn, Aoi first."""
    for number in range(count):
        who = (AOI, BEN)[number % 2]
        assert world.reply(who, offered(world.newest(who))[0]).status == "done"


def test_a_letter_reads_no_fact_that_this_process_has_written(world: World) -> None:
    rules = Counted()
    world.engine_now(rules)
    world.game("ukulele", options={"first_player": "1"})
    moves(world, 2)
    for _ in range(3):
        before = rules.read
        moves(world, 2)
        assert rules.read == before


def test_a_letter_takes_the_same_few_statements_early_and_late(world: World) -> None:
    world.game("ukulele", options={"first_player": "1"})
    moves(world, 2)
    counts: list[int] = []
    for _ in range(3):
        with statements(world.office.database) as sent:
            moves(world, 2)
        counts.append(len(sent))
    assert len(set(counts)) == 1
    assert counts[0] <= 2 * MOST_STATEMENTS
