"""Gauges, and the table that they make."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

COLUMNS = ("task", "unit", "per second", "ms each", "against", "times as long")


@dataclass(slots=True)
class Gauge:
    """What one task took: seconds for each unit, a figure a round."""

    task: str
    unit: str
    against: Gauge | None = None  # another task, of which this one's cost is told as a multiple
    costs: list[float] = field(default_factory=list[float])

    @contextmanager
    def timed(self, units: Callable[[], int] = lambda: 1) -> Generator[None]:
        """Time what happens inside; *units* is asked afterwards how much that was."""
        start = perf_counter()
        yield
        spent = perf_counter() - start
        self.costs.append(spent / units())

    @property
    def cost(self) -> float:
        """Seconds for one unit, in the median round."""
        return median(self.costs)

    def row(self) -> dict[str, str | float | None]:
        """Return the figures."""
        return {
            "task": self.task,
            "unit": self.unit,
            "per_second": round(1 / self.cost, 1),
            "milliseconds": round(1_000 * self.cost, 4),
            "against": self.against.task if self.against else None,
            "times_as_long": round(self.cost / self.against.cost, 2) if self.against else None,
        }


def publish(gauges: Iterable[Gauge], notes: Iterable[str]) -> None:
    """Print a table for people and the same as JSON for machines."""
    rows, notes = [gauge.row() for gauge in gauges], list(notes)
    table = Table(*COLUMNS, title="corr")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    console = Console(width=110)
    console.print(table)
    for note in notes:
        console.print(note)
    console.print_json(json.dumps({"rows": rows, "notes": notes}))
