"""A letter as it came from the wire, read once into plain values."""

from __future__ import annotations

import hashlib
import quopri
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import getaddresses
from functools import cache, lru_cache
from typing import NamedTuple, cast

from corr.core import tnef
from corr.core.charsets import decode, decode_header, from_base64
from corr.core.markup import to_text

# Above these a letter is no letter of a player, and parsing it would cost seconds.
MAX_BYTES = 10 << 20
MAX_LINES = 160_000  # base64 of MAX_BYTES is 140,000
MAX_HEAD_BYTES = 256 << 10
MAX_HEAD_LINES = 1_000
MAX_DEPTH = 20
MAX_PARTS = 100
MAX_TEXT = 64 << 10  # characters of text that are read
MAX_HEADER = 4 << 10  # characters of one header that are read
MAX_REMEMBERED = 128 << 10  # bytes of a letter of which it is remembered for a while how it reads
MAX_ATTACHED = 16 << 10  # bytes of a text file that is read in place of a body
_PKCS7 = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})  # Outlook's winmail.dat
_PACKED_NAME = "winmail.dat"
_MAX_CODED = 512 << 10  # bytes of all text parts as they are transferred
_MAX_LISTED = 64 << 10  # characters of headers that list ids or addresses
_MAX_IDS = 200
_MAX_PIECES = 100  # of one base64 text
_MAX_LOOKS = 1_000_000  # the parser compares each line with the boundary of each container

_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_ID = re.compile(r"<[^<>\s@]{1,400}@[^<>\s@]{1,400}>")
_ADDRESS = re.compile(r'(?:"(?:[^"\\\r\n]|\\.){1,64}"|[^\s<>()\[\],;:"@]{1,128})@[^\s<>()\[\],;:"@]{1,255}')
_END_OF_HEAD = re.compile(rb"\r\n\r?\n|\n\r?\n|\r\r")
# Tried on bytes in lower case: patterns that begin with plain letters are found ten times as fast.
_FIELD = re.compile(rb"\ncontent-[a-z-]{1,40}:[^\n]*(?:\n[ \t][^\n]*)*")
_BOUNDARY = re.compile(rb"boundary\*?0?\*?\s*=\s*\"?([^\";\r\n]{1,80})")
_ENCLOSED = re.compile(rb"content-type:\s*message/")
_BASE64_LINES = re.compile(rb"[A-Za-z0-9+/\s]+={0,2}\s*")


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter.  Nothing in it proves anything: every header can be forged."""

    message_id: str  # as written, in <>; made from the raw letter where there is none
    sender: str  # the bare address of From as written; "" if there is none, or more than one
    sender_name: str
    subject: str
    recipients: tuple[str, ...]  # every address that the letter was sent or delivered to, tags kept
    references: tuple[str, ...]  # ids of In-Reply-To, then of References from the newest; no doubles
    return_path: str | None  # "" is the empty path of bounces; None: no such header
    headers: Mapping[str, str]  # by lower-case name the first value, decoded, at most 4,096 characters
    fields: tuple[tuple[str, str], ...]  # every header from the top: lower-case name, value as written
    text: str  # the body as text, at most 65,536 characters; lines end in "\n"
    attached: str  # one attached text file of at most 16 KiB, else ""
    content_type: str  # of the whole letter: "multipart/report"
    kinds: frozenset[str]  # the types of its parts that are no containers: "text/calendar"
    # why no body was read: too-big, too-deep, too-many-parts, header-flood, encrypted, packed
    flaw: str | None
    content_key: str  # SHA-256, hexadecimal, over Message-ID, From and body: the same letter twice


def read_letter(raw: bytes) -> Letter:
    """Read the letter *raw* (RFC 5322 with MIME, or whatever else came).

    Never raises, and takes a bounded time: the bytes are counted before they are
    parsed.  A letter with a flaw has headers, but no text.
    """
    return _read_again(raw) if len(raw) <= MAX_REMEMBERED else _read(raw)


@lru_cache(maxsize=50)
def _read_again(raw: bytes) -> Letter:
    """Read a letter once for those who keep it and for those who work on it soon after."""
    return _read(raw)


def _read(raw: bytes) -> Letter:
    flaw = _precheck(raw)
    if flaw is None:
        try:
            return _parsed(raw)
        except RecursionError:
            flaw = "too-deep"
    return _letter(raw, _head(raw), _Bodies(), flaw)


def _parsed(raw: bytes) -> Letter:
    message = BytesParser(policy=compat32).parsebytes(raw)
    head = _Head.of(message)  # before the bodies are read, which takes a field out
    bodies = _bodies(message)
    flaw = _sealed(head, bodies)
    return _letter(raw, head, _Bodies() if flaw else bodies, flaw)


def _precheck(raw: bytes) -> str | None:
    """Find what would make the parser slow, by counting in the bytes."""
    if len(raw) > MAX_BYTES:
        return "too-big"
    end = _END_OF_HEAD.search(raw, 0, MAX_HEAD_BYTES + 4)  # what ends later is too long
    head = raw[: end.start()] if end else raw
    folded = b"\n" + raw.lower()
    longest = max((len(field[0]) - 1 for field in _each(_FIELD, b"\ncontent-", folded)), default=0)
    if len(head) > MAX_HEAD_BYTES or _lines(head) > MAX_HEAD_LINES or longest > MAX_HEADER:
        return "header-flood"
    places = [found.span(1) for found in _each(_BOUNDARY, b"boundary", folded)]
    boundaries = [raw[start - 1 : end - 1] for start, end in places]
    if len(boundaries) > MAX_DEPTH or sum(1 for _ in _each(_ENCLOSED, b"message/", folded)) > MAX_DEPTH:
        return "too-deep"
    if _parts(raw, boundaries) > MAX_PARTS:
        return "too-many-parts"
    most = min(MAX_LINES, _MAX_LOOKS // max(1, len(boundaries)))
    return "too-big" if len(raw) > most and _lines(raw) > most else None  # counted if they can be so many


def _each(pattern: re.Pattern[bytes], word: bytes, text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the matches of a pattern that has a word in it; none is sought behind the last of these."""
    at, last = 0, text.rfind(word)
    while at <= last and (found := pattern.search(text, at)):
        at = found.end()
        yield found


