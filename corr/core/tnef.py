"""The text of a letter inside a winmail.dat, in which Outlook packs it (TNEF, MS-OXTNEF).

A stream of attributes, of which one holds the properties of the letter; its files stand behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import error, unpack_from

from corr.core import rtf
from corr.core.charsets import decode
from corr.core.markup import to_text

_SIGNATURE = b"\x78\x9f\x3e\x22"
_HEADER, _LETTER = 6, 1  # bytes before the first attribute; the level of those that belong to no file

# Attributes: what old programs write the text in, and the code page of 8-bit text.
_BODY, _PROPERTIES, _CODE_PAGE = 0x0002800C, 0x00069003, 0x00069007
# Properties (MS-OXPROPS): the text in its three forms, and the code page of the HTML.
_PLAIN, _RICH, _HTML, _HTML_CODE_PAGE = 0x1000, 0x1009, 0x1013, 0x3FDE

_NAMED = 0x8000  # from here on, a property has a name
_SEVERAL = 0x1000  # of a type: more than one value
_UNICODE = 0x001F
_SIZED = frozenset({0x000D, 0x001E, _UNICODE, 0x0102})  # types whose values say how long they are
_WIDTHS = {
    **dict.fromkeys((0x0001, 0x0002, 0x0003, 0x0004, 0x000A, 0x000B), 4),
    **dict.fromkeys((0x0005, 0x0006, 0x0007, 0x0014, 0x0040), 8),
    0x0048: 16,
}


def text(data: bytes) -> str:
    """Return what the letter in *data* says, "" where it says nothing that can be read.

    Never raises, and takes a time in proportion to the length: each byte is looked at
    once, and what ends too early is read as far as it goes.
    """
    attributes = dict(_attributes(data)) if data.startswith(_SIGNATURE) else {}
    code_page = _label(attributes.get(_CODE_PAGE, b""))
    found = dict(_properties(attributes.get(_PROPERTIES, b"")))
    forms = (_plain(found, code_page), _said(attributes.get(_BODY, b""), code_page), *_marked_up(found))
    return next((form for form in forms if form.strip()), "")


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and value of the attributes of the letter itself."""
    at = _HEADER
    while at + 9 <= len(data) and data[at] == _LETTER:
        number, size = unpack_from("<II", data, at + 1)
        yield number, data[at + 9 : at + 9 + size]
        at += 9 + size + 2  # a checksum, which some programs get wrong


def _properties(data: bytes) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """Yield number, type and value of each property, as far as they can be followed."""
    at = 4  # behind their count
    try:
        while True:
            kind, number = unpack_from("<HH", data, at)
            at = _behind_name(data, at + 4) if number >= _NAMED else at + 4
            count = 1
            if kind & _SEVERAL or kind in _SIZED:
                (count,) = unpack_from("<I", data, at)
                at += 4
            for _ in range(count):
                size, start = _extent(data, kind & ~_SEVERAL, at)
                yield number, (kind, data[start : start + size])
                at = start + _padded(size)
    except (error, KeyError):  # the end, or a type that nobody knows
        return


def _behind_name(data: bytes, at: int) -> int:
    """Return where a property goes on behind its name: a set of names, and a number or a word in it."""
    worded, size = unpack_from("<II", data, at + 16)
    return at + 24 + (_padded(size) if worded else 0)


def _extent(data: bytes, kind: int, at: int) -> tuple[int, int]:
    """Return the size of a value, and where it begins; raises KeyError for an unknown type."""
    if kind in _SIZED:
        return unpack_from("<I", data, at)[0], at + 4
    unpack_from("<I", data, at)  # is there anything?
    return _WIDTHS[kind], at


def _padded(size: int) -> int:
    return size + -size % 4


def _plain(found: Mapping[int, tuple[int, bytes]], code_page: str) -> str:
    kind, value = found.get(_PLAIN, (0, b""))
    return _said(value, "utf-16-le" if kind == _UNICODE else code_page)


def _marked_up(found: Mapping[int, tuple[int, bytes]]) -> Iterator[str]:
    """Yield the text of the forms that hold more than text."""
    _, html = found.get(_HTML, (0, b""))
    if html:
        yield to_text(_said(html, _label(found.get(_HTML_CODE_PAGE, (0, b""))[1])))
    _, rich = found.get(_RICH, (0, b""))
    if rich:
        yield rtf.to_text(rtf.unpacked(rich))


def _said(value: bytes, code_page: str) -> str:
    return decode(value, code_page).rstrip("\0")


def _label(value: bytes) -> str:
    """Return the charset of a code page of Windows; what Python does not know is guessed by its looks."""
    return f"cp{int.from_bytes(value[:4], 'little')}"
