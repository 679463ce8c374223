"""The parts of a letter: headers, bodies, charsets, flaws (the hazards that mail is known for)."""

from __future__ import annotations

import base64

import pytest

from corr.core import letter as limits
from corr.core.charsets import decode, decode_header
from corr.core.letter import read_letter

JIS_KANA = b"\x1b(I\x45\x45\x5b8L\x1b(B"  # half-width kana and ASCII letters in one run, as phones send them
JIS_NEC = b"\x1b$B\x2d\x21\x7c\x62\x1b(B"  # a circled digit of NEC's and a kanji of IBM's


def mail(*headers: str, body: bytes = b"59-15\r\n") -> bytes:
    return "\r\n".join(headers).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def multipart(kind: str, *parts: tuple[str, bytes]) -> bytes:
    body = b"".join(b"--frontier\r\n" + head.encode() + b"\r\n\r\n" + text + b"\r\n" for head, text in parts)
    return mail(f"Content-Type: multipart/{kind}; boundary=frontier", body=body + b"--frontier--\r\n")


# Bodies


def test_a_body_split_around_a_picture_is_joined() -> None:
    parts = [
        ("Content-Type: text/plain", b"59-15"),
        ("Content-Type: image/png", b"x"),
        ("Content-Type: text/plain", b"resign"),
    ]
    assert read_letter(multipart("mixed", *parts)).text.split() == ["59-15", "resign"]


@pytest.mark.parametrize("plain", [b"", b" \r\n\r\n", b"\xc2\xa0\r\n"])
def test_html_is_read_where_the_plain_text_says_nothing(plain: bytes) -> None:
    parts = [("Content-Type: text/plain; charset=utf-8", plain), ("Content-Type: text/html", b"<p>59-15</p>")]
    assert read_letter(multipart("alternative", *parts)).text.split() == ["59-15"]


def test_html_is_not_read_beside_a_plain_text() -> None:
    parts = [("Content-Type: text/plain", b"59-15"), ("Content-Type: text/html", b"<p>resign</p>")]
    assert read_letter(multipart("alternative", *parts)).text.split() == ["59-15"]


def test_the_inside_of_an_enclosed_letter_is_not_read() -> None:
    enclosed = ("Content-Type: message/rfc822", b"Subject: x\r\n\r\nresign")
    assert read_letter(multipart("mixed", ("Content-Type: text/plain", b"59-15"), enclosed)).text.split() == [
        "59-15"
    ]


def test_an_attached_text_file_is_kept_apart() -> None:
    file = ('Content-Type: text/plain; name="orders.txt"\r\nContent-Disposition: attachment', b"59-15")
    letter = read_letter(multipart("mixed", ("Content-Type: text/plain", b"see file"), file))
    assert (letter.text.strip(), letter.attached.strip()) == ("see file", "59-15")
    big = (file[0], b"59-15 " * limits.MAX_ATTACHED)
    assert read_letter(multipart("mixed", big)).attached == ""


def test_the_kinds_of_parts_are_told_but_not_those_of_an_enclosed_letter() -> None:
    parts = [("Content-Type: text/calendar", b""), ("Content-Type: message/rfc822", b"\r\n\r\nresign")]
    letter = read_letter(multipart("mixed", ("Content-Type: text/plain", b"59-15"), *parts))
    assert letter.kinds == {"text/plain", "text/calendar"}


@pytest.mark.parametrize("claim", ["multipart/alternative; boundary=never", "multipart/mixed"])
def test_text_that_claims_to_have_parts_and_has_none_is_read(claim: str) -> None:
    assert read_letter(mail(f"Content-Type: {claim}")).text.split() == ["59-15"]


def test_what_outlook_packs_is_a_flaw_only_where_nothing_else_is_said() -> None:
    packed = ("Content-Type: application/ms-tnef", b"x")
    assert read_letter(multipart("mixed", ("Content-Type: text/plain", b" "), packed)).flaw == "packed"
    assert read_letter(multipart("mixed", ("Content-Type: text/plain", b"59-15"), packed)).flaw is None


def test_flowed_lines_are_joined_by_depth_and_the_signature_stays_alone() -> None:
    body = b"one long \r\nline\r\n> quoted \r\n> too\r\n plain\r\n-- \r\nAoi\r\n"
    text = read_letter(mail("Content-Type: text/plain; format=flowed", body=body)).text
    assert text == "one long line\n> quoted too\nplain\n-- \nAoi\n"


def test_delsp_joins_without_the_space() -> None:
    body = "長い \r\n行です\r\n".encode()
    assert (
        read_letter(mail("Content-Type: text/plain; format=flowed; delsp=yes; charset=utf-8", body=body)).text
        == "長い行です\n"
    )


def test_lines_that_are_not_flowed_keep_their_spaces() -> None:
    assert read_letter(mail("Content-Type: text/plain", body=b" 59-15 \r\n")).text == " 59-15 \n"


