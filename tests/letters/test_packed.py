"""What Outlook packs into a winmail.dat is read (MS-OXTNEF, MS-OXRTFCP, MS-OXRTFEX)."""

from __future__ import annotations

import base64
from struct import pack

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corr.core import rtf, tnef
from corr.core.letter import read_letter

CODE_PAGE, PROPERTIES, BODY, SUBJECT = 0x00069007, 0x00069003, 0x0002800C, 0x00018004
PLAIN, RICH, HTML, HTML_CODE_PAGE = 0x1000, 0x1009, 0x1013, 0x3FDE
EIGHT_BIT, UNICODE, BINARY, LONG, WORD, TIMES = 0x1E, 0x1F, 0x102, 0x03, 0x02, 0x1040

# The two examples of MS-OXRTFCP, 4.1: with steps back into what every text begins with, and into itself.
HELLO = (
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0",
    b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
)
CROSSING = ("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0", b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}")


def stream(*attributes: tuple[int, bytes]) -> bytes:
    """Return a winmail.dat of attributes of the letter, and of one file behind them."""
    written = (pack("<BII", 1, *_sized(one)) + one[1] + _sum(one[1]) for one in attributes)
    file = pack("<BII", 2, 0x0006800F, 6) + b"resign" + _sum(b"resign")
    return b"\x78\x9f\x3e\x22\x01\x00" + b"".join(written) + file


def _sized(attribute: tuple[int, bytes]) -> tuple[int, int]:
    return attribute[0], len(attribute[1])


def _sum(value: bytes) -> bytes:
    return pack("<H", sum(value) % 65536)


def properties(*written: bytes) -> tuple[int, bytes]:
    """Return the attribute that holds the properties."""
    return PROPERTIES, pack("<I", len(written)) + b"".join(written)


def sized(number: int, kind: int, value: bytes) -> bytes:
    """Write a property whose value says how long it is."""
    return pack("<HHII", kind, number, 1, len(value)) + value + b"\0" * (-len(value) % 4)


def code_page(number: int) -> tuple[int, bytes]:
    return CODE_PAGE, pack("<II", number, 0)


def compressed(rich: bytes) -> bytes:
    """Pack Rich Text as it is, eight bytes in a run: no step back is a compression too."""
    runs = b"".join(b"\0" + rich[at : at + 8] for at in range(0, len(rich), 8))
    return pack("<IIII", len(runs) + 12, len(rich), 0x75465A4C, 0) + runs


OTHERS = (
    pack("<HHI", LONG, 0x0017, 1),
    pack("<HHHH", WORD, 0x0E07, 1, 0),
    pack("<HHI", TIMES, 0x0039, 2) + b"\0" * 16,
    pack("<HH16sII", LONG, 0x8001, b"g" * 16, 0, 0x8503) + pack("<I", 0),
    pack("<HH16sII8s", LONG, 0x8002, b"g" * 16, 1, 6, "字名\0".encode("utf-16-le") + b"\0\0") + pack("<I", 0),
)
"""Properties of other types, and with names, that stand before the text."""


@pytest.mark.parametrize(
    "packed",
    [
        stream(
            properties(*OTHERS, sized(PLAIN, UNICODE, "59-26\r\n銀を動かします\r\n\0".encode("utf-16-le")))
        ),
        stream(
            code_page(932), properties(sized(PLAIN, EIGHT_BIT, "59-26\r\n銀を動かします\0".encode("cp932")))
        ),
        stream(code_page(932), (SUBJECT, b"x\0"), (BODY, "59-26\r\n銀を動かします\0".encode("cp932"))),
        stream(
            properties(
                pack("<HHI", LONG, HTML_CODE_PAGE, 65001),
                sized(HTML, BINARY, "<p>59-26</p><p>銀を動かします</p>".encode()),
            )
        ),
        stream(
            properties(
                sized(
                    RICH, BINARY, compressed("{\\rtf1\\ansicpg932 59-26\\par 銀を動かします}".encode("cp932"))
                )
            )
        ),
    ],
)
def test_the_text_is_read_in_each_of_its_forms(packed: bytes) -> None:
    assert tnef.text(packed).split() == ["59-26", "銀を動かします"]


def test_the_plain_text_comes_before_its_other_forms() -> None:
    forms = (sized(HTML, BINARY, b"<p>resign</p>"), sized(PLAIN, UNICODE, "59-26".encode("utf-16-le")))
    assert tnef.text(stream(properties(*forms))) == "59-26"


@pytest.mark.parametrize(
    "packed", [b"", b"x", b"\x78\x9f\x3e\x22\x01\x00", stream(), stream(properties(*OTHERS))]
)
def test_what_says_nothing_is_empty(packed: bytes) -> None:
    """Files that are packed with a letter are none of its words."""
    assert tnef.text(packed) == ""


@settings(deadline=None)
@given(st.binary(max_size=2_000))
@example(b"\x01\x03\x90\x06\x00\xff\xff\xff\xff\xff\xff\xff\xff\x02\x01\x09\x10\xff\xff\xff\xff")
def test_no_stream_raises(data: bytes) -> None:
    for packed in (data, b"\x78\x9f\x3e\x22\x01\x00" + data, stream(properties(data), (BODY, data))):
        assert isinstance(tnef.text(packed), str)


