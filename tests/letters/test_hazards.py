"""The hazards of mail by number, as docs/hazards.md lists them: those of reading, caused one by one.

Each letter is made of raw bytes and goes through the parser, the rules for quotes and the
words, as any letter does.
"""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corr.core import letter as limits
from corr.core.commands import Word
from corr.core.explain import explain
from corr.core.letter import Letter, read_letter
from corr.core.reading import read
from corr.core.talk import REPLY
from tests.letters.hostile import SHAPES

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "docs/hazards.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| H(\d+) \| (.+?) \| (.+?) \| (.+?) \|$", PAPER, re.MULTILINE)
TAG = "play+K7QX.14.3.5.h4nd2abcdefgh2345672@corr.example.org"
MARK = TAG.partition("+")[2].partition("@")[0]

HEAD = b"From: Aoi <aoi@example.org>\r\nTo: %b\r\nSubject: Re: [K7QX] Ukulele\r\nMIME-Version: 1.0\r\n"


def mail(fields: str, body: bytes = b"59-26\r\n") -> bytes:
    return HEAD % TAG.encode() + fields.encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def text(body: bytes, parameters: str = "charset=utf-8", coding: str = "8bit") -> bytes:
    return mail(f"Content-Type: text/plain; {parameters}\r\nContent-Transfer-Encoding: {coding}", body)


def parts(kind: str, *inside: bytes, border: bytes = b"border") -> bytes:
    """Return a container as a part."""
    body = b"".join(b"--" + border + b"\r\n" + part + b"\r\n" for part in inside)
    return b"Content-Type: multipart/%b; boundary=%b\r\n\r\n%b--%b--\r\n" % (
        kind.encode(),
        border,
        body,
        border,
    )


def part(kind: str, body: bytes, *fields: str) -> bytes:
    return (
        "\r\n".join([f"Content-Type: {kind}", *fields]).encode("utf-8", "surrogateescape")
        + b"\r\n\r\n"
        + body
    )


def whole(container: bytes) -> bytes:
    return HEAD % TAG.encode() + container


def words(raw: bytes) -> list[str]:
    return [line for line, _ in read(read_letter(raw)).lines]


PLAIN = part("text/plain", b"59-26")
FILE = 'Content-Disposition: attachment; filename="orders.txt"'
ARMOUR = b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n"

READ: dict[str, tuple[bytes, list[str]]] = {
    "H1": (
        mail("Content-Type: text/html", b"<div>59-26</div><div>Bye &amp; thanks</div>"),
        ["59-26", "Bye & thanks"],
    ),
    "H2": (
        whole(parts("alternative", part("text/plain", b" \r\n"), part("text/html", b"<p>59-26"))),
        ["59-26"],
    ),
    "H3": (
        whole(parts("mixed", PLAIN, part("image/png", b"x"), part("text/plain", b"resign"))),
        ["59-26", "resign"],
    ),
    "H4": (
        whole(
            parts(
                "alternative",
                part("text/html", b"<p>see the text"),
                parts("mixed", PLAIN, part("application/pdf", b"%PDF", FILE), border=b"inner"),
            )
        ),
        ["59-26"],
    ),
    "H7": (
        whole(parts("signed", PLAIN, part("application/pkcs7-signature; name=smime.p7s", b"MIIB"))),
        ["59-26"],
    ),
    "H8": (
        text(
            ARMOUR + b"- -3334FU\r\n59-26\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n"
            b"-----END PGP SIGNATURE-----\r\n"
        ),
        ["-3334FU", "59-26"],
    ),
    "H11": (
        whole(parts("mixed", PLAIN, part("message/rfc822", b"Subject: x\r\n\r\nresign"))),
        ["59-26"],
    ),
    "H12": (
        text(
            b"59-26\r\n\r\n---------- Forwarded message ---------\r\nFrom: Ben <ben@example.net>\r\n"
            b"Date: Mon, 30 Nov 2026\r\nSubject: x\r\nTo: aoi@example.org\r\n\r\nresign\r\n"
        ),
        ["59-26"],
    ),
    "H15": (
        text(b"say a long \r\nline\r\n> of an \r\n> old letter\r\n> 11-22 \r\n> more\r\n", "format=flowed"),
        ["a long line"],
    ),
    "H16": (text(b" 59-26\r\n From here\r\n >5\r\n", "format=flowed"), ["59-26", "From here", ">5"]),
    "H17": (
        text(b"59=\r\n=2D26=20\r\na = b\r\n", coding="quoted-printable"),
        ["59-26", "a = b"],
    ),
    "H18": (
        text(
            base64.b64encode(b"resign\r\n") + b"\r\n" + base64.b64encode(b"59-26\r\n") + b"\r\n",
            coding="base64",
        ),
        ["resign", "59-26"],
    ),
    "H19": (text("５９－２６".encode(), 'charset="x-unknown\0"'), ["59-26"]),
    "H20": (text("二六へ".encode("cp932"), "charset=iso-8859-1"), ["二六へ"]),
    "H21": (text(b"\x1b(I\x45\x45\x5b8L\x1b(B", "charset=iso-2022-jp", "7bit"), ["ナナロクフ"]),
    "H22": (text(b"\x1b$B\x2d\x21\x7c\x62\x1b(B", "charset=iso-2022-jp", "7bit"), ["1髙"]),
    "H23": (text("①髙～".encode("cp932"), "charset=shift_jis"), ["1髙~"]),
    "H24": (text("59−26\r\n５９－２６\r\n59〜26\r\n59～26".encode()), ["59-26", "59-26", "59~26", "59~26"]),
    "H27": (text(b"59\0-26"), ["59-26"]),
    "H29": (text("５９－２６\r\n5九-2六\r\n☗５九２六".encode()), ["59-26", "5九-2六", "☗5九2六"]),
    "H30": (text("59–26\r\n59—26\r\n“59‑26”\r\nO–O…".encode()), ["59-26", "59-26", '"59-26"', "O-O..."]),
    "H31": (text("5九ー2六\r\n59─26\r\nゲーム\r\n".encode()), ["5九-2六", "59-26", "ゲーム"]),
    "H32": (text("\ufeff59\u200b-\xa026\ufffc".encode()), ["59- 26"]),
    "H33": (text(b"Nf3.\r\nnf3\r\nRESIGN!\r\n"), ["Nf3.", "nf3", "RESIGN!"]),
    "H34": (text(b"-3334FU\r\n- A PAR-BUR\r\n"), ["-3334FU", "- A PAR-BUR"]),
    "H35": (text(b"From: e2\r\nTo: e4\r\n59-26\r\n"), ["From: e2", "To: e4", "59-26"]),
    "H36": (text(b"> 59-26\r\n"), ["> 59-26"]),
    "H37": (text(b"59-26\r\n***\r\n15-26\r\n--\r\n11-22\r\n"), ["59-26", "***", "15-26", "--", "11-22"]),
    "H39": (
        text(b"On 1 Dec 2026, corr <play@x.example> wrote:\r\n> 11-22\r\n> 33-44\r\n\r\n59-26\r\n"),
        ["59-26"],
    ),
    "H40": (text("59-26\r\n\r\niPhoneから送信\r\n15-26\r\n".encode()), ["59-26", "15-26"]),
    "H41": (text(b"59-26\r\n\r\n*-- *\r\nAoi K.\r\n"), ["59-26"]),
    "H42": (text(b"59-26\r\n\r\nThis e-mail is confidential.\r\nDestroy it.\r\n"), ["59-26"]),
}