@pytest.mark.parametrize(
    "footer", [base64.b64encode(b"footer of a list"), b"-- \r\na list, <http://example.org>"]
)
def test_base64_is_read_beyond_its_first_padding(footer: bytes) -> None:
    body = base64.b64encode(b"resign\r\n") + b"\r\n" + footer + b"\r\n"
    text = read_letter(mail("Content-Type: text/plain", "Content-Transfer-Encoding: base64", body=body)).text
    assert text.startswith("resign\n")
    assert "a list" in text


def test_stray_equals_signs_in_quoted_printable_lose_nothing() -> None:
    body = b"59=2D15=20\r\na = b\r\nlong =\r\nline=\r\n"
    text = read_letter(
        mail("Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable", body=body)
    ).text
    assert text.splitlines() == ["59-15 ", "a = b", "long line"]


def test_nul_bytes_are_dropped() -> None:
    assert read_letter(mail("Subject: a\0b", body=b"59\x00-15")).text == "59-15"


# Charsets


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        ("７六歩".encode("iso2022_jp"), "ISO-2022-JP", "７六歩"),
        ("７六歩".encode("iso2022_jp"), "us-ascii", "７六歩"),
        (JIS_KANA, "iso-2022-jp", "ﾅﾅﾛｸﾌ"),
        (JIS_NEC, "iso-2022-jp", "①髙"),
        ("①髙～－".encode("cp932"), "Shift_JIS", "①髙～－"),
        ("７六歩".encode("cp932"), "iso-8859-1", "７六歩"),
        ("二六歩".encode("cp932"), "us-ascii", "二六歩"),
        ("７六歩です".encode(), "windows-1252", "７六歩です"),
        ("指し手は７六歩".encode("euc_jp"), None, "指し手は７六歩"),
        ("général, déjà vu".encode("latin-1"), "iso-8859-1", "général, déjà vu"),
        ("it’s – “e4”".encode("cp1252"), "iso-8859-1", "it’s – “e4”"),
        ("七六歩".encode(), "x-unknown\0", "七六歩"),
        (b"e4", "idna", "e4"),
        ("七六步".encode("gb2312"), "gb2312", "七六步"),
    ],
)
def test_bytes_are_read_as_they_were_meant(data: bytes, label: str | None, text: str) -> None:
    assert decode(data, label) == text


def test_what_nothing_explains_is_replaced() -> None:
    assert decode(b"e4 \xff\xff", None) == "e4 \ufffd\ufffd"


def test_encoded_words_cut_inside_a_character_are_joined() -> None:
    jis = "指し手".encode("iso2022_jp")
    words = [f"=?iso-2022-jp?B?{base64.b64encode(part).decode()}?=" for part in (jis[:4], jis[4:])]
    assert decode_header("Re: " + "\r\n ".join(words) + " [K7QX]") == "Re: 指し手 [K7QX]"


def test_encoded_words_of_two_charsets_and_text_between_are_kept_apart() -> None:
    assert decode_header("=?utf-8?Q?a_b=3D?= =?iso-8859-1?q?=E9?= c =?utf-8?B?5omL?=") == "a b=é c 手"


def test_raw_eight_bit_headers_hold_no_surrogates() -> None:
    letter = read_letter(
        b"Subject: " + "７六歩".encode("cp932") + b"\r\nFrom: \xff\xfe <a@example.org>\r\n\r\n"
    )
    assert letter.subject == "７六歩"
    assert letter.sender == "a@example.org"
    assert all(value.encode() is not None for value in letter.headers.values())


# Headers


def test_a_letter_without_an_id_gets_one_that_depends_on_all_of_it() -> None:
    ids = {read_letter(mail("From: a@example.org", body=body)).message_id for body in (b"a", b"b", b"a")}
    assert len(ids) == 2
    assert all(name.endswith("@missing.invalid>") for name in ids)


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        (["From: Aoi <Aoi@Example.org>"], "Aoi@Example.org"),
        (['From: "b@example.com" <a@example.org>'], "a@example.org"),
        (["From: taro..x.@docomo.example.jp"], "taro..x.@docomo.example.jp"),
        (['From: "taro..x."@docomo.example.jp'], '"taro..x."@docomo.example.jp'),
        (["From: a@example.org, b@example.org"], ""),
        (["From: a@example.org", "From: b@example.org"], ""),
        (["From: " + "(" * 4_000], ""),
        (["From: nobody"], ""),
        ([], ""),
    ],
)
def test_a_sender_is_one_address_or_none(headers: list[str], sender: str) -> None:
    assert read_letter(mail("Subject: x", *headers)).sender == sender


def test_recipients_come_from_every_header_that_may_hold_the_tag() -> None:
    names = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
    letter = read_letter(mail(*(f"{name}: X <p+{name}@example.org>" for name in reversed(names))))
    assert letter.recipients == tuple(f"p+{name}@example.org" for name in names)


