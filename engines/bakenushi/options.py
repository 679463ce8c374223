"""Options of a game."""

from __future__ import annotations

from collections.abc import Mapping

from engines.api import Problem
from engines.bakenushi.components import components
from engines.bakenushi.facts import Began, Laws

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "first_player": ("random", "1", "2"),
    "abilities": ("off", "on"),
    "match": ("off", "on"),
    "vp": ("floor8", "difference", "winner_power"),
    "red_figures": ("all", "gaining"),
    "green_figures": ("12", "14"),
    "marker_swap": ("swap", "front"),
    "components": (),
}


def begin(options: Mapping[str, str]) -> Began | Problem:
    """Settle the options and open the box; the seats of fox and tanuki come with the deal."""
    for option, value in options.items():
        if OPTIONS.get(option) and value not in OPTIONS[option]:
            known = ", ".join(OPTIONS[option])
            return Problem("bakenushi.bad-option", {"option": option, "value": value, "known": known})
    box = components(options)
    if isinstance(box, Problem):
        return box
    laws = Laws(
        abilities=options.get("abilities") == "on",
        match=options.get("match") == "on",
        points=options.get("vp", "floor8"),
        gaining=options.get("red_figures") == "gaining",
        swap=options.get("marker_swap", "swap") == "swap",
        own=bool(options.get("components")),
    )
    return Began(laws, box.cards, box.lands)