@pytest.mark.parametrize("number", READ)
def test_what_was_typed_is_read(number: str) -> None:
    raw, typed = READ[number]
    assert words(raw) == typed


def test_h5_orders_only_in_a_file_are_kept_apart_for_where_the_body_has_none() -> None:
    small, large = part("text/plain", b"59-26", FILE), part("text/plain", b"59-26\r\n" * 4_000, FILE)
    assert read_letter(whole(parts("mixed", small))).attached == "59-26"
    assert read_letter(whole(parts("mixed", part("text/html", b"<p>see file"), small))).attached == "59-26"
    assert read_letter(whole(parts("mixed", large))).attached == ""
    assert read_letter(whole(parts("mixed", small, small))).attached == ""  # which of them?


CLOSED = {
    "H6 winmail.dat that cannot be read": (part("application/ms-tnef", b"\x78\x9f\x3e\x22junk"), "packed"),
    "H7 S/MIME, opaque": (part("application/pkcs7-mime; smime-type=signed-data", b"MIIB"), "packed"),
    "H9 S/MIME, encrypted": (part("application/pkcs7-mime; smime-type=enveloped-data", b"MIIB"), "encrypted"),
    "H9 PGP": (parts("encrypted", part("application/pgp-encrypted", b"Version: 1")), "encrypted"),
    "H9 PGP in line": (part("text/plain", b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM"), "encrypted"),
}


@pytest.mark.parametrize("hazard", CLOSED)
def test_what_nobody_here_can_open_is_no_empty_letter(hazard: str) -> None:
    """It has a flaw with a name, and the answer to it says what to do."""
    raw, flaw = CLOSED[hazard]
    letter = read_letter(whole(raw))
    assert (letter.flaw, letter.text, read(letter).lines) == (flaw, "", ())


def test_h6_text_beside_winmail_is_read() -> None:
    assert words(whole(parts("mixed", PLAIN, part("application/ms-tnef", b"\x78\x9f\x3e\x22junk")))) == [
        "59-26"
    ]


@pytest.mark.parametrize(
    ("container", "kind"),
    [
        (part("text/calendar; method=REPLY", b"BEGIN:VCALENDAR"), "text/calendar"),
        (
            parts("alternative", PLAIN, part("text/vnd.google.email-reaction+json", b"{}")),
            "text/vnd.google.email-reaction+json",
        ),
    ],
    ids=["H10", "H13"],
)
def test_answers_that_a_program_gives_are_known_by_their_parts(container: bytes, kind: str) -> None:
    """The intake ignores letters with such parts; see tests/core/test_intake.py."""
    assert kind in read_letter(whole(container)).kinds


def test_h13_a_lone_emoji_is_no_order_and_is_said_in_a_reply_to_talk() -> None:
    """A program may have sent it for the player, but he may mean it for the others: it is not dropped."""
    letter = read_letter(text("👍\r\n".encode()))
    assert (read(letter).words, read(letter).orders) == ((), ("👍",))
    assert read(letter, talk=True).words == (Word(REPLY, "👍"),)


SAFE_LINK = f"https://eur01.safelinks.example/?url=mailto%3Aplay%2B{MARK}%40corr.example.org&data=05"


@pytest.mark.parametrize(
    "said",
    [
        f"mailto:{TAG}?body=resign",
        SAFE_LINK,
        f"---------- Forwarded message ---------\nFrom: corr <{TAG}>\nTo: b@x\nSubject: y",
    ],
    ids=["H14 link", "H14 rewritten link", "H12 forward"],
)
def test_a_mark_in_the_text_gives_no_right(said: str) -> None:
    """Marks count in addresses and in ids of the thread, and nowhere else."""
    raw = text(f"59-26\r\n\r\n{said}\r\n".encode()).replace(
        b"To: " + TAG.encode(), b"To: play@corr.example.org"
    )
    assert explain(raw, read_letter(raw)).marks == ()
    assert explain(text(b"59-26"), read_letter(text(b"59-26"))).marks != ()


def header(name: str, value: bytes) -> Letter:
    return read_letter(name.encode() + b": " + value + b"\r\n\r\n59-26")


def test_h25_encoded_words_cut_inside_a_letter_are_joined() -> None:
    jis = "指し手".encode("iso2022_jp")
    cut = b"\r\n ".join(b"=?iso-2022-jp?B?" + base64.b64encode(run) + b"?=" for run in (jis[:4], jis[4:]))
    assert header("Subject", cut).subject == "指し手"


@pytest.mark.parametrize("charset", ["cp932", "utf-8", "euc_jp"])
def test_h26_raw_bytes_in_a_header_are_read_and_can_be_stored(charset: str) -> None:
    letter = header("Subject", "七六歩を指す".encode(charset))
    assert letter.subject == "七六歩を指す"
    assert all(value.encode() is not None for value in letter.headers.values())  # no lone surrogate


@pytest.mark.parametrize(
    "name",
    [
        b"filename*=iso-2022-jp'ja'%1B$B%3B",
        b"filename*0*=x-unknown''a; filename*1*=%FF",
        b'filename="=?utf-8?B?5oyH?="',
        b'filename="' + "指し手.txt".encode("cp932") + b'"',
        b"filename=\xff\xfe",
    ],
)
def test_h28_no_name_of_a_file_stops_a_letter(name: bytes) -> None:
    file = b"Content-Type: text/plain\r\nContent-Disposition: attachment; " + name + b"\r\n\r\n15-26"
    letter = read_letter(whole(parts("mixed", PLAIN, file)))
    assert (letter.text.strip(), letter.attached) == ("59-26", "15-26")


REFUSED = {
    "H70": (b"X: y\r\n\r\n" + b"x" * limits.MAX_BYTES, "too-big"),
    "H71": (whole(parts("mixed", *[PLAIN] * 101)), "too-many-parts"),
    "H72": (
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(21)),
        "too-deep",
    ),
    "H72 lines inside": (SHAPES["many lines in parts in parts"].made(230_000), "too-big"),
    "H73 lines": (b"X: y\r\n" * 1_002 + b"\r\n59-26", "header-flood"),
    "H73 bytes": (b"X: " + b"y" * limits.MAX_HEAD_BYTES + b"\r\n\r\n59-26", "header-flood"),
    "H73 parameters": (mail("Content-Type: text/plain" + "; a=b" * 5_000), "header-flood"),
}


@pytest.mark.parametrize("hazard", REFUSED)
def test_what_would_stop_the_parser_is_refused_before_it_is_parsed(hazard: str) -> None:
    raw, flaw = REFUSED[hazard]
    letter = read_letter(raw)
    assert (letter.flaw, letter.text) == (flaw, "")


@pytest.mark.parametrize(
    "value", [b"(" * 5_000, b"a@b.example, " * 300, b"=?utf-8?q?a?= " * 280, b'"' * 4_000]
)
def test_h72_h73_no_header_stops_a_letter(value: bytes) -> None:
    for name in ("From", "To", "Cc", "Subject", "References", "Return-Path"):
        assert header(name, value).text == "59-26"


# The list


def test_every_hazard_stands_once_in_the_list_in_order() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 74))


def test_every_test_in_the_list_exists_and_every_row_has_one() -> None:
    """Collected as pytest would run them, cases and all."""
    named = [re.findall(r"`([\w/]+\.py::[^`]+)`", row[3]) for row in ROWS]
    assert all(named)
    nodes = sorted({node for row in named for node in row})
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *nodes],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_hazard_that_is_caused_here_is_named_here_in_the_list() -> None:
    causes = {re.match(r"H\d+", name) for group in (READ, CLOSED, REFUSED) for name in group}
    rows = {f"H{number}": where for number, _, _, where in ROWS}
    assert [found[0] for found in causes if found and "test_hazards.py" not in rows[found[0]]] == []
