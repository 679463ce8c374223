"""How fast letters are read, beside a plain program that reads them too, and how long the worst takes.

``CORR_MAILBOX`` names a folder of letters; its folder ``prototypes`` holds two modules that read
a letter with bounds (``safe_parse``) and take the new text out of it (``reply_layer``).  Both
read every letter in turn, so that a slow moment of the machine hits both alike.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from corr.core.letter import read_letter
from corr.core.quoting import MARKER
from corr.core.reading import by_game, read
from tests.bench.gauge import Gauge, publish
from tests.letters.hostile import HEAD, SHAPES

pytestmark = pytest.mark.bench

FOLDER = Path(os.environ.get("CORR_MAILBOX") or "/nonexistent")
ROUNDS = 5
LEAST = 0.6
"""Of the letters a second that the plain program reads."""

WORST = 0.2
"""Seconds of the processor for any one letter."""

READINGS = {"expected", "expecteds", "trimmed", "elided", "embedded", "before", "stripped"}
"""Folders of what is to be read out of letters, and of no letters."""

HEADERS = ("From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Date", "Return-Path")


def letters() -> Iterator[bytes]:
    """Yield every letter of the folder; what is only a body gets a head."""
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix not in {".txt", ".eml", ".html"} or READINGS.intersection(path.parts):
            continue
        raw, kind = path.read_bytes(), b"html" if path.suffix == ".html" else b"plain"
        bare = path.suffix != ".eml" and not re.match(
            rb"(?:Received|Return-Path|Delivered-To|MIME-Version):", raw
        )
        head = (
            HEAD
            + b"Content-Type: text/"
            + kind
            + b"; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        )
        yield head + raw if bare else raw


def prototype() -> Callable[[bytes], object]:
    """Return the reading of the plain program."""
    sys.path.insert(0, str(FOLDER / "prototypes"))
    parser, layer = import_module("safe_parse"), import_module("reply_layer")

    def reading(raw: bytes) -> object:
        message = parser.parse(raw)
        for name in HEADERS:
            parser.header(message, name)
        plain, html, _ = parser.texts(message)
        return layer.extract("\n".join(plain or html), MARKER)

    return reading


def ours(raw: bytes) -> object:
    """Read a letter as the service does: headers, body, new lines, words, games."""
    letter = read_letter(raw)
    return by_game(letter), read(letter)


def test_letters_are_read_nearly_as_fast_as_by_a_plain_program() -> None:
    """Every letter is a new one in every round, since corr remembers those that it has read."""
    if not (FOLDER / "prototypes").is_dir():
        pytest.skip("CORR_MAILBOX names no folder with prototypes")
    plain, everyone = prototype(), list(letters())
    floor = Gauge("plain program", "letters")
    gauge = Gauge("corr's reading", "letters", floor)
    for number in range(ROUNDS):
        spent = {id(floor): 0.0, id(gauge): 0.0}
        for raw in everyone:
            new = b"X-Round: %d\r\n" % number + raw
            for at, reading in ((floor, plain), (gauge, ours)):
                start = process_time()
                reading(new)
                spent[id(at)] += process_time() - start
        for at in (floor, gauge):
            at.costs.append(spent[id(at)] / len(everyone))
    ratio = floor.cost / gauge.cost
    publish((floor, gauge), [f"{len(everyone)} letters; corr reads {ratio:.2f} times as many a second"])
    assert ratio >= LEAST


def cost(raw: bytes) -> float:
    """Return the seconds of the processor that a letter takes, of three readings the median."""
    costs: list[float] = []
    for number in range(3):
        new = b"X-Round: %d\r\n" % number + raw
        start = process_time()
        ours(new)
        costs.append(process_time() - start)
    return median(costs)


def test_no_letter_takes_long() -> None:
    """Each hostile shape at the size at which most of it comes through."""
    costs = {name: cost(shape.made(shape.large)) for name, shape in SHAPES.items()}
    worst = sorted(costs, key=lambda name: costs[name], reverse=True)[:8]
    gauges = [Gauge(name, "letters", costs=[costs[name]]) for name in worst]
    publish(gauges, [f"the worst of {len(costs)} hostile letters"])
    assert costs[worst[0]] <= WORST, worst[0]
