"""Settings of a person, which hold in all games; each is told back with its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from zoneinfo import available_timezones

from corr.core.commands import Word, language, letter_form, switch
from corr.core.names import LONGEST_NAME, is_name
from corr.store.tables import Player
from engines.api import Phrase, Problem

Told: TypeAlias = "Phrase | Problem"
"""What is set now, or why nothing was."""


def change(player: Player, word: Word) -> Told:
    """Set what a word of :data:`SETTINGS` asks for; the answer to it goes by that already."""
    return SETTINGS[word.name](player, word.argument)


def _lang(player: Player, argument: str) -> Told:
    code = language(argument)
    if code is None:
        return Problem("lang.unknown", {"words": argument})
    player.locale = code
    return Phrase("lang.set")


def _zone(player: Player, argument: str) -> Told:
    """Show times as the clocks of another place do."""
    zone = _zone_named(argument)
    if zone is None:
        return Problem("zone.unknown", {"words": argument})
    player.timezone = zone
    return Phrase("zone.set", {"zone": zone})


_ZONES = {
    **dict.fromkeys(("jst", "日本", "日本時間", "東京"), "Asia/Tokyo"),
    **dict.fromkeys(("est", "edt"), "America/New_York"),
    **dict.fromkeys(("mst", "mdt"), "America/Denver"),
    **dict.fromkeys(("pst", "pdt"), "America/Los_Angeles"),
    "bst": "Europe/London",
    "cest": "CET",
    "kst": "Asia/Seoul",
}
"""What people call a zone by its clocks; "cst" is said in Chicago and in Shanghai."""


def _zone_named(words: str) -> str | None:
    """Find a zone by its name, by the city in it if only one has that, or by a common short name."""
    wanted = words.replace(" ", "_").casefold()
    if wanted in _ZONES:
        return _ZONES[wanted]
    zones = {zone.casefold(): zone for zone in available_timezones()}
    if wanted in zones:
        return zones[wanted]
    # The signs of Etc/GMT+9 are the other way round.
    cities = [name for name in zones if name.endswith(f"/{wanted}") and not name.startswith("etc/")]
    return zones[cities[0]] if len(cities) == 1 else None


_FORMS = {"html": "format.html", "text": "format.text", "text-jp": "format.text-jp"}


def _format(player: Player, argument: str) -> Told:
    form = letter_form(argument)
    if form is None:
        return Problem("format.unknown", {"words": argument})
    _keep(player, "format", form)
    return Phrase(_FORMS[form])


_REMIND = {"on": "remind.on", "off": "remind.off"}


def _remind(player: Player, argument: str) -> Told:
    """Leave out the letters that come when most of the time is gone, or send them again."""
    wish = switch(argument)
    if wish is None:
        return Problem("remind.unknown", {"words": argument})
    _keep(player, "remind", wish)
    return Phrase(_REMIND[wish])


def _name(player: Player, argument: str) -> Told:
    """Choose what the others call one, in games that are made from now on."""
    if not argument or len(argument) > LONGEST_NAME or not argument.isprintable() or "@" in argument:
        return Problem("name.bad", {"name": argument, "most": LONGEST_NAME})
    if not is_name(argument):
        return Problem("name.unread")
    player.display_name = argument
    _keep(player, "name", argument)
    return Phrase("name.set", {"name": argument})


def _stop(player: Player, argument: str) -> Told:
    """Write less: only what asks for something or answers, and the end."""
    _keep(player, "letters", "urgent")
    return Phrase("stop.done")


def _start(player: Player, argument: str) -> Told:
    player.settings = {key: value for key, value in player.settings.items() if key != "letters"}
    return Phrase("start.done")


def _keep(player: Player, key: str, value: str) -> None:
    player.settings = {**player.settings, key: value}


SETTINGS: dict[str, Callable[[Player, str], Told]] = {
    "lang": _lang,
    "zone": _zone,
    "format": _format,
    "remind": _remind,
    "name": _name,
    "stop": _stop,
    "start": _start,
}