def test_references_are_found_by_pattern_newest_first() -> None:
    letter = read_letter(
        mail('In-Reply-To: Your message of "Fri" <c@x>', "References: <a@x> junk <b@x>\r\n <c@x>")
    )
    assert letter.references == ("<c@x>", "<b@x>", "<a@x>")


def test_both_ends_of_an_endless_thread_are_kept() -> None:
    thread = "\r\n ".join(f"<{number}@x>" for number in range(900))
    references = read_letter(mail(f"References: {thread}")).references
    assert (references[0], references[-1], len(references)) == ("<899@x>", "<0@x>", 200)


def test_an_empty_return_path_is_not_a_missing_one() -> None:
    assert read_letter(mail("Return-Path: <>")).return_path == ""
    assert read_letter(mail("Return-Path: <a@example.org>")).return_path == "a@example.org"
    assert read_letter(mail("Subject: x")).return_path is None


def test_the_first_of_equal_headers_counts() -> None:
    headers = read_letter(mail("Authentication-Results: ours", "Authentication-Results: forged")).headers
    assert headers["authentication-results"] == "ours"


# The same letter twice


def test_the_content_key_does_not_change_on_the_way() -> None:
    ours = mail("Message-ID: <1@x>", "From: a@example.org", body=b"59-15")
    again = b"Received: by another server\r\n" + ours
    assert read_letter(ours).content_key == read_letter(again).content_key


@pytest.mark.parametrize(
    "other", [("<2@x>", "a@x.org", b"e4"), ("<1@x>", "b@x.org", b"e4"), ("<1@x>", "a@x.org", b"e5")]
)
def test_the_content_key_tells_letters_apart(other: tuple[str, str, bytes]) -> None:
    def key(message_id: str, sender: str, body: bytes) -> str:
        return read_letter(mail(f"Message-ID: {message_id}", f"From: {sender}", body=body)).content_key

    assert key("<1@x>", "a@x.org", b"e4") != key(*other)


# Flaws


def nested(levels: int) -> bytes:
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(levels)
    )
    return b"Message-ID: <bomb@x>\r\nFrom: a@example.org\r\n" + head + b"\r\n59-15"


FLAWS = {
    "too-big": mail("From: a@example.org", "Message-ID: <bomb@x>", body=b"x" * limits.MAX_BYTES),
    "too-deep": nested(1_000),
    "too-many-parts": mail(
        *("From: a@example.org", "Message-ID: <bomb@x>", "Content-Type: multipart/mixed; boundary=b"),
        body=b"--b\r\n\r\nx\r\n" * 100_000,
    ),
    "header-flood": mail("From: a@example.org", "Message-ID: <bomb@x>", *["X-Flood: y"] * 100_000),
    "encrypted": mail(
        "From: a@example.org", "Message-ID: <bomb@x>", "Content-Type: multipart/encrypted; boundary=b"
    ),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_letter_with_a_flaw_has_headers_and_no_text(flaw: str) -> None:
    letter = read_letter(FLAWS[flaw])
    assert (letter.flaw, letter.sender, letter.message_id) == (flaw, "a@example.org", "<bomb@x>")
    assert letter.text == letter.attached == ""


@pytest.mark.parametrize(
    ("raw", "flaw"),
    [
        (b"Content-Type: message/rfc822\r\n\r\n" * 1_000, "too-deep"),
        (mail("Content-Type: text/plain" + '; a="' * 50_000), "header-flood"),
        (
            mail(
                "Content-Type: multipart/mixed; boundary=b",
                body=b"--b\r\nContent-Type: x/y" + b";\r\n a=b" * 9_000,
            ),
            "header-flood",
        ),
        (mail("X: " + "y" * limits.MAX_HEAD_BYTES), "header-flood"),
        (mail("Content-Type: application/pkcs7-mime; name=smime.p7m"), "encrypted"),
        (mail("Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m"), "packed"),
        (mail("Subject: x", body=b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n"), "encrypted"),
    ],
)
def test_bombs_are_refused_before_they_are_parsed(raw: bytes, flaw: str) -> None:
    assert read_letter(raw).flaw == flaw


def test_what_is_read_of_a_long_letter_is_capped() -> None:
    letter = read_letter(
        mail("Subject: " + "x" * 100_000, "To: " + "a@example.org, " * 9_000, body=b"59-15\r\n" * 100_000)
    )
    assert len(letter.text) == limits.MAX_TEXT
    assert len(letter.subject) <= limits.MAX_HEADER
    assert len(letter.recipients) == 1


def test_a_letter_is_read_once_by_those_who_keep_it_and_those_who_work_on_it() -> None:
    """The same bytes read alike; a huge letter is not kept in memory for that."""
    short, huge = mail("Subject: x", body=b"59-15"), mail("Subject: x", body=b"5" * limits.MAX_REMEMBERED)
    assert read_letter(short) is read_letter(bytes(bytearray(short)))
    assert read_letter(huge) is not read_letter(huge)
    assert read_letter(huge) == read_letter(huge)
