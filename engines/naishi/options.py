"""Options of a game (section 7 of the rules)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.api import Chance, Phrase, Problem, Seat
from engines.naishi.facts import Began, Laws

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "swap_line_hand": ("column", "any"),
    "horseman_banner": ("13", "10"),
    "ninja_copy": ("mandatory", "optional"),
    "first_player": ("random", "1", "2"),
    "discard_list": ("off", "on"),
}


def begin(options: Mapping[str, str], chance: Chance) -> Began | Problem:
    """Settle the options, and draw who plays first unless one says it."""
    for option, value in options.items():
        known = OPTIONS.get(option)
        if known and value not in known:
            named = Phrase(f"naishi.option.{option}")
            return Problem("naishi.bad-option", {"option": named, "value": value, "known": ", ".join(known)})
    laws = Laws(
        any_column=options.get("swap_line_hand") == "any",
        banner_adds=options.get("horseman_banner") != "10",
        must_copy=options.get("ninja_copy") != "optional",
        lists_discards=options.get("discard_list") == "on",
    )
    first = options.get("first_player", "random")
    drawn = first == "random"
    return Began(laws, chance.pick("first_player", (Seat(1), Seat(2))) if drawn else Seat(int(first)))
