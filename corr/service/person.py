"""Settings of a person, which hold in all games; each is told back with its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from zoneinfo import available_timezones

from corr.core.commands import Word, language, letter_form, switch
from corr.core.names import LONGEST_NAME
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
    zones = {zone.casefold(): zone for zone in available_timezones()}
    zone = zones.get(argument.replace(" ", "_").casefold())
    if zone is None:
        return Problem("zone.unknown", {"words": argument})
    player.timezone = zone
    return Phrase("zone.set", {"zone": zone})


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
