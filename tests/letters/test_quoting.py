"""What of a reply is new: nothing typed is lost, and corr's own words are not taken for the player's."""

from __future__ import annotations

import pytest

from corr.core import quoting
from corr.core.quoting import MARKER, new_lines

OURS = f"{MARKER}\n\nYour move in Ukulele [K7QX], until Thu 3 Dec 21:00 JST\n\nYou can play:\n59-15"
QUOTED = "\n".join("> " + line for line in OURS.split("\n"))
ATTRIBUTION = "On Tue, Dec 1, 2026 at 4:58 PM corr <play+K7QX.14.3.5.h4nd@corr.example.org> wrote:"


def said(text: str) -> list[str]:
    return [line for line in new_lines(text).lines if line.strip()]


def test_below_the_marker_all_is_ours() -> None:
    assert said(f"59-26\n\n{OURS}") == ["59-26"]


@pytest.mark.parametrize("mark", ["> ", ">", "＞", "> > ", "* "])
def test_the_marker_is_found_where_it_is_quoted(mark: str) -> None:
    assert said("59-26\n\n" + "\n".join(mark + line for line in OURS.split("\n"))) == ["59-26"]


def test_the_marker_is_found_where_it_is_wrapped() -> None:
    wrapped = MARKER.replace("この行より上に", "この行より上に\n")
    assert said(f"59-26\n\n{OURS.replace(MARKER, wrapped)}") == ["59-26"]


@pytest.mark.parametrize(
    "attribution",
    [
        ATTRIBUTION,
        ATTRIBUTION.replace("<play", "<\nplay"),
        "2026年12月1日(火) 16:58 corr <play@corr.example.org>:",
        "2026年12月1日(火) 16:58 corr <\nplay+K7QX@corr.example.org>:",
        "2026/12/01 16:58、corr <play@corr.example.org>のメール:",
        "În mar., 1 dec. 2026 la 16:58, corr <play@corr.example.org> a scris:",
        "V úterý 1. prosince 2026 v 16:58 corr píše:",
    ],
)
def test_an_attribution_above_the_marker_goes_with_it(attribution: str) -> None:
    assert said(f"59-26\n\n{attribution}\n{QUOTED}") == ["59-26"]
    assert said(f"59-26\n\n{attribution}\n\n{OURS}") == ["59-26"]


def test_an_answer_below_or_between_quotes_is_new() -> None:
    assert said(f"{ATTRIBUTION}\n{QUOTED}\n\n59-26") == ["59-26"]
    head, _, tail = QUOTED.partition("> You can play:")
    assert said(f"{ATTRIBUTION}\n{head}59-26\n> You can play:{tail}") == ["59-26"]
    assert said(f"Hello,\n{ATTRIBUTION}\n{QUOTED}\n\n59-26") == ["Hello,", "59-26"]


@pytest.mark.parametrize(
    "head",
    [
        f"{'_' * 32}\nFrom: corr <play@corr.example.org>\nSent: December 1, 2026\nTo: Ben\nSubject: x\n",
        "-----元のメール-----\nFrom: play@corr.example.org\n日時: 2026/12/01 16:58\n件名: x\n",
        f"{ATTRIBUTION}\n",
    ],
)
def test_a_reply_in_which_nothing_was_typed_says_nothing(head: str) -> None:
    """A legal move that corr itself proposed is never taken for the player's order."""
    assert said(f"{head}\n{OURS}") == []


@pytest.mark.parametrize(
    "order", ["59 to 15", "1. e4", "59-15", "On 5 move 12:30", "5九-1五", "-3334FU", "12.5"]
)
@pytest.mark.parametrize("attribution", [ATTRIBUTION, ATTRIBUTION.replace("<play", "<\nplay")])
def test_an_order_right_above_an_attribution_is_no_part_of_it(order: str, attribution: str) -> None:
    assert said(f"{order}\n{attribution}\n{QUOTED}") == [order]


@pytest.mark.parametrize(
    "text",
    [
        "-3334FU",
        "- A PAR - BUR",
        "From: e2\nTo: e4",
        "#7 e4\n--\n#8 Nf3",
        "59-15\n--\n15-26",
        "59-15\n--\nresign",
        "59-15\n--\n投了",
        "e4\n--------\nd4\n--------\nNf3",
        "> e4",
        "Thanks,\n59-15",
        "Best regards,\nTom\n\n59-15",
        "Sent fleet from BRE to MAO",
        "Sent from my iPhone\n59-15",
        "iPhoneから送信\n59-15",
        "Disclaimer: I am new\n59-15",
        "Date: 12:30\nTo: e4\nSubject: pass",
        "I wrote on 3 May.\n59-15",
    ],
)
def test_what_looks_like_furniture_but_reads_as_an_order_stays(text: str) -> None:
    typed = [line for line in text.split("\n") if line and "iPhone" not in line]
    assert [line for line in said(text) if line in typed] == typed


@pytest.mark.parametrize(
    "foot",
    [
        "-- \nTom, 12 Example Street",
        "--\n山田一郎\ntaro@example.jp",
        "━━━━━━━━━━\n山田太郎\nTEL 03-0000-0000\n━━━━━━━━━━",
        "**********\n株式会社サンプル\n----------\n山田太郎 taro@example.jp\n**********",
        "Sent from my iPhone",
        "[iPhoneから送信]",
        "--------------------------\nドコモのスマートフォンから送信しました",
        "【機密情報に関するお知らせ】\nこのメールには機密情報が含まれます。",
        "This e-mail is confidential.\nPlease delete it.",
        "_______________________________________________\nplayers mailing list\nplayers@lists.example.org",
        "-----",
    ],
)
def test_a_foot_is_cut_with_and_without_a_quote_below(foot: str) -> None:
    assert said(f"59-26\n\n{foot}") == ["59-26"]
    assert said(f"59-26\n\n{foot}\n\n{ATTRIBUTION}\n{QUOTED}") == ["59-26"]


def test_a_clear_signed_order_loses_its_armour_and_its_escape() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- -3334FU\n59-15\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n-----END PGP SIGNATURE-----\n"
    )
    assert said(text) == ["-3334FU", "59-15"]


def test_a_signature_above_the_quote_does_not_take_the_answer_below_it() -> None:
    assert said(f"Hello\n-- \nTom\n\n{ATTRIBUTION}\n{QUOTED}\n\n59-26") == ["Hello", "59-26"]


def test_an_inner_blank_line_is_kept_for_talk() -> None:
    assert new_lines("\nsay one\n\ntwo\n\n").lines == ("say one", "", "two")


def test_the_rules_that_took_lines_are_named_with_how_many() -> None:
    cut = new_lines(f"59-26\n\nSent from my iPhone\n\n{ATTRIBUTION}\n> a\n> b")
    assert cut.rules == (("history", 3), ("tagline", 1))


def test_what_is_read_is_capped() -> None:
    cut = new_lines("\n".join(["x" * 2_000] * 2_000))
    assert sum(map(len, cut.lines)) == quoting.MAX_CHARACTERS
    assert max(map(len, cut.lines)) == quoting.MAX_WIDTH
    assert len(new_lines("59-15\n" * 2_000).lines) == quoting.MAX_LINES
