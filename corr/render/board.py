"""Boards in plain text: columns counted as they are displayed."""

from __future__ import annotations

import wcwidth


def width(text: str, locale: str) -> int:
    """Return the display columns of *text*.

    Letters of East Asian *ambiguous* width (●, ○, …) count two in Japanese.
    """
    return wcwidth.width(text, ambiguous_width=_ambiguous(locale))


def cell(text: str, columns: int, locale: str) -> str:
    """Fill *text* with spaces on the right up to so many display columns."""
    return wcwidth.ljust(text, columns, ambiguous_width=_ambiguous(locale))


def _ambiguous(locale: str) -> int:
    return 2 if locale == "ja" else 1
