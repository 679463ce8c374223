"""A letter as the bytes that are sent.  Pure: the same heading and texts give the same bytes."""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email._header_value_parser import TokenList
from email.contentmanager import ContentManager
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from hashlib import sha256
from typing import Any, Literal

from corr.mail.addresses import wire_address

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MOST_REFERENCES = 10
_MACHINE_READ = (
    *("message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "x-corr-instance"),
    *("auto-submitted", "x-auto-response-suppress", "mime-version"),
)


class _Words(UnstructuredHeader, BaseHeader):
    """Ids and URLs, which are neither cut nor encoded.

    The standard library writes an id of more than 76 letters as an encoded
    word, in which no mail program looks for it, and its own parser of ids
    fails on some that are in use.
    """

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        """Keep the words as they are: the library would take them apart, letter by letter."""
        kwds["parse_tree"], kwds["decoded"] = TokenList(), value

    def fold(self, *, policy: Policy) -> str:
        words = "\r\n ".join(self.encode("ascii", "replace").decode().split())
        return f"{self.name}: {words}\r\n"


def _headers() -> HeaderRegistry:
    registry = HeaderRegistry()
    for name in _MACHINE_READ:
        registry.map_to_type(name, _Words)
    return registry


def _set_text(part: EmailMessage, text: str, subtype: str = "plain") -> None:
    """Write a text in ASCII, in the shorter of the two codings; the library codes letter by letter."""
    data = text.encode()
    coded = {"quoted-printable": b2a_qp(data, istext=True), "base64": encodebytes(data)}
    coding = min(coded, key=lambda name: len(coded[name]))
    part["Content-Type"] = f'text/{subtype}; charset="utf-8"'
    part["Content-Transfer-Encoding"] = coding
    part.set_payload(coded[coding].decode("ascii"))


_TEXTS = ContentManager()
_TEXTS.add_set_handler(str, _set_text)
_POLICY = EmailPolicy(header_factory=_headers(), linesep="\r\n", cte_type="7bit")


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
    letter = EmailMessage(policy=_POLICY)
    _address(letter, heading)
    _thread(letter, heading)
    _machine(letter, heading)
    letter.set_content(text, content_manager=_TEXTS)
    letter.add_alternative(html, subtype="html", content_manager=_TEXTS)
    letter.set_boundary("=_" + sha256(_line(heading.message_id).encode()).hexdigest()[:32])
    return letter.as_bytes()


def _address(letter: EmailMessage, heading: Heading) -> None:
    letter["From"] = Address(_line(heading.from_name), addr_spec=wire_address(heading.from_address))
    letter["Reply-To"] = Address(addr_spec=wire_address(heading.reply_to))
    letter["To"] = Address(addr_spec=wire_address(heading.to_address))
    letter["Subject"] = _line(heading.subject)
    if heading.date.tzinfo is None:
        raise ValueError("The date of a letter has a zone")
    letter["Date"] = heading.date


def _thread(letter: EmailMessage, heading: Heading) -> None:
    letter["Message-ID"] = _line(heading.message_id)
    if heading.in_reply_to:
        letter["In-Reply-To"] = _line(heading.in_reply_to)
    ids = heading.references
    if len(ids) > _MOST_REFERENCES:
        ids = (ids[0], *ids[1 - _MOST_REFERENCES :])
    if ids:
        letter["References"] = " ".join(map(_line, ids))


def _machine(letter: EmailMessage, heading: Heading) -> None:
    """Say that a program wrote it, so that no program answers."""
    letter["Auto-Submitted"] = heading.kind
    letter["X-Auto-Response-Suppress"] = "All"
    letter["X-Corr-Instance"] = _line(heading.instance)
    if heading.list_id:
        letter["List-Id"] = f"<{_line(heading.list_id)}>"
    if heading.list_unsubscribe:
        letter["List-Unsubscribe"] = f"<{_line(heading.list_unsubscribe)}>"


def _line(words: str) -> str:
    return _BREAKS.sub(" ", words).strip()
