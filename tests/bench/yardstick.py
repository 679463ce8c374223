"""Random games of an installed game a second, beside those of a bare engine in the same run.

``CORR_REFERENCE`` names a folder with ``naishi_rate.py``, which prints how many random games a
second a plain engine of Naishi plays.  Both are timed by the processor's clock, without their
imports, in processes of their own that take turns: a slow moment of the machine hits both alike.
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

ROUNDS = 7
GAMES = 1_500
CAP = 300  # orders, as ``corr engine playout`` has it


def share(game: str) -> float:
    """Return the games of *game* a second as a share of the yardstick's: the median of the rounds.

    Prints it with the share of each round.  Skips the test where there is no yardstick.
    """
    reference = os.environ.get("CORR_REFERENCE")
    if not reference:
        pytest.skip("CORR_REFERENCE names no folder with naishi_rate.py")
    here = Path(__file__).parents[2]
    shares = list[float]()
    for seed in range(ROUNDS):
        bare = printed("naishi_rate.py", str(GAMES), folder=Path(reference))
        shares.append(printed("-m", "tests.bench.yardstick", game, str(seed), folder=here) / bare)
    sys.stdout.write(
        f"{game}: {median(shares):.3f} of the yardstick; {[round(each, 3) for each in shares]}\n"
    )
    return median(shares)


def printed(*words: str, folder: Path) -> float:
    """Run Python in a process of its own; returns the number that it prints."""
    done = subprocess.run(
        [sys.executable, "-B", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def rate(game: str, seed: int) -> float:
    """Return random games a second, as ``corr engine playout`` plays them."""
    engine = found(game)
    start = process_time()
    played = list(random_games(engine, GAMES, seed, CAP))
    return len(played) / (process_time() - start)


if __name__ == "__main__":
    sys.stdout.write(f"{rate(sys.argv[1], int(sys.argv[2]))}\n")
