"""Counting what failed is one transaction, and changes only what is still to be handled."""

from __future__ import annotations

import logging
from dataclasses import replace

from corr.service.receive import ATTEMPTS, work
from tests.service.conftest import frozen, world
from tests.service.world import ADDRESS, AOI, World, counts

__all__ = ["frozen", "world"]


def test_a_letter_whose_writer_cannot_be_told_is_kept_all_the_same(world: World) -> None:
    """Without an address of corr's own, neither the answer nor the apology can be written."""
    world.game()
    number = world.post(world.plain(AOI, "help"))
    world.office = replace(world.office, address="nowhere")
    for _ in range(ATTEMPTS):
        assert work(world.office)
    assert not work(world.office)
    row = world.inbound(number)
    assert (row.status, row.attempts) == ("failed", ATTEMPTS)
    assert counts(world) == (1, 1)


class Mended(logging.Handler):
    """Another worker, who is first after a roll-back: the failure has just been logged, and not counted."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        self._world.office = replace(self._world.office, address=ADDRESS)
        assert work(self._world.office)


def test_a_failure_does_not_touch_a_letter_that_another_worker_has_handled_since(world: World) -> None:
    """It would count as failed, and a retry would give it a second effect."""
    world.game()
    number = world.post(world.written(AOI, "5"))
    world.office = replace(world.office, address="nowhere")
    for _ in range(ATTEMPTS - 1):
        assert work(world.office)
    log, another = logging.getLogger("corr.service.receive"), Mended(world)
    log.addHandler(another)
    try:
        assert work(world.office)
    finally:
        log.removeHandler(another)
    row = world.inbound(number)
    assert (row.status, row.attempts) == ("done", ATTEMPTS - 1)
    assert counts(world) == (2, 2)
