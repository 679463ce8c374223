"""Letters that somebody made to keep corr busy, of any size: one odd thing, many times over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import pack
from typing import TypeAlias

from corr.core import letter as limits

Maker: TypeAlias = Callable[[int], bytes]

HEAD = (
    b"From: Aoi <aoi@example.org>\r\nTo: play@corr.example.org\r\nSubject: Re: [K7QX] Ukulele\r\n"
    b"Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"
)
ATTRIBUTION = "On Mon, Nov 30, 2026 at 9:15 PM corr <play@corr.example.org> wrote:\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """A letter of a size, a size at which no limit cuts it off, and one at or near its limit."""

    made: Maker
    small: int
    large: int


def body(text: bytes, kind: str = "plain; charset=utf-8", coding: str = "8bit") -> bytes:
    """Put a body below the head."""
    fields = f"Content-Type: text/{kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
    return HEAD + fields.encode() + text


def _lines(line: str, large: int = 13_000, small: int = 120) -> Shape:
    """Repeat a line with its end."""
    return Shape(lambda n: body(line.encode() * n), small, large)


def _line(text: str, large: int = limits.MAX_TEXT) -> Shape:
    """Repeat what has no line end."""
    return Shape(lambda n: body(text.encode() * n), 400 // len(text), large // len(text))


def _wide(text: str, end: str = "\n") -> Shape:
    """Repeat lines that are as wide as a line may be."""
    return Shape(lambda n: body((text * (999 // len(text)) + end).encode() * n), 15, 65)


def _html(text: str, large: int = 5_000, small: int = 200) -> Shape:
    return Shape(lambda n: body(text.encode() * n, "html; charset=utf-8"), small, large)


def _headers(field: bytes, large: int = 60, small: int = 20) -> Shape:
    return Shape(lambda n: HEAD + field * n + b"\r\n59-15", small, large)


def _coded(text: bytes, coding: str, large: int = 900_000) -> Shape:
    return Shape(lambda n: body(text * n, coding=coding), 240 // len(text), large // len(text))


def _jis(run: bytes) -> Shape:
    return Shape(lambda n: body(b"\x1b$B" + run * n, "plain; charset=iso-2022-jp"), 200, 900_000 // len(run))


def _parts(head: bytes, text: bytes = b"59-15\r\n") -> Maker:
    part = b"--b\r\n" + head + b"\r\n\r\n" + text
    return lambda n: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * n + b"--b--"


def _nested(levels: int, rest: bytes = b"59-15\r\n") -> bytes:
    heads = (
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(levels)
    )
    return HEAD + b"".join(heads) + b"\r\n" + rest


def _attribute(number: int, value: bytes) -> bytes:
    return pack("<BII", 1, number, len(value)) + value + b"\0\0"


def _packed(attributes: bytes) -> bytes:
    """Put attributes into a winmail.dat that is all there is."""
    data = b"\x78\x9f\x3e\x22\0\0" + attributes
    coding = b"Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return HEAD + coding + data.replace(b"\r", b" ").replace(b"\n", b" ")


def _rich(form: bytes, text: bytes) -> bytes:
    """Pack Rich Text: *form* says whether it is compressed (MS-OXRTFCP)."""
    value = pack("<II", len(text) + 12, 9 << 20) + form + b"\0\0\0\0" + text
    return _packed(_attribute(0x00069003, pack("<IHHII", 1, 0x0102, 0x1009, 1, len(value)) + value))


SHAPES: dict[str, Shape] = {
    "many quote marks": _line(">", 4 * limits.MAX_TEXT),
    "quoted lines": _lines("> 59-15\n"),
    "deeply quoted lines": _lines(">" * 120 + " 59-15\n", 500),
    "quote marks with spaces": _line("> "),
    "blank lines": _lines("\n", 150_000),
    "lines of spaces": _wide(" "),
    "spaces before a word": _wide(" ", "x\n"),
    "one long line": _line("x", 9 << 20),
    "attributions": _lines(ATTRIBUTION, 1_000),
    "attributions without an end": _lines("On Monday at 10:00 somebody\n", 4_000),
    "the word On": _line("On "),
    "days of the week": _lines("Op maandag\n", 3_000),
    "heads of a letter": _lines("From: a@b.example\n", 5_000),
    "heads in blocks": _lines("From: a\nTo: b\nSent: c\n", 1_000, 40),
    "colons": _wide(":"),
    "signs of addresses": _wide("a@", ":\n"),
    "halves of addresses": _wide("a" * 99 + "@", ":\n"),
    "figures": _wide("1", ":\n"),
    "dates": _wide("1-1-", ":\n"),
    "verbs": _wide("wrote ", ":\n"),
    "signatures": _lines("-- \nTom\n", 20_000, 60),
    "dashes between games": _lines("--\n", 20_000),
    "rules": _lines("------------\n", 6_000),
    "boxes": _lines("------------\nx@example.org\n", 2_500, 60),
    "rules of two signs": _wide("-_", "\n"),
    "notices": _lines("Disclaimer\n", 6_000),
    "feet of phones": _lines("Sent from my iPhone\n", 3_000),
    "feet without an end": _wide("sent from my ", "\n"),
    "Japanese feet without an end": _wide("から送信 ", "\n"),
    "orders": _lines("59-15\n"),
    "codes of games": _lines("#K7QX\n", 12_000),
    "talk": _lines("say x\n", 12_000),
    "slashes": _lines("/say to a b c\n", 5_000),
    "names to whisper to": _wide("/say to a b ", "\n"),
    "ellipses": _wide("…", "x\n"),
    "full stops": _wide(".", "x\n"),
    "stars": _wide("*", "x\n"),
    "letters without width": _line("\u200b"),
    "accents": _line("\u0301"),
    "letters that unfold to many": _line("\ufdfa"),
    "halves of the marker": _lines("##- Reply above this line\n", 2_500),
    "armour": _lines("-----BEGIN PGP SIGNED MESSAGE-----\n", 1_800),
    "flowed": Shape(lambda n: body(b"x \r\n" * n, "plain; format=flowed"), 120, 150_000),
    "flowed and quoted": Shape(
        lambda n: body((b">" * 90 + b" x \r\n") * n, "plain; format=flowed"), 120, 10_000
    ),
    "unclosed tags": _html("<div>", 200_000),
    "unclosed quotes": _html("<blockquote>x", 80_000),
    "quotes in quotes": Shape(
        lambda n: body(b"<blockquote>x" * n + b"</blockquote>" * n, "html"), 200, 4_900
    ),
    "heads of Outlook in quotes": _html("<blockquote type=cite><div id=divRplyFwdMsg>x"),
    "tables in tables": _html("<table><tr><td>"),
    "tags in disorder": _html("<a><b><i><p>"),
    "links not closed": Shape(lambda n: body(b"<a>x<p>" * n + b"</a>" * n, "html"), 100, 3_300),
    "signs of tags": _html("<", 1_000_000),
    "words in pieces": _html("x<i>y</i>", 30_000),
    "words in pieces as they stand": Shape(lambda n: body(b"<pre>" + b"x<i>y</i>" * n, "html"), 200, 5_000),
    "hidden words": _html("<i hidden>x</i>"),
    "attributes": Shape(lambda n: body(b"<a " + b"x=1 " * n + b">", "html"), 200, 60_000),
    "attributes of Outlook": Shape(lambda n: _packed(_attribute(0x0006800F, b"") * n), 100, 45_000),
    "properties of Outlook": Shape(
        lambda n: _packed(_attribute(0x00069003, b"\1\0\0\0" + b"\x1e\0\1\1\1\0\0\0\0\0\0\0" * n)),
        100,
        40_000,
    ),
    "Rich Text that unfolds": Shape(lambda n: _rich(b"LZFu", b"\xff" + b"\x00\x1f" * 8 * n), 20, 25_000),
    "brackets in Rich Text": Shape(lambda n: _rich(b"MELA", b"{\\rtf1 " + b"{x" * n), 100, 200_000),
    "letters of Rich Text": Shape(lambda n: _rich(b"MELA", b"{\\rtf1 " + b"\\u65?" * n), 100, 80_000),
    "base64 in pieces": _coded(b"QQ==\r\n", "base64"),
    "padding of base64": _coded(b"=", "base64"),
    "base64 of megabytes": _coded(b"QUJD" * 19 + b"\r\n", "base64", 9 << 20),
    "soft breaks": _coded(b"=\r\n", "quoted-printable", 720_000),
    "stray equals signs": _coded(b"=", "quoted-printable"),
    "kanji in seven bits": _jis(b'%"'),
    "shifts of charset": _jis(b"\x1b(B\x1b$B"),
    "shifts in and out": _jis(b"\x0e\x0f"),
    "kanji in lines": _jis(b'\x1b$B%"\x1b(B\r\n'),
    "bytes of no charset": Shape(lambda n: body(b"\xff" * n), 400, 1_000_000),
    "half-width kana of no charset": Shape(lambda n: body(b"\xb1" * n), 400, 1_000_000),
    "zero bytes": Shape(lambda n: body(b"\0" * n), 400, 1_000_000),
    "carriage returns": Shape(lambda n: body(b"x\r" * n), 120, 150_000),
    "folded headers": Shape(lambda n: HEAD + b"X-A: y\r\n" + b" y\r\n" * n + b"\r\nx", 100, 980),
    "headers": _headers(b"X-Flood: " + b"y" * 200 + b"\r\n", 900, 100),
    "coded words": _headers(b"X-A: " + b"=?utf-8?q?a?= " * 280 + b"\r\n"),
    "beginnings of coded words": _headers(b"X-A: " + b"=?a?b?" * 660 + b"\r\n"),
    "raw bytes in headers": _headers(b"X-A: " + b"\x82\xa0" * 2_000 + b"\r\n"),
    "references": Shape(lambda n: HEAD + b"References: " + b"<a@b>\r\n " * n + b"\r\nx", 100, 980),
    "beginnings of references": _headers(b"References: " + (b"<" + b"a" * 399) * 10 + b"\r\n"),
    "recipients": _headers(b"To: " + b"a@b.example, " * 300 + b"\r\n"),
    "beginnings of recipients": _headers(b"Cc: " + b"a." * 2_000 + b"\r\n"),
    "quotes in recipients": _headers(b"Cc: " + b'"' + b'\\"' * 1_900 + b"\r\n"),
    "comments in the sender": Shape(
        lambda n: HEAD.replace(b"From: ", b"From: " + b"(" * n) + b"\r\nx", 100, 4_000
    ),
    "parameters": Shape(lambda n: HEAD + b"Content-Type: text/plain" + b"; a=b" * n + b"\r\n\r\nx", 100, 780),
    "parts": Shape(_parts(b"Content-Type: text/plain"), 40, 99),
    "parts of kilobytes": Shape(_parts(b"Content-Type: text/plain", b"x " * 5_000 + b"\r\n"), 3, 99),
    "parts of many lines": Shape(_parts(b"Content-Type: image/png", b"xx\r\n" * 2_400), 10, 99),
    "parts of HTML": Shape(_parts(b"Content-Type: text/html", b"<div>" * 100 + b"\r\n"), 10, 99),
    # The library's work goes with the square of the depth, of which there are at most twenty.
    "parts in parts": Shape(_nested, 19, 19),
    "many lines in parts in parts": Shape(lambda n: _nested(18, b"x\r\n" * n), 100, 230_000),
    "letters in letters": Shape(lambda n: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * n + b"x", 9, 19),
    "a border of dashes": Shape(
        lambda n: HEAD + b"Content-Type: multipart/mixed; boundary=-\r\n\r\n" + b"-" * n, 400, 9_000_000
    ),
    "lines like headers of parts": Shape(lambda n: HEAD + b"\r\n" + b"\ncontent-type:x" * n, 100, 150_000),
    "beginnings of borders": Shape(lambda n: HEAD + b"\r\n" + (b"boundary" + b" " * 1_000) * n, 20, 900),
    "too many bytes": Shape(lambda n: body(b"59-26\r\n" * n), 100, 1_600_000),
    "too many parts": Shape(_parts(b"Content-Type: text/plain"), 40, 100_000),
    "parts far too deep": Shape(_nested, 21, 1_000),
    "too many headers": _headers(b"X-Flood: \0 59-26\r\n", 500_000, 100),
    "letters far too deep": Shape(
        lambda n: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * n + b"x", 9, 100_000
    ),
}
"""By name.  At its large size a letter is one of the worst that come through, or is refused."""
