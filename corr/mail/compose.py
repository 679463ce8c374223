"""A letter as the bytes that are sent.  Pure: the same heading and texts give the same bytes.

The standard library encodes words and texts; the lines are put together here.  Its
own messages take every header apart again, letter by letter, and write an id of more
than 76 letters as an encoded word, in which no mail program looks for it.
"""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr
from hashlib import sha256
from typing import Literal

from corr.mail.addresses import wire_address

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MOST_REFERENCES = 10
_WIDEST = 76  # columns of a header's line


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


def compose(heading: Heading, text: str, html: str) -> bytes:
    """Write a letter that says the same in plain text and in HTML.

    Line breaks and control characters in names, subjects and ids become spaces.
    Raises ValueError for an address that cannot be written in ASCII, and for a
    date without a zone.
    """
    border = "=_" + sha256(_line(heading.message_id).encode()).hexdigest()[:32]
    lines = [
        *_address(heading),
        *_thread(heading),
        *_machine(heading),
        "MIME-Version: 1.0",
        f'Content-Type: multipart/alternative;\r\n boundary="{border}"',
        "",
    ]
    for subtype, words in (("plain", text), ("html", html)):
        lines += [f"--{border}", *_part(words, subtype)]
    return "\r\n".join([*lines, f"--{border}--", ""]).encode("ascii")


def _address(heading: Heading) -> Iterator[str]:
    yield f"From: {_person(heading.from_name, wire_address(heading.from_address))}"
    yield f"Reply-To: {wire_address(heading.reply_to)}"
    yield f"To: {wire_address(heading.to_address)}"
    yield f"Subject: {_encoded(_line(heading.subject), 'Subject')}"
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


def _part(words: str, subtype: str) -> Iterator[str]:
    """Write a text in ASCII, in the shorter of the two codings."""
    data = words.replace("\n", "\r\n").encode()
    coded = {
        "quoted-printable": b2a_qp(data, istext=True).decode("ascii"),
        "base64": encodebytes(data).decode("ascii").replace("\n", "\r\n"),
    }
    coding = min(coded, key=lambda name: len(coded[name]))
    yield f'Content-Type: text/{subtype}; charset="utf-8"'
    yield f"Content-Transfer-Encoding: {coding}"
    yield ""
    yield coded[coding]


def _person(name: str, address: str) -> str:
    name = _line(name)
    return formataddr((name, address)) if name.isascii() else f"{_encoded(name, 'From')}\r\n <{address}>"


def _encoded(words: str, header: str) -> str:
    charset = "us-ascii" if words.isascii() else "utf-8"
    return Header(words, charset, _WIDEST, header).encode(linesep="\r\n")


def _ids(name: str, *ids: str) -> str:
    """Write ids and URLs one a line, which are neither cut nor encoded."""
    words = " ".join(map(_line, ids)).encode("ascii", "replace").decode().split()
    return f"{name}: " + "\r\n ".join(words)


def _line(words: str) -> str:
    return _BREAKS.sub(" ", words).strip()