def _lines(raw: bytes) -> int:
    return max(raw.count(b"\n"), raw.count(b"\r"))


def _parts(raw: bytes, boundaries: list[bytes]) -> int:
    """Count the borders of parts, if there can be too many of them."""
    borders = [b"--" + boundary.strip() for boundary in boundaries]
    if sum(map(raw.count, borders)) <= MAX_PARTS:  # nearly always
        return 0
    either = b"|".join(map(re.escape, borders))
    return sum(1 for _ in re.finditer(rb"[\r\n](?:" + either + rb")", b"\n" + raw))


class _Head(NamedTuple):
    """The headers of a letter or of one of its parts, with lower-case names."""

    fields: list[tuple[str, str]]
    first: dict[str, str]  # of each name the first value, at most MAX_HEADER characters of it
    content_type: str

    @classmethod
    def of(cls, message: Message) -> _Head:
        """Take them as text; ``Message.get`` gives another type where there are 8-bit bytes."""
        fields = [(name.lower(), str(value)) for name, value in message.raw_items()]
        first: dict[str, str] = {}
        for name, value in fields:
            first.setdefault(name, value[:MAX_HEADER])
        return cls(fields, first, message.get_content_type())


def _head(raw: bytes) -> _Head:
    """Parse only as much of the headers as a letter may have."""
    end = _END_OF_HEAD.search(raw[:MAX_HEAD_BYTES])
    head = raw[: end.start() if end else MAX_HEAD_BYTES]
    lines = head.splitlines(keepends=True)[:MAX_HEAD_LINES]
    return _Head.of(BytesHeaderParser(policy=compat32).parsebytes(b"".join(lines)))


# Headers


def _letter(raw: bytes, head: _Head, bodies: _Bodies, flaw: str | None) -> Letter:
    fields = head.fields
    headers = {name: decode_header(value)[:MAX_HEADER] for name, value in head.first.items()}
    message_id = _message_id(headers.get("message-id", "")) or f"<{_digest(raw)}@missing.invalid>"
    sender, name = _sender([value[:MAX_HEADER] for key, value in fields if key == "from"])
    body = _digest(raw) if flaw else bodies.text
    return Letter(
        message_id=message_id,
        sender=sender,
        sender_name=name,
        subject=headers.get("subject", ""),
        recipients=_recipients(fields),
        references=_references(fields),
        return_path=_return_path(headers.get("return-path")),
        headers=headers,
        fields=tuple((name, value[:MAX_HEADER]) for name, value in fields),
        text=bodies.text,
        attached=bodies.attached,
        content_type=head.content_type,
        kinds=bodies.kinds,
        flaw=flaw,
        content_key=_key(message_id, headers.get("from", ""), body),
    )


