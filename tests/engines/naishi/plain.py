"""A plain engine of Naishi that was written separately.  It is no model of style, so it is kept as text."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from engines.api import Chance
from engines.naishi.cards import NAMES
from engines.naishi.facts import Cards


def loaded() -> Any:
    """Return the plain engine."""
    path = Path(__file__).with_name("reference.py.txt")
    spec = spec_from_loader("naishi_reference", SourceFileLoader("naishi_reference", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = loaded()


def kinds(numbers: Iterable[int]) -> Cards:
    """Return cards of the plain engine by the numbers used here."""
    return tuple([NAMES.index(PLAIN.NAMES[number]) for number in numbers])


class Luck:
    """Shuffles for the plain engine, which draws in no other way."""

    def __init__(self, dice: Chance) -> None:
        self.dice = dice
        self.draws = 0

    def shuffle(self, cards: list[int]) -> None:
        self.draws += 1
        cards[:] = self.dice.shuffled(str(self.draws), cards)
