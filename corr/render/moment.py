"""Instants and spans of time in words."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from corr.core.pace import allowance
from corr.render.catalogue import catalogue, word
from engines.api import Phrase, Problem


@lru_cache(maxsize=10)  # a letter names its deadline in the headline and again below
def when(instant: datetime, now: datetime, locale: str, zone: str) -> str:
    """Word an aware instant in the reader's IANA zone and as a span from *now*.

    "Thu 3 Dec 21:00 JST, in 2 days 4 hours".
    """
    key = "moment.future" if instant >= now else "moment.past"
    values = {"at": clock(instant, locale, zone), "span": span(abs(instant - now), locale)}
    return word(Phrase(key, values), locale, {})


@lru_cache(maxsize=200)  # a letter names its deadline again and again
def clock(instant: datetime, locale: str, zone: str) -> str:
    """Word an instant as a calendar and a clock in *zone* show it."""
    local = instant.astimezone(ZoneInfo(zone))
    pattern = catalogue(locale).gettext("moment.pattern")
    abbreviation = local.tzname() or ""
    # Zones without an abbreviation of their own give "-03"; babel's "GMT+9" would hide JST.
    prefix = "UTC" if abbreviation[:1] in "+-" else ""
    return f"{format_datetime(local, pattern, tzinfo=local.tzinfo, locale=locale)} {prefix}{abbreviation}"


def span(time: timedelta, locale: str) -> str:
    """Word a length of time by its largest unit and the next: "2 days 4 hours".

    From a day on it is rounded to hours, so that three days less a second read as three days.
    """
    minutes = time // timedelta(minutes=1)
    if minutes >= 1440:
        minutes = round(minutes / 60) * 60
    units = {"span.days": minutes // 1440, "span.hours": minutes // 60 % 24, "span.minutes": minutes % 60}
    if units["span.days"]:
        del units["span.minutes"]
    words = [word(Phrase(key, {"n": n}), locale, {}) for key, n in units.items() if n]
    phrases = catalogue(locale)
    if len(words) == 2:
        return phrases.gettext("span.joint").format(*words)
    return words[0] if words else phrases.gettext("span.moment")


def pace(rule: str, locale: str) -> str:
    """Word a pace as a length of time; a rule beyond a plain length stands as it is."""
    time = allowance(rule)
    return rule if isinstance(time, Problem) else span(time, locale)