def _key(*parts: str) -> str:
    return _digest("\0".join(parts).encode("utf-8", "replace"))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _message_id(value: str) -> str:
    found = _ID.search(value)
    if found:
        return found[0]
    bare = re.sub(r"[<>\s]", "", value)[:400]
    return f"<{bare}>" if bare else ""


def _sender(fields: list[str]) -> tuple[str, str]:
    """Return address and name of the one sender; two senders are none (RFC 5322 wants one *From*)."""
    found = [pair for value in fields for pair in _addresses(value)]
    if len(found) != 1:
        return "", ""
    name, address = found[0]
    return decode_header(address), decode_header(name)


def _addresses(value: str) -> list[tuple[str, str]]:
    plain = re.sub(r"[\r\n]+[ \t]*", " ", value)
    try:
        found = [pair for pair in getaddresses([plain]) if "@" in pair[1]]
    except (RecursionError, ValueError, IndexError):  # nested comments; see python/cpython#136063
        found = []
    return found or [("", address) for address in _ADDRESS.findall(plain)]


def _recipients(fields: list[tuple[str, str]]) -> tuple[str, ...]:
    """Find addresses by pattern: carriers and forwarders write these headers as they like."""
    ordered = [value for wanted in _RECIPIENTS for name, value in fields if name == wanted]
    listed = decode_header(", ".join(ordered)[:_MAX_LISTED])
    return tuple(dict.fromkeys(_ADDRESS.findall(listed)))


def _references(fields: list[tuple[str, str]]) -> tuple[str, ...]:
    answered = [found for name, value in fields if name == "in-reply-to" for found in _ids(value)]
    thread = [found for name, value in fields if name == "references" for found in _ids(value)]
    # Both ends of a long thread count: the newest id, and the oldest, which corr puts first.
    newest = thread[::-1]
    kept = newest if len(newest) <= _MAX_IDS else newest[: _MAX_IDS - 1] + newest[-1:]
    return tuple(dict.fromkeys(answered[:_MAX_IDS] + kept))


def _ids(value: str) -> list[str]:
    return _ID.findall(value[:MAX_HEAD_BYTES].encode("utf-8", "replace").decode())


def _return_path(value: str | None) -> str | None:
    if value is None:
        return None
    found = _ADDRESS.search(value)
    return found[0] if found else ""


# Bodies


@dataclass(frozen=True, slots=True)
class _Bodies:
    text: str = ""
    attached: str = ""
    kinds: frozenset[str] = frozenset()


def _bodies(message: Message) -> _Bodies:
    """Read every inline text part in order: programs split a body around a picture."""
    plain: list[str] = []
    html: list[_Coded] = []
    files: list[str] = []
    parts = list(_leaves(message))
    for coded in _texts(parts):
        head = coded.head
        attached = head.first.get("content-disposition", "").strip().lower().startswith("attachment")
        if head.content_type == "text/html":
            html += [] if attached else [coded]
        elif not attached:
            plain.append(_plain(head, coded.decoded))
        elif len(data := coded.decoded) <= MAX_ATTACHED:
            files.append(_plain(head, data))
    said = "\n".join(plain)
    if not said.strip():  # decoded only where it is read: it is the bigger part of most letters
        said = to_text("\n".join(_text(coded.head, coded.decoded) for coded in html))
    if not said.strip():
        said = _packed(parts)
    kinds = frozenset(_kind(part.head) for part in parts)
    return _Bodies(_unix(said)[:MAX_TEXT], files[0] if len(files) == 1 else "", kinds)


def _kind(head: _Head) -> str:
    """Return the type of a part; a winmail.dat is one under any label."""
    named = _PACKED_NAME in {_parameter(head, "name"), _parameter(head, "filename", "content-disposition")}
    return "application/ms-tnef" if named else head.content_type


def _packed(parts: Iterable[_Part]) -> str:
    """Return what Outlook has packed into a winmail.dat, of which the first counts."""
    part = next((part for part in parts if _kind(part.head) in _TNEF), None)
    return tnef.text(_coded(part, _MAX_CODED).decoded) if part else ""


class _Part(NamedTuple):
    """A part that is no container."""

    message: Message
    head: _Head


class _Coded(NamedTuple):
    """A text part as it was transferred."""

    head: _Head
    data: bytes
    coding: str
    cut: bool  # there was no room for all of it

    @property
    def decoded(self) -> bytes:
        """Its bytes; a cut may go through a character, and half of one would make the whole unreadable."""
        data = _payload(self.data, self.coding)
        return data.rstrip(bytes(range(0x80, 0x100))) if self.cut else data


