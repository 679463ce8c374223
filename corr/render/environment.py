"""The one Jinja2 environment, and what templates may call.

A template sees a page and its reader; the filters need nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    pass_context,
    pass_environment,
    select_autoescape,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

from corr.core.passages import nearest_passages
from corr.core.quoting import MARKER
from corr.render import board, catalogue, links, moment, styles
from corr.render.compiler import Compiler
from corr.render.plain import tidy
from corr.resources import templates
from engines.api import Outcome, Phrase, Seat, Value, name


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads, and where an answer goes."""

    locale: str
    names: Mapping[Seat, str]
    zone: str = "UTC"
    now: datetime | None = None
    reply_to: str = ""
    subject: str = ""
    extra: catalogue.Folders = ()

    @property
    def mailbox(self) -> str:
        """The address of corr itself, without the mark: what a phone must let through."""
        local, _, domain = self.reply_to.rpartition("@")
        return f"{local.partition('+')[0]}@{domain}"


class _Context(Context):
    """Calls with what is given, and nothing else.

    Jinja2 asks each time what wants the context too, which nothing does; and it lets a macro
    escape as the template does that calls it, so that one in a plain text, called in HTML,
    would pass for HTML with all that players are called.
    """

    def call(
        self, called: Any, /, *args: Any, _loop_vars: object = None, _block_vars: object = None, **values: Any
    ) -> Any:
        return called(*args, **values)


class _Environment(Environment):
    """Makes templates that render quickly."""

    context_class = _Context
    code_generator_class = Compiler

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Give all templates the same globals: a chain of maps would be copied key by key for each letter."""
        return super().make_globals(d) if d else self.globals


@cache
def environment(extra: catalogue.Folders = ()) -> Environment:
    """Return the environment over corr's templates and those of further folders."""
    env = _Environment(
        loader=FileSystemLoader([templates(), *extra]),
        extensions=[styles.Styles],
        autoescape=cache(select_autoescape(["html"], default_for_string=False)),  # asked for each include
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
    )
    filters: dict[str, Any] = env.filters
    filters.update(
        cell=_cell,
        clock=_clock,
        heading=_heading,
        link=_link,
        mailto=_mailto,
        option=_option,
        pace=_pace,
        paragraphs=paragraphs,
        passages=nearest_passages,
        reason=_reason,
        styled=_styled,
        tidy=tidy,
        when=_when,
        worded=_worded,
    )
    variables: dict[str, Any] = env.globals
    variables.update(marker=MARKER, phrase=_phrase, seat=name, seats=_seats)
    return env


@lru_cache(maxsize=200)  # the advice at the end is the same in every letter
def paragraphs(text: str) -> Markup:
    """Set a plain text as HTML: paragraphs, lists and examples."""
    template = environment().get_template("layout/paragraphs.html")
    return template.make_module({"text": text}).__html__()


def _phrase(key: str, **values: Value) -> Phrase:
    """Make a phrase in a template."""
    return Phrase(key, values)


def _seats(numbers: Iterable[Seat]) -> tuple[Phrase, ...]:
    """Name several seats, in their order."""
    return tuple(name(number) for number in sorted(numbers))


def _folder(context: Context) -> str:
    """Return the folder of the template that asks."""
    return (context.name or "").rpartition("/")[0]


def _reader(context: Context) -> Reader:
    reader = context.parent["reader"]  # given to all templates, set in none
    assert isinstance(reader, Reader)
    return reader


@pass_context
def _worded(context: Context, said: Phrase | str) -> str:
    """Word a phrase, or one without values by its key."""
    reader = _reader(context)
    if isinstance(said, str):
        return catalogue.fixed(said, reader.locale, reader.extra)
    return catalogue.word(said, reader.locale, reader.names, reader.extra)


@pass_context
def _heading(context: Context, key: str) -> str:
    reader = _reader(context)
    return catalogue.heading(key, reader.locale, reader.extra)


@pass_context
def _reason(context: Context, outcome: Outcome, engine: str) -> str:
    reader = _reader(context)
    return catalogue.reason(outcome, engine, reader.locale, reader.extra)


@pass_context
def _option(context: Context, value: str, engine: str, key: str) -> str:
    reader = _reader(context)
    return catalogue.option(engine, key, value, reader.locale, reader.extra)


@pass_context
def _when(context: Context, instant: datetime) -> str:
    reader = _reader(context)
    assert reader.now is not None  # a letter has a time; a board alone tells none
    return moment.when(instant, reader.now, reader.locale, reader.zone)


@pass_context
def _clock(context: Context, instant: datetime) -> str:
    reader = _reader(context)
    return moment.clock(instant, reader.locale, reader.zone)


@pass_context
def _pace(context: Context, rule: str) -> str:
    return moment.pace(rule, _reader(context).locale)


@pass_context
def _mailto(context: Context, words: str) -> str | None:
    reader = _reader(context)
    return links.mailto(words, reader.reply_to, reader.subject)


@pass_context
def _link(context: Context, words: str, label: str, look: str = "button") -> str:
    """Write a link that opens a reply with *words*, or the label alone where that would be too long."""
    href = _mailto(context, words)
    if not href:
        return label
    style = styles.style(context.environment, _folder(context), "", "a", look)
    return Markup(f'<a class="{look}"{style} href="{escape(href)}">{escape(label)}</a>')  # noqa: S704


@pass_environment
def _styled(env: Environment, looks: str, folder: str, around: str, name: str) -> Markup:
    return styles.style(env, folder, around, name, looks)


@pass_context
def _cell(context: Context, text: str, columns: int) -> str:
    return board.cell(text, columns, _reader(context).locale)
