"""Links that open a reply with the words already in it."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

LONGEST = 1_900
"""Characters; some mail programs cut longer links (RFC 6068 names no limit)."""


def mailto(words: str, reply_to: str, subject: str) -> str | None:
    """Return a ``mailto:`` link (RFC 6068) for a reply that says *words*.

    Lines are parted by CRLF.  None where the link would be too long to be safe.
    """
    link = _beginning(reply_to, subject) + _quoted(words)
    return link if len(link) <= LONGEST else None


@lru_cache(maxsize=1)
def _beginning(reply_to: str, subject: str) -> str:
    """Return what the links of one letter have in common."""
    return f"mailto:{quote(reply_to, safe='@+')}?subject={quote(subject, safe='')}&body="


@lru_cache(maxsize=200)  # moves recur, in a letter and from game to game
def _quoted(words: str) -> str:
    return quote("\r\n".join(words.splitlines()), safe="")