@settings(deadline=None)
@given(st.integers(0, 400))
def test_a_stream_that_ends_too_early_is_read_as_far_as_it_goes(length: int) -> None:
    whole = stream(properties(*OTHERS, sized(PLAIN, UNICODE, "59-26".encode("utf-16-le"))))
    assert "59-26".startswith(tnef.text(whole[:length]).rstrip("\ufffd"))


@pytest.mark.parametrize(("packed", "rich"), [HELLO, CROSSING])
def test_the_examples_of_the_specification_are_unpacked(packed: str, rich: bytes) -> None:
    assert rtf.unpacked(bytes.fromhex(packed)) == rich


def test_rich_text_may_be_stored_as_it_is() -> None:
    assert rtf.unpacked(pack("<IIII", 20, 8, 0x414C454D, 0) + b"{\\rtf1 }") == b"{\\rtf1 }"


@settings(deadline=None)
@given(st.binary(max_size=2_000))
def test_nothing_packed_raises_or_grows_beyond_its_bound(data: bytes) -> None:
    """A step is two bytes and gives seventeen at most."""
    for form in (b"LZFu", b"MELA", b"XXXX"):
        found = rtf.unpacked(b"\0" * 8 + form + b"\0" * 4 + data)
        assert len(found) <= 17 / 2 * (len(data) + 2)
        assert isinstance(rtf.to_text(found), str)


def test_only_so_much_of_a_bomb_is_unpacked() -> None:
    steps = b"".join(b"\xff" + b"\x00\x0f" * 8 for _ in range(20_000))
    assert len(rtf.unpacked(b"\0" * 8 + b"LZFu" + b"\0" * 4 + steps)) <= rtf.MOST + 8 * 17


@pytest.mark.parametrize(
    ("rich", "seen"),
    [
        (
            rb"{\rtf1{\fonttbl{\f0\fswiss Arial;}}{\colortbl;\red0;}{\info{\author Aoi}}59-26\par resign}",
            "59-26\nresign",
        ),
        (rb"{\rtf1 59\_26\line 4\'388-26}", "59-26\n488-26"),
        (rb"{\rtf1 a\{b\}c\\d\~e\-f\tab g\emdash h}", "a{b}c\\d ef\tg-h"),
        (rb"{\rtf1\uc1\u20116?\u-10179?\u-8704?x}", "五\U0001f600x"),
        (rb"{\rtf1\uc2\u37504\'8b\'e2{\f0\uc0\u12434}}", "銀を"),
        (rb"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 MS;}}\f1 \'8b\'e2\f0  26}", "銀 26"),
        (rb"{\rtf1{\fonttbl{\f1\fcharset128 MS;}}{\f1 \'8b\'e2}\'e9}", "銀é"),
        (rb"{\rtf1{\pict\bin5 }}}}}59}26}", "26"),
        (rb"59-26}}}}", "59-26"),
        (rb"{\rtf1 59-26", "59-26"),
        (b"{\\rtf1 59-\r\n26\\\r\nresign}", "59-26\nresign"),
        (
            rb"{\rtf1\fromhtml1{\*\htmltag64 <p>}\htmlrtf{\htmlrtf0 59-26\htmlrtf\par}\htmlrtf0 yes}",
            "59-26\nyes",
        ),
    ],
)
def test_of_rich_text_that_is_read_which_a_reader_sees(rich: bytes, seen: str) -> None:
    assert rtf.to_text(rich) == seen


@settings(deadline=None)
@given(st.text("{}\\'*~\r\nabu 0123456789-", max_size=300))
def test_no_rich_text_raises(rich: str) -> None:
    assert isinstance(rtf.to_text(rich.encode("latin-1")), str)


def letter(packed: bytes, kind: str = "application/ms-tnef") -> bytes:
    """Return a letter whose text is in a winmail.dat."""
    body = base64.encodebytes(packed).replace(b"\n", b"\r\n")
    return (
        b"From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: text/plain\r\n\r\n \r\n--b\r\nContent-Transfer-Encoding: base64\r\nContent-Type: "
        + kind.encode()
        + b"\r\n\r\n"
        + body
        + b"\r\n--b--\r\n"
    )


PACKED = stream(properties(*OTHERS, sized(PLAIN, UNICODE, "59-26".encode("utf-16-le"))))


@pytest.mark.parametrize(
    "kind",
    [
        "application/ms-tnef",
        'application/octet-stream; name="winmail.dat"',
        'application/octet-stream\r\nContent-Disposition: attachment; filename="WINMAIL.DAT"',
        'text/plain; name="winmail.dat"\r\nContent-Disposition: attachment',
    ],
)
def test_a_letter_whose_text_is_packed_is_read(kind: str) -> None:
    read = read_letter(letter(PACKED, kind))
    assert (read.text.strip(), read.flaw) == ("59-26", None)
    assert "application/ms-tnef" in read.kinds


@pytest.mark.parametrize("packed", [stream(), b"x", PACKED[:100]])
def test_a_letter_packed_without_a_text_is_a_flaw(packed: bytes) -> None:
    read = read_letter(letter(packed, 'application/octet-stream; name="winmail.dat"'))
    assert (read.text, read.flaw) == ("", "packed")
