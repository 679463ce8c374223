"""Random games of Bakenushi a second, as a share of the yardstick's."""

from __future__ import annotations

import pytest

from tests.bench.yardstick import share

pytestmark = pytest.mark.bench

LEAST = 0.3


def test_random_games_of_bakenushi() -> None:
    assert share("bakenushi") >= LEAST
