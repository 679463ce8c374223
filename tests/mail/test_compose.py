from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address, AddressHeader
from email.message import EmailMessage
from email.policy import default

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.mail.compose import Heading, compose

HEADING = Heading(
    from_name="corr",
    from_address="play@example.org",
    reply_to="play+K7QX.14.3.5.h4ndh4ndh4ndh4ndh4nd@example.org",
    to_address="aoi@players.test",
    subject="[K7QX] ウクレレ: Aoi – Ben",
    message_id="<K7QX.14.3.5.h4nd@example.org>",
    date=datetime(2026, 11, 30, 12, tzinfo=UTC),
    kind="auto-generated",
    instance="corr.example.org",
    in_reply_to="<letter@players.test>",
    references=("<K7QX@example.org>", "<letter@players.test>"),
    list_id="K7QX.corr.example.org",
    list_unsubscribe="mailto:play@example.org?subject=stop",
)
TEXT = "あなたの番です。\nIt is your move.\n"
HTML = "<p>あなたの番です。</p>\n"


def read(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def only_address(letter: EmailMessage, header: str) -> Address:
    value = letter[header]
    assert isinstance(value, AddressHeader)
    (address,) = value.addresses
    return address


def test_a_letter_carries_the_headers_that_threads_and_machines_need() -> None:
    letter = read(compose(HEADING, TEXT, HTML))
    expected = {
        "From": "corr <play@example.org>",
        "Reply-To": HEADING.reply_to,
        "To": "aoi@players.test",
        "Subject": HEADING.subject,
        "Date": "Mon, 30 Nov 2026 12:00:00 +0000",
        "Message-ID": HEADING.message_id,
        "In-Reply-To": "<letter@players.test>",
        "References": "<K7QX@example.org> <letter@players.test>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": "<K7QX.corr.example.org>",
        "List-Unsubscribe": "<mailto:play@example.org?subject=stop>",
        "X-Corr-Instance": "corr.example.org",
    }
    assert {name: letter[name] for name in expected} == expected
    assert not {"precedence", "bcc"} & {name.lower() for name in letter}


def test_what_is_not_known_has_no_header() -> None:
    bare = replace(HEADING, in_reply_to=None, references=(), list_id=None, list_unsubscribe=None)
    names = {name.lower() for name in read(compose(bare, TEXT, HTML))}
    assert not {"in-reply-to", "references", "list-id", "list-unsubscribe"} & names


@pytest.mark.parametrize(
    ("html", "coding"),
    [
        ("<p>59-15</p>\n", "7bit"),
        ("x" * 998 + "\n" + "y" * 998, "7bit"),
        (("z" * 90 + "\n") * 300, "7bit"),
        ("x" * 999 + "\n", "quoted-printable"),
        ("<p>\n" + "x" * 999 + "\n</p>", "quoted-printable"),
        ("<p>5九</p>\n" + "x" * 200, "quoted-printable"),
        ("<p>\r</p>\n", "quoted-printable"),
        ("<p>\0</p>\n", "quoted-printable"),
    ],
)
def test_only_short_lines_of_ascii_go_as_they_are(html: str, coding: str) -> None:
    raw = compose(HEADING, TEXT, html)
    _, part = read(raw).iter_parts()
    octets = part.get_payload(decode=True)
    assert isinstance(octets, bytes)
    assert part["Content-Transfer-Encoding"] == coding
    assert octets.rstrip() == html.replace("\n", "\r\n").encode().rstrip()
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_text_comes_first_and_html_says_the_same() -> None:
    letter = read(compose(HEADING, TEXT, HTML))
    assert letter.get_content_type() == "multipart/alternative"
    plain, html = letter.iter_parts()
    assert isinstance(plain, EmailMessage)
    assert isinstance(html, EmailMessage)
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert [part.get_content().replace("\r\n", "\n") for part in (plain, html)] == [TEXT, HTML]


def test_every_line_is_seven_bit_short_and_ends_in_crlf() -> None:
    """Any server takes it, whatever it can."""
    raw = compose(replace(HEADING, from_name="葵" * 40), TEXT + "長" * 900, HTML + "x" * 2000)
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_a_long_japanese_subject_is_folded_and_comes_back_whole() -> None:
    subject = "[K7QX] 徒桜戦争 三日目：" + "狼を見つけた村人たちの長い話　" * 12 + "end"
    raw = compose(replace(HEADING, subject=subject), TEXT, HTML)
    assert read(raw)["Subject"] == subject
    assert b"\r\n =?utf-8?" in raw


@pytest.mark.parametrize(
    "name", ["田中, 太郎", 'Aoi "the wall" O\'Neil', "a <b@example.com>", "葵, ben@evil.test"]
)
def test_a_name_stays_a_name(name: str) -> None:
    sender = only_address(read(compose(replace(HEADING, from_name=name), TEXT, HTML)), "From")
    assert (sender.display_name, sender.addr_spec) == (name, "play@example.org")


def test_long_ids_are_neither_cut_nor_encoded() -> None:
    """Mail programs compare ids letter by letter; some servers make them longer than a line."""
    long = f"<{'DB9P190MB1234' * 8}@DB9P190MB1234.EURP190.PROD.OUTLOOK.COM>"
    raw = compose(replace(HEADING, message_id=long, in_reply_to=long, references=(long, long)), TEXT, HTML)
    assert raw.count(long.encode()) == 4


def test_references_keep_the_root_and_the_last_nine() -> None:
    ids = tuple(f"<{n}@example.org>" for n in range(30))
    letter = read(compose(replace(HEADING, references=ids), TEXT, HTML))
    assert letter["References"].split() == [ids[0], *ids[-9:]]


BREAKS = st.sampled_from(
    ["\r\n", "\n", "\r", "\x00", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\ud800"]
)
WORDS = st.lists(st.one_of(st.text(max_size=20), BREAKS, st.just("Bcc: evil@evil.test"))).map("".join)


@settings(deadline=None)
@given(words=WORDS)
def test_no_name_subject_or_id_can_add_a_header(words: str) -> None:
    spoilt = replace(
        HEADING,
        from_name=words,
        subject=words,
        message_id=f"<{words}@example.org>",
        in_reply_to=words + "x",
        references=(words,),
        list_id=words + "x",
        list_unsubscribe=words + "x",
        instance=words,
    )
    head = compose(spoilt, TEXT, HTML).partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if not line.startswith(b" ")]
    clean = compose(HEADING, TEXT, HTML).partition(b"\r\n\r\n")[0]
    assert names == [line.partition(b":")[0] for line in clean.split(b"\r\n") if not line.startswith(b" ")]


@pytest.mark.parametrize(
    "address",
    [
        "aoi@players.test\r\nBcc: x@y.test",
        "a b@players.test",
        "葵@players.test",
        "aoi",
        "@players.test",
        "a@b@c.test",
        "a@b..c",
    ],
)
def test_a_wrong_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"address|ASCII|domain|label"):
        compose(replace(HEADING, to_address=address), TEXT, HTML)


