"""Phrases in words: gettext catalogues, read from ``locale/<language>/*.po``.

Keys are message ids, so English is a translation like the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import NoReturn

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from corr.render.plain import tidy
from corr.resources import templates
from engines.api import Outcome, Phrase, Seat, Value

Folders = tuple[Path, ...]
"""Template folders that games bring along, laid out like ``templates/``."""


class _Missing(NullTranslations):
    """Asked last: a key is never shown in place of its words."""

    def gettext(self, message: str) -> NoReturn:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise KeyError(msgid1)


@cache
def catalogue(locale: str, extra: Folders = ()) -> Translations:
    """Return all phrases of a language; ValueError for a language without any."""
    folders = (folder / "locale" / locale for folder in (templates(), *extra))
    paths = sorted(chain.from_iterable(folder.glob("*.po") for folder in folders))
    if not paths:
        raise ValueError(f"no phrases in language {locale!r}")
    first, *others = (_read(path, locale) for path in paths)
    for other in others:
        first.merge(other)
    first.add_fallback(_Missing())
    return first


def _read(path: Path, locale: str) -> Translations:
    compiled = BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=locale))
    compiled.seek(0)
    return Translations(compiled)


def word(phrase: Phrase, locale: str, names: Mapping[Seat, str], extra: Folders = ()) -> str:
    """Word a phrase for a reader of *locale*, to whom the seats are *names*.

    Values that are phrases are worded too, and ``seat`` becomes an alias.  An
    entry with a plural takes the form for the value ``n``.  KeyError for a key
    that the catalogues lack, or a value that the phrase lacks.
    """
    if not phrase.values:
        return fixed(phrase.key, locale, extra)
    if phrase.key == "seat":
        return _alias(phrase.values["number"], locale, names, extra)
    values = {key: _value(value, locale, names, extra) for key, value in phrase.values.items()}
    n = phrase.values.get("n")
    return _message(phrase.key, n if isinstance(n, int) else None, locale, extra).format_map(values)


def _value(value: Value, locale: str, names: Mapping[Seat, str], extra: Folders) -> str:
    if isinstance(value, Phrase):
        return word(value, locale, names, extra)
    if isinstance(value, tuple):
        return fixed("list.comma", locale, extra).join(word(each, locale, names, extra) for each in value)
    return str(value) if isinstance(value, int) else tidy(str(value))


@cache
def fixed(key: str, locale: str, extra: Folders) -> str:
    """Word a phrase without values: the signs of a board, headings.  KeyError for a key without words."""
    return catalogue(locale, extra).gettext(key).format()


@cache
def heading(key: str, locale: str, extra: Folders) -> str:
    """Word a phrase without values as the heading of a part of a plain text."""
    return word(Phrase("heading", {"title": Phrase(key)}), locale, {}, extra)


@lru_cache(maxsize=1_000)
def _message(key: str, n: int | None, locale: str, extra: Folders) -> str:
    """Return the form of a phrase for a number, or its only one."""
    phrases = catalogue(locale, extra)
    if n is not None:
        try:
            return phrases.ngettext(key, key, n)
        except KeyError:
            pass  # an entry without a plural
    return phrases.gettext(key)


def _alias(number: Value, locale: str, names: Mapping[Seat, str], extra: Folders) -> str:
    """Name a seat's holder, with the language's title (さん) once."""
    if not isinstance(number, int) or number not in names:
        return _message("seat.number", None, locale, extra).format(number=number)
    return _titled(names[Seat(number)], _message("seat", None, locale, extra))


@lru_cache(maxsize=200)  # a letter names its players again and again
def _titled(alias: str, form: str) -> str:
    title = form.removeprefix("{name}")
    return form.format(name=tidy(alias).removesuffix(title))


def reason(outcome: Outcome, engine: str, locale: str, extra: Folders = ()) -> str:
    """Word why a game ended: as the game itself says it, else as corr does."""
    phrases = catalogue(locale, extra)
    own = f"{engine}.outcome.{outcome.reason}"
    return phrases.gettext(own if known(phrases, own) else f"outcome.{outcome.reason}")


def option(engine: str, key: str, value: str, locale: str, extra: Folders = ()) -> str:
    """Word an option of a game and its value; a free value stands as it is, but not a whole file."""
    phrases, option_ = catalogue(locale, extra), f"{engine}.option.{key}"
    named = next((name for name in (f"{option_}.{value}", f"{option_}.file") if known(phrases, name)), None)
    worded = tidy(value) if named is None else phrases.gettext(named)
    return phrases.gettext("option").format(name=phrases.gettext(option_), value=worded)


def known(phrases: Translations, key: str) -> bool:
    """Tell whether the catalogues have words for a key."""
    try:
        phrases.gettext(key)
    except KeyError:
        return False
    return True
