"""Random games of Bakenushi a second, beside those of a bare engine in the same run.

``CORR_REFERENCE`` names a folder with ``naishi_rate.py``, which prints how many random games a
second a plain engine of another card game plays.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from corr.cli.engine import found, random_games

pytestmark = pytest.mark.bench

ROUNDS = 7
GAMES = 1_500
LEAST = 0.3


def printed(*words: str, folder: Path) -> float:
    """Run Python in a process of its own; returns the number that it prints."""
    done = subprocess.run(
        [sys.executable, "-B", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def rate(seed: int) -> float:
    """Return random games a second of the processor, as ``corr engine playout`` plays them."""
    start = process_time()
    played = list(random_games(found("bakenushi"), GAMES, seed, 300))
    return len(played) / (process_time() - start)


def test_random_games_of_bakenushi() -> None:
    reference = os.environ.get("CORR_REFERENCE")
    if not reference:
        pytest.skip("CORR_REFERENCE names no folder with naishi_rate.py")
    here = Path(__file__).parents[2]
    ratios = list[float]()
    for seed in range(ROUNDS):
        bare = printed("naishi_rate.py", str(GAMES), folder=Path(reference))
        ratios.append(printed("-m", "tests.bench.test_bakenushi", str(seed), folder=here) / bare)
    sys.stdout.write(f"bakenushi: {median(ratios):.3f} of the yardstick; {[round(r, 3) for r in ratios]}\n")
    assert median(ratios) >= LEAST


if __name__ == "__main__":
    sys.stdout.write(f"{rate(int(sys.argv[1]))}\n")
