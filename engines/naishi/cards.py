"""The cards, and which of them are what (section 1 of the rules)."""

from __future__ import annotations

(
    MOUNTAIN,
    NAISHI,
    ADVISOR,
    SENTINEL,
    MONK,
    HORSEMAN,
    RONIN,
    NINJA,
    FORT,
    TORII,
    RICE,
    BANNER,
) = range(12)

NAMES = (
    "mountain",
    "naishi",
    "advisor",
    "sentinel",
    "monk",
    "horseman",
    "ronin",
    "ninja",
    "fort",
    "torii",
    "rice",
    "banner",
)
"""The kinds by their numbers; catalogues word a card under ``naishi.card.NAME``."""

COPIES = (0, 2, 4, 4, 3, 2, 2, 2, 4, 4, 5, 2)
"""Development cards of each kind.  Mountains are laid out, never dealt."""

COPYABLE = (NAISHI, ADVISOR, SENTINEL, MONK, HORSEMAN, RONIN)
"""Characters that a ninja may copy."""

DECK = tuple(kind for kind, copies in enumerate(COPIES) for _ in range(copies))
"""The 34 development cards, unshuffled."""
