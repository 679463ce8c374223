"""corr is killed again and again at random moments while letters go to and fro: the long part.

A moment is a named point, or just before any statement of SQL; so it may lie in the
middle of any transaction.  The draws are the same in every run; what else happens in
a process, and how fast, is not.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

import pytest
from rich.console import Console

from corr.core.chance import SeededChance
from corr.core.commands import word
from corr.core.fold import fold
from corr.demo.player import offered
from corr.faults import Point
from corr.service.receive import MOST_FRUITLESS
from corr.store.tables import Event, Inbound, Outbox
from tests.cli.conftest import PASSWORD
from tests.databases import Source
from tests.kill.conftest import housed
from tests.kill.house import House
from tests.kill.proofs import all_is_well
from tests.kill.victim import STATEMENT, Plan

pytestmark = pytest.mark.bench

ROUNDS = int(os.environ.get("CORR_KILL_ROUNDS", "40"))
TABLES = (("Aoi", "Ben"), ("Cleo", "Dan"), ("Emi", "Finn"))
KILLED = -9


class Storm:
    """Letters and kills, round by round."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.kills: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()  # letters that each player has seen
        self.refused: Counter[str] = Counter()  # moves of each out of turn
        for names in TABLES:
            house.game(*names)

    def round(self, number: int) -> None:
        """Let people write, kill corr one to three times, and let it come back."""
        luck = SeededChance(bytes(32), f"round/{number}")
        for name in (name for table in TABLES for name in table):
            self._write(name, luck)
        for attempt in range(luck.pick("how often", (1, 2, 3))):
            self._kill(luck, attempt)
        self.house.recover()
        all_is_well(self.house)

    def _write(self, name: str, luck: SeededChance) -> None:
        """Answer the newest letter, if it is new; who is not to move is refused, and so gets a letter too.

        But not so often in one hour that corr takes him for a program, and is silent.
        """
        letters = self.house.letters(name)
        if len(letters) == self.answered[name]:
            return
        self.answered[name] = len(letters)
        moves = [words for words in offered(letters[-1]) if word(fold(words)) is None]
        self.refused[name] += not moves
        if moves or self.refused[name] < MOST_FRUITLESS:
            self.house.reply(name, luck.pick(f"move of {name}", moves or ["59-26"]), letters[-1])

    def _kill(self, luck: SeededChance, attempt: int) -> None:
        points = (*get_args(Point), *(STATEMENT for _ in get_args(Point)))
        point = luck.pick(f"point {attempt}", points)
        most = 150 if point == STATEMENT else 3
        visit = luck.pick(f"visit {attempt}", range(1, most + 1))
        if self.house.die(Plan(point, visit)) == KILLED:
            self.kills[point] += 1


@pytest.mark.timeout(1_800)
def test_a_corr_that_is_killed_again_and_again_loses_and_doubles_nothing(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORR_IMAP_PASSWORD", PASSWORD)
    with ExitStack() as stack:
        house = stack.enter_context(housed(tmp_path, stack.enter_context(source.ready(tmp_path))))
        storm = Storm(house)
        for number in range(ROUNDS):
            storm.round(number)
        copies = house.copies()
        figures = {
            "database": house.server.office.database.engine.name,
            "rounds": ROUNDS,
            "kills": storm.kills.total(),
            "inside_a_transaction_or_beside": storm.kills[STATEMENT],
            "letters_in": len(house.rows(Inbound)),
            "facts": len(house.rows(Event)),
            "letters_out": len(house.rows(Outbox)),
            "copies": copies.total() - len(copies),
        }
    Console().print_json(json.dumps(figures))
    assert storm.kills.total() >= ROUNDS / 2
