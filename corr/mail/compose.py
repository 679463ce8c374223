"""A letter as the bytes that are sent.  Pure: the same heading and texts give the same bytes.

The standard library encodes words and texts; the lines are put together here.  Its
own messages take every header apart again, letter by letter, and write an id of more
than 76 letters as an encoded word, in which no mail program looks for it.
"""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr
from functools import cache, lru_cache
from hashlib import sha256
from math import ceil
from typing import Literal
from unicodedata import combining, normalize

from corr.mail.addresses import wire_address

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MOST_REFERENCES = 10
_WIDEST = 76  # columns of a header's line
_LONGEST = 998  # octets of a line that goes as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What stands above a letter.  Ids are written with their angle brackets."""

    from_name: str
    from_address: str
    reply_to: str
    to_address: str
    subject: str
    message_id: str
    date: datetime  # aware
    kind: Literal["auto-generated", "auto-replied"]  # RFC 3834
    instance: str  # of corr, by which it knows its own letters
    in_reply_to: str | None = None
    references: Sequence[str] = ()  # oldest first; the first and the last nine are kept
    list_id: str | None = None  # "K7QX.corr.example.org"
    list_unsubscribe: str | None = None  # "mailto:…"


Format = Literal["html", "text", "text-jp"]
"""How a person wants letters: text and HTML, text alone, or text alone in ISO-2022-JP."""


def compose(heading: Heading, text: str, html: str, form: Format = "html") -> bytes:
    """Write a letter that says the same in plain text and in HTML, or in plain text alone.

    Line breaks and control characters in names, subjects and ids become spaces.
    ``text-jp`` is for phones and programs that know ISO-2022-JP only: what that cannot
    say is written with its nearest letters, or as 〓.  Raises ValueError for an address
    that cannot be written in ASCII, and for a date without a zone.
    """
    if form == "text-jp":
        text, heading = _japanese(text), _in_japanese(heading)
    charset = "iso-2022-jp" if form == "text-jp" else "utf-8"
    head = [*_address(heading, charset), *_thread(heading), *_machine(heading), "MIME-Version: 1.0"]
    body = _both(heading, text, html) if form == "html" else _part(text, "plain", charset)
    return "\r\n".join([*head, *body, ""]).encode("ascii")


def _both(heading: Heading, text: str, html: str) -> Iterator[str]:
    # Nobody can write it into a text beforehand: the id holds a signature that corr makes.
    border = "=_" + sha256(_line(heading.message_id).encode()).hexdigest()[:32]
    yield f'Content-Type: multipart/alternative;\r\n boundary="{border}"'
    yield ""
    for subtype, words in (("plain", text), ("html", html)):
        yield f"--{border}"
        yield from _part(words, subtype, "utf-8")
    yield f"--{border}--"


def _address(heading: Heading, charset: str) -> Iterator[str]:
    yield f"From: {_person(heading.from_name, wire_address(heading.from_address), charset)}"
    yield f"Reply-To: {wire_address(heading.reply_to)}"
    yield f"To: {wire_address(heading.to_address)}"
    yield f"Subject: {_encoded(_line(heading.subject), 'Subject', charset)}"
    if heading.date.tzinfo is None:
        raise ValueError("The date of a letter has a zone")
    yield f"Date: {format_datetime(heading.date)}"


def _thread(heading: Heading) -> Iterator[str]:
    yield _ids("Message-ID", heading.message_id)
    if heading.in_reply_to:
        yield _ids("In-Reply-To", heading.in_reply_to)
    ids = heading.references
    if len(ids) > _MOST_REFERENCES:
        ids = (ids[0], *ids[1 - _MOST_REFERENCES :])
    if ids:
        yield _ids("References", *ids)


def _machine(heading: Heading) -> Iterator[str]:
    """Say that a program wrote it, so that no program answers."""
    yield f"Auto-Submitted: {heading.kind}"
    yield "X-Auto-Response-Suppress: All"
    yield _ids("X-Corr-Instance", heading.instance)
    if heading.list_id:
        yield _ids("List-Id", f"<{_line(heading.list_id)}>")
    if heading.list_unsubscribe:
        yield _ids("List-Unsubscribe", f"<{_line(heading.list_unsubscribe)}>")


def _part(words: str, subtype: str, charset: str) -> Iterator[str]:
    """Write a text in ASCII: as it is if it may go so, else in the shorter of two codings."""
    data = words.encode(charset).replace(b"\n", b"\r\n")
    bare = "\0" in words or "\r" in words
    coding, coded = _coded(data) if bare or not _goes_as_it_is(data) else ("7bit", data.decode("ascii"))
    yield f'Content-Type: text/{subtype}; charset="{charset}"'
    yield f"Content-Transfer-Encoding: {coding}"
    yield ""
    yield coded


def _goes_as_it_is(data: bytes) -> bool:
    """Tell whether lines are ASCII and short enough for mail (RFC 2045, 2.7); in ISO-2022-JP they are."""
    at, most = 0, _LONGEST + 2  # with CRLF
    while len(data) - at > _LONGEST:
        at = data.rfind(b"\n", at, at + most) + 1
        if not at:
            return False
    return data.isascii()


def _coded(data: bytes) -> tuple[str, str]:
    """Return the name of the shorter coding, and what it makes of *data*."""
    quoted = b2a_qp(data, istext=True).decode("ascii")
    in_base64 = 4 * ceil(len(data) / 3) + 2 * ceil(len(data) / 57)  # with the ends of its lines
    if len(quoted) <= in_base64:
        return "quoted-printable", quoted
    return "base64", encodebytes(data).decode("ascii").replace("\n", "\r\n")


def _person(name: str, address: str, charset: str) -> str:
    name = _line(name)
    plain = name.isascii()
    return formataddr((name, address)) if plain else f"{_encoded(name, 'From', charset)}\r\n <{address}>"


@lru_cache(maxsize=200)  # a subject is the same for a whole game
def _encoded(words: str, header: str, charset: str) -> str:
    used = "us-ascii" if words.isascii() else charset
    return Header(words, used, _WIDEST, header).encode(linesep="\r\n")


_NEAREST = str.maketrans(
    {"–": "-", "‐": "-", "—": "―", "－": "−", "～": "〜", "·": "・", "\xa0": " ", "☗": "▲", "☖": "△"}
    | dict.fromkeys("•↖↗↘↙", "・")
)


def _japanese(text: str) -> str:
    """Write a text with the letters that ISO-2022-JP has."""
    return "".join(map(_nearest, text.translate(_NEAREST)))


@cache
def _nearest(letter: str) -> str:
    """Return a letter, or what is left of it without accents and circles (NFKD), or the mark for none."""
    bare = "".join(part for part in normalize("NFKD", letter) if not combining(part))
    return next((words for words in (letter, bare) if words and _in_jis(words)), "〓")


def _in_jis(words: str) -> bool:
    try:
        words.encode("iso-2022-jp")
    except UnicodeEncodeError:
        return False
    return True


def _in_japanese(heading: Heading) -> Heading:
    return replace(
        heading, subject=_japanese(_line(heading.subject)), from_name=_japanese(_line(heading.from_name))
    )


def _ids(name: str, *ids: str) -> str:
    """Write ids and URLs one a line, which are neither cut nor encoded."""
    words = " ".join(map(_line, ids)).encode("ascii", "replace").decode().split()
    return f"{name}: " + "\r\n ".join(words)


def _line(words: str) -> str:
    return _BREAKS.sub(" ", words).strip()
