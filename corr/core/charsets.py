"""Bytes to text, by what mail programs really write and not by what they say that they write."""

from __future__ import annotations

import base64
import binascii
import codecs
import quopri
import re
import string
from collections.abc import Iterator
from itertools import groupby

# What a label says, and the wider set that is meant.
_WIDER = {
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "big5": "cp950",
}
_ALIASES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "cp943c": "cp932",
    "ks_c_5601-1987": "cp949",
    "x-gbk": "gb18030",
}
# Codecs of Python that are no charset of mail: some are slow, some warn, some give no text.
_NO_CHARSETS = frozenset(
    {"ascii", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)
_LATIN = frozenset({"cp1252", "iso8859-15"})
# Full-width digits and letters, kana, and common kanji with two high bytes: what Latin text in
# code page 1252 does not hold, whatever its quotation marks look like.
_JAPANESE = re.compile(rb"\x82[\x4f-\x58\x60-\x79\x81-\x9a\x9f-\xf1]|\x83[\x40-\x96]|[\x88-\x9f][\x80-\xfc]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_UNASSIGNED = re.compile(
    "[\x80-\x9f\uf8f0-\uf8f3]"
)  # what code page 932 makes of bytes that it does not know
_SURROGATE = re.compile("[\ud800-\udfff]")

_ESCAPE = re.compile(rb"(\x1b\$\(?[@BDOQ]|\x1b\([BJIH]|\x0e|\x0f)")
_KANJI = frozenset({b"\x1b$@", b"\x1b$B"})
_KANA = frozenset({b"\x1b(I", b"\x0e"})
_EXTENDED = {b"\x1b$(D": "iso2022_jp_1", b"\x1b$(O": "iso2022_jp_3", b"\x1b$(Q": "iso2022_jp_2004"}

_NO_BASE64 = bytes(set(range(256)).difference(string.ascii_letters.encode(), string.digits.encode(), b"+/"))
_FOLD = re.compile(r"\r\n[ \t]*|\n[ \t]*|\r")
_WORD = re.compile(r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([bBqQ])\?([^?\s]{0,1000})\?=")


def decode(data: bytes, label: str | None) -> str:
    """Return *data* as text, whatever its charset label says; never raises.

    The label is tried first, then what the bytes look like: UTF-8, Shift_JIS
    (always with the extensions of Windows, code page 932), EUC-JP.  ISO-2022-JP
    is read as CP50221: with half-width kana and the characters of NEC and IBM.
    What nothing explains is replaced by U+FFFD.  NUL and lone surrogates go.
    """
    text = _decode(data, label).replace("\0", "")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _decode(data: bytes, label: str | None) -> str:
    if b"\x1b" in data and _ESCAPE.search(data):
        return _from_jis(data)
    codec = _codec(label)
    named = _strictly(data, codec) if codec else None
    if named is None or (codec in _LATIN and _JAPANESE.search(data)):
        return _guess(data) or named or data.decode("utf-8", "replace")
    if codec in _LATIN:
        return _strictly(data, "utf-8") or named
    return named


def _codec(label: str | None) -> str | None:
    """Return the codec that a label means; None where it means nothing."""
    name = (label or "").strip(" \t\"'").lower()
    try:
        name = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):  # ValueError: a NUL in the label
        return None
    return None if name.replace("-", "_") in _NO_CHARSETS else _WIDER.get(name, name)


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (LookupError, ValueError):  # LookupError: no text encoding; UnicodeError is a ValueError
        return None


def _guess(data: bytes) -> str | None:
    utf8 = _strictly(data, "utf-8")
    if utf8 is not None:
        return utf8
    readings = [text for text in (_strictly(data, "cp932"), _strictly(data, "euc_jp")) if text is not None]
    readings = [text for text in readings if not _UNASSIGNED.search(text)]
    # EUC-JP read as Shift_JIS is a row of half-width kana.
    return min(readings, key=lambda text: len(_HALF_WIDTH.findall(text)), default=None)


def _from_jis(data: bytes) -> str:
    text: list[str] = []
    shift = b"\x1b(B"
    for at, run in enumerate(_ESCAPE.split(data)):
        if at % 2:
            shift = run
        elif not run:
            continue
        elif shift in _EXTENDED:
            text.append((shift + run + b"\x1b(B").decode(_EXTENDED[shift], "replace"))
        elif shift in _KANJI:
            text.append(_kanji(run).decode("cp932", "replace"))
        elif shift in _KANA:
            text.append(bytes(b | 0x80 if 0x21 <= b <= 0x5F else b for b in run).decode("cp932", "replace"))
        else:
            text.append(run.decode("cp932", "replace"))
    return "".join(text)


def _kanji(run: bytes) -> bytes:
    """Turn pairs of seven-bit JIS into Shift_JIS; a line end shifts back to ASCII (RFC 1468)."""
    line, end, rest = run.partition(b"\n")
    pairs = bytearray()
    at = 0
    while at < len(line):
        if line[at] < 0x21 or at + 1 == len(line):
            pairs.append(line[at])
            at += 1
        else:
            pairs += _shifted(line[at] & 0x7F, line[at + 1] & 0x7F)
            at += 2
    return bytes(pairs) + end + rest


def _shifted(row: int, cell: int) -> bytes:
    """Return the Shift_JIS bytes of one character of JIS X 0208."""
    lead = ((row - 0x21) >> 1) + 0x81
    trail = cell + (0x1F if cell < 0x60 else 0x20) if row & 1 else cell + 0x7E
    return bytes((lead + 0x40 if lead > 0x9F else lead, trail & 0xFF))


def decode_header(value: str) -> str:
    """Return one header's value for reading, in one line; never raises.

    *value* is as the parser gives it, with surrogates for raw 8-bit bytes.
    Encoded words (RFC 2047) that stand side by side in one charset are joined
    before they are decoded: programs cut them inside a character.
    """
    plain = _FOLD.sub(" ", value)
    return ("".join(_pieces(plain)) if "=?" in plain else _raw(plain)).strip()


def _pieces(value: str) -> Iterator[str]:
    words = list(_WORD.finditer(value))
    at = 0
    for (charset, _), run in groupby(_numbered(value, words), key=lambda item: item[0]):
        group = [word for _, word in run]
        gap = value[at : group[0].start()]
        if gap.strip() or at == 0:
            yield _raw(gap)
        yield decode(b"".join(_word_bytes(word) for word in group), charset)
        at = group[-1].end()
    yield _raw(value[at:])


def _numbered(value: str, words: list[re.Match[str]]) -> Iterator[tuple[tuple[str, int], re.Match[str]]]:
    """Pair each word with its charset and a number that changes where text stands between two words."""
    number, end = 0, 0
    for word in words:
        number += bool(value[end : word.start()].strip())
        end = word.end()
        yield (word[1].lower(), number), word


def _word_bytes(word: re.Match[str]) -> bytes:
    data = word[3].encode("utf-8", "surrogateescape")
    if word[2] in "qQ":
        return quopri.decodestring(data.replace(b"_", b" "), header=False)
    return from_base64(data)


def from_base64(data: bytes) -> bytes:
    """Decode base64 that may lack its padding or end in the middle of a group."""
    whole = data.translate(None, _NO_BASE64)
    whole = whole[:-1] if len(whole) % 4 == 1 else whole
    try:
        return base64.b64decode(whole + b"=" * (-len(whole) % 4))
    except binascii.Error:
        return b""


def _raw(text: str) -> str:
    """Decode the 8-bit bytes that somebody wrote into a header without saying how."""
    if not text.isascii() and _SURROGATE.search(text):
        return decode(text.encode("utf-8", "surrogateescape"), None)
    return text.replace("\0", "")