def test_a_domain_beyond_ascii_is_written_in_idna() -> None:
    letter = read(compose(replace(HEADING, to_address="aoi@日本語.jp"), TEXT, HTML))
    assert only_address(letter, "To").addr_spec == "aoi@xn--wgv71a119e.jp"


def test_a_date_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        compose(replace(HEADING, date=datetime(2026, 11, 30)), TEXT, HTML)  # noqa: DTZ001


def test_the_same_letter_is_the_same_bytes_and_another_is_not() -> None:
    """A retry sends what was stored; even composing again would change nothing."""
    raw = compose(HEADING, TEXT, HTML)
    assert raw == compose(replace(HEADING), TEXT, HTML)
    assert (
        read(raw).get_boundary()
        != read(compose(replace(HEADING, message_id="<b@c>"), TEXT, HTML)).get_boundary()
    )


def test_who_wants_text_alone_gets_one_part() -> None:
    letter = read(compose(HEADING, TEXT, HTML, "text"))
    assert letter.get_content_type() == "text/plain"
    assert letter.get_content().replace("\r\n", "\n").rstrip() == TEXT.rstrip()


def test_who_wants_japanese_text_gets_what_old_phones_read() -> None:
    """ISO-2022-JP in the text and in the headers, seven bits, and no coding over it."""
    raw = compose(replace(HEADING, from_name="対局 – 係"), TEXT, HTML, "text-jp")
    letter = read(raw)
    assert letter.get_content_charset() == "iso-2022-jp"
    assert letter["Content-Transfer-Encoding"] == "7bit"
    assert letter.get_content().replace("\r\n", "\n").rstrip() == TEXT.rstrip()
    assert letter["Subject"] == "[K7QX] ウクレレ: Aoi - Ben"
    assert b"=?iso-2022-jp?b?" in raw.lower()
    assert b"utf-8" not in raw.lower()


@pytest.mark.parametrize(
    ("words", "written"),
    [("Zoë①㈱", "Zoe1(株)"), ("☗59–37 ☖", "▲59-37 △"), ("～－—", "〜−―"), ("⛩", "〓"), ("ｱｵｲ", "アオイ")],
)
def test_what_japanese_text_cannot_say_is_written_as_near_as_it_can(words: str, written: str) -> None:
    assert read(compose(HEADING, words, HTML, "text-jp")).get_content().rstrip() == written


@given(st.text(max_size=200))
def test_any_text_can_be_written_in_japanese_text(words: str) -> None:
    assert compose(replace(HEADING, subject=words), words, HTML, "text-jp").isascii()
