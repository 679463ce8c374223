"""Whatever comes in, a letter comes out, and reading it again gives the same."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from corr.core import letter as limits
from corr.core.charsets import decode, decode_header
from corr.core.letter import Letter, read_letter
from corr.core.markup import to_text
from corr.core.quoting import new_lines

LETTERS = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.eml"))]
LABELS = st.sampled_from(
    [
        *(
            "utf-8",
            "us-ascii",
            "iso-2022-jp",
            "shift_jis",
            "euc-jp",
            "iso-8859-1",
            "gb2312",
            "utf-16",
            "utf-7",
            "x\0y",
        ),
        *("idna", "punycode", "unicode_escape", "rot13", "hex", "undefined", "utf-8''", '"'),
    ]
)
CODINGS = st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "BASE64 ", "\xff"])
HEADERS = st.sampled_from(
    ["From", "To", "Cc", "Subject", "Message-ID", "References", "Return-Path", "Content-Disposition"]
)


def whole(raw: bytes) -> Letter:
    """Read a letter as the service does, and check what holds for every one."""
    letter = read_letter(raw)
    new_lines(letter.text)
    assert len(letter.text) <= limits.MAX_TEXT
    assert letter.message_id.startswith("<")
    assert letter.message_id.endswith(">")
    for text in (
        letter.text,
        letter.attached,
        letter.subject,
        letter.sender,
        letter.sender_name,
        *letter.headers.values(),
    ):
        assert "\0" not in text
        text.encode()
    for address in (*letter.recipients, *letter.references):
        address.encode()
    return letter


@given(st.binary())
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    assert whole(raw) == whole(raw)


@given(st.sampled_from(LETTERS), st.integers(0, 5_000), st.integers(0, 40), st.binary(max_size=20))
def test_a_damaged_letter_is_a_letter(raw: bytes, at: int, length: int, instead: bytes) -> None:
    whole(raw[:at] + instead + raw[at + length :])


TYPES = st.sampled_from(["text/plain", "text/html", "message/rfc822", "message/x", "image/png", "text", ""])
EXTRAS = st.sampled_from(["", "; format=flowed", "; format=flowed; delsp=yes", "; name*=x'y'z", '; name="'])
KINDS = st.sampled_from([b"mixed", b"alternative", b"digest", b"signed", b""])
BOUNDARIES = st.sampled_from([b"a", b"b", b'"', b"", b"a b"])


def leaf(kind: str, label: str, extra: str, coding: str, body: bytes) -> bytes:
    head = f"Content-Type: {kind}; charset={label}{extra}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
    return head.encode("latin-1") + body


def container(kind: bytes, boundary: bytes, inner: list[bytes]) -> bytes:
    head = b"Content-Type: multipart/" + kind + b'; boundary="' + boundary + b'"\r\n\r\n'
    return head + b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in inner) + b"--" + boundary


LEAVES = st.builds(leaf, TYPES, LABELS, EXTRAS, CODINGS, st.binary(max_size=200) | st.text().map(str.encode))
PARTS = st.recursive(
    LEAVES, lambda inner: st.builds(container, KINDS, BOUNDARIES, st.lists(inner, max_size=3))
)


@given(st.lists(st.tuples(HEADERS, st.binary(max_size=60)), max_size=6), PARTS)
@settings(max_examples=300)
def test_any_mime_is_a_letter(headers: list[tuple[str, bytes]], part: bytes) -> None:
    head = b"".join(name.encode() + b": " + value.replace(b"\n", b"\n ") + b"\r\n" for name, value in headers)
    assert whole(head + part) == whole(head + part)


@given(
    st.text()
    | st.lists(st.sampled_from(["<blockquote>", "</div>", "<br>", "<pre>", "a", " ", "-- ", "<!--"])).map(
        "".join
    )
)
def test_any_html_is_text(html: str) -> None:
    to_text(html).encode()


@given(st.binary(), LABELS)
def test_any_bytes_are_text(data: bytes, label: str) -> None:
    decode(data, label).encode()


@given(st.text(st.sampled_from("=?utf-8ISO202JPBbQq_ \r\nA\udcff\udc82")))
def test_any_header_is_text(value: str) -> None:
    decode_header(value).encode()


FURNITURE = st.sampled_from(
    [
        *(
            "> a",
            "",
            "-- ",
            "--",
            "59-15",
            "On 1 Dec 2026, x@example.org wrote:",
            "From: a@example.org",
            "To: b",
            "Subject: c",
        ),
        *(
            "________",
            "________________________",
            "Sent from my iPhone",
            "Date: 2026",
            "Disclaimer",
            "resign",
            ">",
            "x <",
            "y@z>:",
        ),
    ]
)


@given(st.lists(FURNITURE, max_size=12))
def test_cutting_only_takes_away_and_a_second_cut_takes_no_order(lines: list[str]) -> None:
    once = new_lines("\n".join(lines)).lines
    rest = iter(lines)
    assert all(line in rest for line in once)  # in their order
    again = new_lines("\n".join(once)).lines
    assert set(again) <= set(once)
