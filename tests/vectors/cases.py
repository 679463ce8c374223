"""Facts about games from independent programs, one JSON file for each game and kind.

The environment variable ``CORR_VECTORS`` names another folder with files of the same form.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("CORR_VECTORS") or Path(__file__).parent / "data")


def documents(game: str, kind: str) -> list[dict[str, Any]]:
    """Return every document of the folder that is about this game and of this kind."""
    read: list[dict[str, Any]] = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
    ]
    return [
        document for document in read if (document["meta"]["game"], document["meta"]["kind"]) == (game, kind)
    ]
