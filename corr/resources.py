"""Where the data folders are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def templates() -> Path:
    """Return the folder of letters, boards and phrases."""
    return _folder("templates")


def migrations() -> Path:
    """Return the folder of database migrations."""
    return _folder("migrations")


def _folder(name: str) -> Path:
    carried = _PACKAGE / "_data" / name
    return carried if carried.is_dir() else _PACKAGE.parent / name
