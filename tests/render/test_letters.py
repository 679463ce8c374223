"""Every kind of letter in both languages, as a reader gets it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, product
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from corr.core.page import Kind, Page
from corr.core.quoting import MARKER
from corr.render.board import width
from corr.render.letters import Rendered, render
from corr.render.links import LONGEST
from engines.api import Seat
from tests.render.pages import AOI, NOW, REPLY_TO, TABLE, boards, pages, played, situation

LANGUAGES = ("en", "ja")
ZONES = {"en": "Europe/London", "ja": "Asia/Tokyo"}
PAGES = {language: dict(chain(pages(language), boards(language))) for language in LANGUAGES}
NAMES = tuple(PAGES["en"])
EACH = [pytest.param(name, language, id=f"{name}-{language}") for name, language in product(NAMES, LANGUAGES)]
MANY_MOVES = (
    ".........",
    ".w.b.b.b.",
    "b.b.b.b.b",
    ".b.b.b.b.",
    "..w.b.b..",
    ".........",
    "w.w.w.w..",
    "...w.w.w.",
    "w.w.w.w.w",
)
"""A position with 36 legal moves, the most that a search by hill-climbing found."""


def letter(page: Page, language: str) -> Rendered:
    return render(page, locale=language, zone=ZONES[language], now=NOW, reply_to=REPLY_TO)


def links(html: str) -> list[str]:
    return [node.attributes["href"] or "" for node in LexborHTMLParser(html).css("a[href]")]


def bodies(html: str) -> list[str]:
    return [parse_qs(urlsplit(link).query)["body"][0] for link in links(html)]


def test_there_is_a_sample_of_every_kind() -> None:
    assert {page.kind for page in PAGES["en"].values()} == set(Kind)


@pytest.mark.parametrize(("name", "language"), EACH)
def test_no_line_is_wider_than_mail_allows_and_none_trails_off(name: str, language: str) -> None:
    for line in letter(PAGES[language][name], language).text.splitlines():
        assert width(line, language) <= 76, line
        assert line == line.rstrip()


@pytest.mark.parametrize(("name", "language"), EACH)
def test_the_marker_stands_first_and_the_headline_next_in_both_parts(name: str, language: str) -> None:
    found = letter(PAGES[language][name], language)
    first, empty, headline = found.text.splitlines()[:3]
    assert (first, empty) == (MARKER, "")
    html = LexborHTMLParser(found.html)
    shown = [node.text() for node in html.css(".marker, h1")]
    assert shown[0] == MARKER
    assert shown[1].startswith(headline.rstrip())
    assert [node.text() for node in html.css(".preheader")] == shown[1:2]


@pytest.mark.parametrize(("name", "language"), EACH)
def test_html_is_small_enough_to_be_shown_whole(name: str, language: str) -> None:
    assert len(letter(PAGES[language][name], language).html.encode()) < 90_000


@pytest.mark.parametrize(("name", "language"), EACH)
def test_every_cell_of_a_table_has_a_background_and_a_colour(name: str, language: str) -> None:
    for node in LexborHTMLParser(letter(PAGES[language][name], language).html).css("td, th"):
        style = node.attributes["style"] or ""
        assert "background:" in style
        assert re.search(r"(^|;)color:", style)


@pytest.mark.parametrize(("name", "language"), EACH)
def test_both_parts_say_the_same_words(name: str, language: str) -> None:
    """Boards, lists of moves and hints about links apart, the prose is one."""
    found = letter(PAGES[language][name], language)
    text = "".join(found.text.split())
    prose = LexborHTMLParser(found.html).css("h1, h2, li, .line p, .stop p")
    assert len(prose) >= 2
    for node in prose:
        if not node.css("a"):
            assert "".join(node.text().split()) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headline_says_the_game_whose_turn_it_is_and_how_long(language: str) -> None:
    mine, theirs = (letter(PAGES[language][f"turn-{who}"], language).text for who in ("mine", "theirs"))
    expected = {
        "en": (
            "Your move in Ukulele [K7QX], until Thu 3 Dec 12:00 GMT, in 2 days 4 hours",
            "Waiting for Aoi in Ukulele [K7QX], until Thu 3 Dec 12:00 GMT, in 2 days 4 hours",
        ),
        "ja": (
            "ウクレレ [K7QX] あなたの番です。期限は12月3日(木) 21:00 JST、あと2日4時間",
            "ウクレレ [K7QX] Aoiさんの番です。期限は12月3日(木) 21:00 JST、あと2日4時間",
        ),
    }[language]
    for text, headline in zip((mine, theirs), expected, strict=True):
        assert "".join(text.split()).startswith("".join((MARKER + headline).split()))


def test_the_subject_is_the_same_for_the_whole_game() -> None:
    for language, subject in (("en", "[K7QX] Ukulele: Aoi – Ben"), ("ja", "[K7QX] ウクレレ：Aoi – Ben")):
        pages = [page for page in PAGES[language].values() if page.table and page.table.code == TABLE.code]
        of_game = {letter(page, language).subject for page in pages}
        assert of_game == {subject}


def test_a_letter_without_a_game_has_a_neutral_subject() -> None:
    assert letter(PAGES["en"]["stranger"], "en").subject == "Games by mail"


@pytest.mark.parametrize(("name", "language"), EACH)
def test_every_link_answers_to_the_mark_with_words_and_is_short_enough(name: str, language: str) -> None:
    found = letter(PAGES[language][name], language)
    for link in links(found.html):
        parts = urlsplit(link)
        assert (parts.scheme, parts.path) == ("mailto", REPLY_TO)
        assert len(link) <= LONGEST
        assert parse_qs(parts.query)["subject"] == [found.subject]
        assert parse_qs(parts.query)["body"][0].strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_move_is_a_link_and_a_line_to_copy(language: str) -> None:
    page = PAGES[language]["start"]
    assert page.situation is not None
    found = letter(page, language)
    legal = {
        move["words"][language]
        for rank in page.situation.view.data["ranks"]
        for square in rank
        for move in square["moves"]
    }
    assert len(legal) == 12
    assert legal == set(bodies(found.html))
    assert legal <= set(found.text.split())


@pytest.mark.parametrize(("language", "words"), [("en", ["yes", "no"]), ("ja", ["はい", "いいえ"])])
@pytest.mark.parametrize("name", ["invitation", "question-draw", "question-resign", "answer-resign"])
def test_a_question_can_be_answered_by_two_links_or_two_words(
    name: str, language: str, words: list[str]
) -> None:
    found = letter(PAGES[language][name], language)
    assert bodies(found.html)[:2] == words
    for answer in words:
        assert re.search(rf"^  {answer}\s*[:：]", found.text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_line_can_mean_is_offered_as_links(language: str) -> None:
    assert {"59-15", "59-86"} <= set(bodies(letter(PAGES[language]["answer-refused"], language).html))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_tells_who_what_how_long_and_from_where(language: str) -> None:
    text = letter(PAGES[language]["invitation"], language).text
    for needed in ("Ben", "K7QX", "play@corr.example.org", {"en": "3 days", "ja": "3日"}[language]):
        assert needed in text
    assert REPLY_TO not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("alias", ["Eve\r\nBcc: x@example.org", '<var>"Eve"</var>', "{{ page }}", "E" * 300])
def test_a_name_is_harmless_whatever_it_holds(alias: str, language: str) -> None:
    for page in PAGES[language].values():
        named = page.table and replace(page.table, names=dict.fromkeys(page.table.names, alias))
        found = letter(replace(page, table=named), language)
        assert found.subject.isprintable()
        assert "<var>" not in found.html
        assert not LexborHTMLParser(found.html).css("var")
        assert "\r" not in found.text
        assert all(width(line, language) <= 76 for line in found.text.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_names_and_the_most_moves_still_fit(language: str) -> None:
    names = {Seat(1): "長い名前" * 20, Seat(2): "さらに長い名前" * 20}
    state, _ = played(0, {"position": "/".join(MANY_MOVES) + " b bw"})
    shown = situation(state, AOI, language)
    assert shown.order_count == 36
    page = replace(PAGES[language]["turn-mine"], table=replace(TABLE, names=names), situation=shown)
    found = letter(page, language)
    assert len(set(bodies(found.html))) == shown.order_count
    assert len(found.html.encode()) < 90_000


def test_dark_mode_rules_survive_and_win_over_inlined_ones() -> None:
    html = letter(PAGES["en"]["turn-mine"], "en").html
    assert '<meta name="color-scheme" content="light dark">' in html
    dark = re.findall(r"@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}", html, re.DOTALL)
    assert dark
    for rule in "\n".join(dark).splitlines():
        assert rule.count("!important") == rule.count(";")


def test_rendering_twice_gives_the_same_letter() -> None:
    page = PAGES["ja"]["answer-topics"]
    assert letter(page, "ja") == letter(page, "ja")