def _texts(parts: Iterable[_Part]) -> Iterator[_Coded]:
    """Yield those with text, as long as there is room; what claims to have parts and has none is text.

    Its boundary was lost on the way.
    """
    room = _MAX_CODED
    for part in parts:
        kind = part.head.content_type
        if room and (kind in {"text/plain", "text/html"} or kind.startswith("multipart/")):
            coded = _coded(part, room)
            room -= len(coded.data)
            yield coded


def _coded(part: _Part, room: int) -> _Coded:
    """Take a part as it was transferred, or as much of it as there is room for."""
    coding = part.head.first.get("content-transfer-encoding", "").strip().lower()
    # Without this header the library hands out the bytes as they came; with it, it loses some.
    del part.message["content-transfer-encoding"]
    coded = part.message.get_payload(decode=True)
    raw = coded[:room] if isinstance(coded, bytes) else b""
    return _Coded(part.head, raw, coding, cut=len(raw) == room)


def _leaves(message: Message) -> Iterator[_Part]:
    """Yield the parts that are no containers; not the inside of an enclosed letter."""
    head = _Head.of(message)
    if head.content_type.startswith("message/"):
        return
    if not message.is_multipart():
        yield _Part(message, head)
        return
    for child in cast("list[Message]", message.get_payload()):
        yield from _leaves(child)


def _payload(raw: bytes, coding: str) -> bytes:
    if coding == "base64":
        return _base64_in_pieces(raw)
    return quopri.decodestring(raw) if coding == "quoted-printable" else raw


def _base64_in_pieces(raw: bytes) -> bytes:
    """Decode base64 to which a list server appended more, coded or plain.

    The library stops at the first ``=``.
    """
    if _BASE64_LINES.fullmatch(raw):  # nearly always
        return from_base64(raw)
    text = bytearray()
    for piece in re.split(rb"(?<==)(?=[^=\s])|(?<==)\s*\n(?=[^=])", raw, maxsplit=_MAX_PIECES):
        text += from_base64(piece) if _BASE64_LINES.fullmatch(piece) else b"\n" + piece
    return bytes(text)


def _plain(head: _Head, data: bytes) -> str:
    text = _unix(_text(head, data))
    if _parameter(head, "format") == "flowed":
        return _unflowed(text, joined=_parameter(head, "delsp") == "yes")
    return text


def _text(head: _Head, data: bytes) -> str:
    return decode(data, _parameter(head, "charset"))


def _parameter(head: _Head, name: str, header: str = "content-type") -> str:
    """Return a parameter of a header in lower case; RFC 2231 forms too, and nothing raises."""
    found = _named(name).search(head.first.get(header, ""))
    value = (found[1] or found[2] or "") if found else ""
    return value.rpartition("'")[2].strip().lower() if value.count("'") == 2 else value.strip().lower()


@cache
def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"[;\s]{name}(?:\*0?\*?)?\s*=\s*(?:\"([^\"]*)\"?|([^;\s]+))", re.IGNORECASE)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unflowed(text: str, *, joined: bool) -> str:
    """Join the lines that format=flowed broke (RFC 3676); *joined* is its DelSp."""
    lines: list[str] = []
    depth, flow = 0, ""
    for line in text.split("\n"):
        content = line.lstrip(">")
        quotes = len(line) - len(content)
        content = content.removeprefix(" ")  # space-stuffed
        if flow and (quotes != depth or content == "-- "):
            lines.append(_quoted(flow, depth))
            flow = ""
        depth = quotes
        if content.endswith(" ") and content != "-- ":
            flow += content[:-1] if joined else content
        else:
            lines.append(_quoted(flow + content, depth))
            flow = ""
    return "\n".join([*lines, _quoted(flow, depth)] if flow else lines)


def _quoted(content: str, depth: int) -> str:
    return ">" * depth + (" " + content if depth else content)


def _sealed(head: _Head, bodies: _Bodies) -> str | None:
    """Tell a letter that only its writer's own kind of program can open, and how it is closed."""
    if head.content_type in _PKCS7:
        signed = _parameter(head, "smime-type") in {"signed-data", "compressed-data"}
        return "packed" if signed else "encrypted"
    if head.content_type == "multipart/encrypted" or "-----BEGIN PGP MESSAGE-----" in bodies.text:
        return "encrypted"
    return "packed" if bodies.kinds & _TNEF and not bodies.text.strip() else None
