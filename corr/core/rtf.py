"""The text of a letter in Rich Text Format, as Outlook packs it into a winmail.dat.

Only what a reader sees as text: neither fonts nor pictures.  A letter that was HTML before
(MS-OXRTFEX) keeps its tags in groups that other programs skip, and so does this one.
"""

from __future__ import annotations

import re
from struct import error, unpack_from
from typing import NamedTuple

from corr.core.charsets import decode

MOST = 128 << 10
"""Bytes of Rich Text that are looked at: what is new in a letter stands at its beginning."""

# MS-OXRTFCP: what every compressed text may point back to, and how its two forms are marked.
_PRIMED = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    rb"\pard\plain\f0\fs20\b\i\u\tab\tx"
)
_COMPRESSED, _STORED = 0x75465A4C, 0x414C454D
_HEADER = 16  # bytes: two sizes, the form, a checksum
_WINDOW, _LONGEST = 4096, 17  # bytes: how far back, and how much, a step may reach

_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z'])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n\\]"
)
_SIGNS = {"~": b" ", "_": b"-", "-": b"", "\n": b"\n", "\r": b"\n"}
_LETTERS = {
    **dict.fromkeys(("par", "line", "sect", "page", "row"), b"\n"),
    **dict.fromkeys(("tab", "cell"), b"\t"),
    **dict.fromkeys(("lquote", "rquote"), b"'"),
    **dict.fromkeys(("ldblquote", "rdblquote"), b'"'),
    **dict.fromkeys(("endash", "emdash"), b"-"),
    "bullet": b"*",
}
_UNSEEN = frozenset({"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer"})
# What "\fcharset" means, as far as it is not the code page of the whole.
_CHARSETS = {
    number: f"cp{page}"
    for number, page in (
        *((128, 932), (129, 949), (134, 936), (136, 950), (161, 1253), (162, 1254)),
        *((177, 1255), (178, 1256), (186, 1257), (204, 1251), (238, 1250)),
    )
}


def unpacked(data: bytes) -> bytes:
    """Return the Rich Text in compressed *data* (MS-OXRTFCP), as far as it can be followed; never raises."""
    try:
        _, _, form = unpack_from("<III", data)
    except error:
        return b""
    if form == _STORED:
        return data[_HEADER : _HEADER + MOST]
    return _expanded(data) if form == _COMPRESSED else b""


def _expanded(data: bytes) -> bytes:
    """Follow runs of eight steps: a byte as it is, or so many bytes that stood so far back."""
    out = bytearray(_PRIMED)
    at = _HEADER
    while at < len(data) and len(out) < MOST:
        flags, at = data[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                out += data[at : at + 1]
                at += 1
                continue
            step = int.from_bytes(data[at : at + 2], "big")
            start = len(out) - (len(out) - (step >> 4)) % _WINDOW
            if at + 2 > len(data) or not 0 <= start < len(out):  # at its own place: the end
                return bytes(out[len(_PRIMED) :])
            out += (out[start : start + _LONGEST] * _LONGEST)[: (step & 15) + 2]
            at += 2
    return bytes(out[len(_PRIMED) :])


def to_text(rtf: bytes) -> str:
    """Return what a reader of *rtf* sees, its paragraphs on lines of their own; never raises."""
    page = _Page()
    source = rtf[:MOST].decode("latin-1")
    at = 0
    while found := _TOKEN.match(source, at):
        at = found.end() + page.read(found)
    return page.text()


class _Group(NamedTuple):
    """What holds between two braces."""

    seen: bool = True
    codec: str = ""  # of the font; "": that of the whole
    spare: int = 1  # letters behind a Unicode one, for programs that know none


class _Page:
    """Rich Text while it is read: groups within groups, and what has been seen."""

    def __init__(self) -> None:
        self._group = _Group()
        self._outer: list[_Group] = []
        self._codec = "cp1252"  # of the whole
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._skip = 0  # spare letters that are still to come
        self._bytes = bytearray()  # not yet decoded: a letter may have two
        self._pieces: list[str] = []

    def read(self, token: re.Match[str]) -> int:
        """Take one token; returns how many bytes follow that are no Rich Text."""
        if word := token["word"]:
            self._skip = 0
            number = int(token["number"] or 0)
            if word == "bin":
                return max(0, number)
            self._obey(word, number)
        elif token["brace"]:
            self._bracket(token["brace"])
        elif token["sign"] == "*":
            self._group = self._group._replace(seen=False)
        else:
            self._write(_letters(token))
        return 0

    def text(self) -> str:
        """Return what has been seen; the halves of letters that have two are joined."""
        self._decode()
        return "".join(self._pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _obey(self, word: str, number: int) -> None:
        if word in _LETTERS:
            self._write(_LETTERS[word])
        elif word in _UNSEEN:
            self._group = self._group._replace(seen=False)
        elif word == "u":
            self._unicode(number & 0xFFFF)
        elif word == "uc":
            self._group = self._group._replace(spare=max(0, number))
        else:
            self._choose(word, number)

    def _choose(self, word: str, number: int) -> None:
        """Note which code page is meant, of a font or of all."""
        if word == "ansicpg":
            self._codec = f"cp{number}"
        elif word == "f":
            self._decode()
            self._font, self._group = number, self._group._replace(codec=self._fonts.get(number, ""))
        elif word == "fcharset":
            self._fonts[self._font] = _CHARSETS.get(number, "")

    def _bracket(self, brace: str) -> None:
        self._skip = 0
        if brace == "{":
            self._outer.append(self._group)
        elif self._outer:
            outer = self._outer.pop()
            if outer.codec != self._group.codec:
                self._decode()
            self._group = outer

    def _unicode(self, number: int) -> None:
        self._decode()
        if self._group.seen:
            self._pieces.append(chr(number))
        self._skip = self._group.spare

    def _write(self, letters: bytes) -> None:
        kept = letters[self._skip :]
        self._skip = max(0, self._skip - len(letters))
        if self._group.seen:
            self._bytes += kept

    def _decode(self) -> None:
        if self._bytes:
            self._pieces.append(decode(bytes(self._bytes), self._group.codec or self._codec))
            self._bytes.clear()


def _letters(token: re.Match[str]) -> bytes:
    """Return the bytes that a token other than a word or a brace stands for."""
    if token["byte"]:
        return bytes.fromhex(token["byte"])
    sign = token["sign"] or ""
    return _SIGNS.get(sign, (sign or token["text"] or "").encode("latin-1"))
