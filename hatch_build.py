"""Build hook: put the letters and the migrations into the wheel.

Only in a standard build.  In an editable one they are read from the checkout,
and a copy beside the code would go stale there.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("templates", "migrations")


class DataHook(BuildHookInterface[Any]):
    """Carry the data folders as ``corr/_data/...``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders to the wheel's files."""
        if version == "standard":
            build_data["force_include"].update({name: f"corr/_data/{name}" for name in CARRIED})
