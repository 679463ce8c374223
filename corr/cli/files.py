"""Options of a game that stand in a file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

from corr.cli.common import refuse
from corr.core.record import compact
from corr.core.turn import AnyEngine


def filled(engine: AnyEngine | None, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options with the content of each file in place of its name.

    The content is stored with the game, as compact JSON: nobody needs the file again.
    """
    named = engine.info.files if engine else frozenset[str]()
    return {key: content(Path(value)) if key in named else value for key, value in options.items()}


def content(path: Path) -> str:
    """Return what a TOML or JSON file says as compact JSON; refuse a file that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        return compact(json.loads(text) if path.suffix == ".json" else tomllib.loads(text))
    except OSError as error:
        refuse(f"{path}: {error.strerror or error}")
    except (ValueError, TypeError) as error:  # no UTF-8, no TOML, or a date, which JSON has not
        refuse(f"{path}: {error}")
