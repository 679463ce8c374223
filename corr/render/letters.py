"""Letters: a page in the words of its reader, as text and as HTML.

The prose is written once for each language, in ``<language>/<kind>.txt`` and, for
what kinds share, ``<language>/common.txt``.  Each of these templates sets named
pieces (headline, opening, duty, luck, reply, stop); the layouts put them together with
boards and links.  So the two parts of a letter cannot say different things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from wcwidth import clip

from corr.core.page import Page, Table
from corr.render.catalogue import Folders, catalogue
from corr.render.environment import Reader, environment
from corr.render.plain import spaced, tidy, wrapped
from engines.api import Seat, View

ALIAS_COLUMNS = 24
"""A name in a subject is cut here: subjects stand in every link of a letter."""

NOBODY: Mapping[Seat, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rendered:
    """A letter as its reader sees it; *html*, which is ASCII, says what *text* says."""

    subject: str
    text: str
    html: str


def render(
    page: Page, *, locale: str, zone: str, now: datetime, reply_to: str, extra: Folders = ()
) -> Rendered:
    """Word a page for a reader of *locale* ("en", "ja") in the IANA *zone*.

    *now* is an aware instant, from which deadlines are counted; *reply_to* the
    address, mark included, that links answer to; *extra* are the template folders
    of further games.  Raises where a template, a phrase or a value is missing.
    """
    names = page.table.names if page.table else NOBODY
    line = subject(page.table, locale, extra)
    reader = Reader(locale, names, zone, now, reply_to, line, extra)
    context = {"page": page, "reader": reader}
    env = environment(extra)
    context |= {"prose": _prose(page, context), "topics": _topics(page, context)}
    text = wrapped(env.get_template("layout/letter.txt").render(context), locale)
    html = env.get_template("layout/letter.html").render(context)
    return Rendered(line, text, _in_ascii(html))


def _in_ascii(html: str) -> str:
    """Write letters beyond ASCII as references (``&#8599;``): such a letter needs no coding on its way."""
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii")


def subject(table: Table | None, locale: str, extra: Folders = ()) -> str:
    """Return the subject, the same for a whole game: programs split a thread when it changes."""
    phrases = catalogue(locale, extra)
    if table is None:
        return phrases.gettext("subject.no-game")
    aliases = (clip(tidy(table.names[seat]), 0, ALIAS_COLUMNS) for seat in sorted(table.names))
    title = phrases.gettext(f"{table.engine}.title")
    return phrases.gettext("subject").format(code=table.code, title=title, names=" – ".join(aliases))


def render_view(view: View, locale: str, names: Mapping[Seat, str] = NOBODY, extra: Folders = ()) -> str:
    """Draw what one viewer may see as plain text, for a terminal; seats without a name are numbers."""
    context = {"view": view, "reader": Reader(locale, names, extra=extra)}
    return wrapped(environment(extra).get_template(f"engines/{view.template}.txt").render(context), locale)


def _prose(page: Page, context: Mapping[str, Any]) -> dict[str, str]:
    """Gather the pieces of prose: a kind's own before those that kinds share."""
    common = {"opening": "", "luck": ""} | _pieces("common", context)
    return common | _pieces(page.kind.value, {**context, "common": common})


def _pieces(name: str, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the pieces of text that one template of the reader's language sets."""
    reader: Reader = context["reader"]
    template = environment(reader.extra).get_template(f"{reader.locale}/{name}.txt")
    exported = vars(template.make_module(dict(context)))
    return {key: spaced(value) for key, value in exported.items() if key[0] != "_" and isinstance(value, str)}


def _topics(page: Page, context: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Render the topics that were asked for, in the order asked."""
    reader: Reader = context["reader"]
    env = environment(reader.extra)
    paths = ((topic, f"{reader.locale}/topics/{topic}.txt") for topic in page.topics)
    return [(topic, spaced(env.get_template(path).render(context))) for topic, path in paths]
