"""Styles stand in the elements as if css_inline had gone over each letter as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from css_inline import CSSInliner
from selectolax.lexbor import LexborHTMLParser

from corr.render.environment import environment
from corr.render.styles import Styles
from corr.resources import templates
from tests.render.test_letters import EACH, PAGES, letter

GAMES = ("bakenushi", "naishi", "ukulele")
LINE = "margin:0 0 10px;padding:6px 10px;border-left:4px solid #8a8a8a;background:#f2f2f2;color:#222222"
STYLE = re.compile(r' style="[^"]*"')


def sheets(game: str) -> str:
    """Return the styles of a letter about a game."""
    files = (Path("layout/style.css"), Path("engines") / game / "board.css")
    return "".join((templates() / file).read_text() for file in files)


def looks(html: str) -> Iterator[tuple[str, str, str]]:
    """Yield each element with its classes and its styles."""
    for node in LexborHTMLParser(html).css("body, body *"):
        yield node.tag or "", node.attributes.get("class") or "", node.attributes.get("style") or ""


@pytest.mark.parametrize(("name", "language"), EACH)
def test_each_element_has_the_styles_that_the_whole_letter_gives_it(name: str, language: str) -> None:
    page = PAGES[language][name]
    html = letter(page, language).html
    bare = STYLE.sub("", html).replace(
        "</head>", f"<style>{sheets(page.table.engine if page.table else 'ukulele')}</style></head>"
    )
    whole = CSSInliner(minify_css=True, load_remote_stylesheets=False).inline(bare)
    assert list(looks(html)) == list(looks(whole))


@pytest.mark.parametrize("game", GAMES)
def test_a_head_keeps_only_what_no_element_can_carry(game: str) -> None:
    found = environment().get_template(f"engines/{game}/board.css").render()
    assert found.startswith("@media")
    assert found.count("{") == found.count("}")
    assert {line[:6] for line in found.splitlines() if line.startswith("@")} == {"@media"}


def test_no_letter_is_so_long_that_gmail_would_hide_its_end() -> None:
    """It shows the first 102 kB of the HTML."""
    sizes = [len(letter(page, language).html) for language in PAGES for page in PAGES[language].values()]
    assert max(sizes) < 102_000


@pytest.mark.parametrize(
    "element", ['<p style="color: red">', "<p class='man'>", '<td class="a" style="top: 0">']
)
def test_what_cannot_be_styled_is_refused(element: str) -> None:
    with pytest.raises(ValueError, match=r"board\.css"):
        Styles(environment()).preprocess(element, "engines/mine/board.html")


@pytest.mark.parametrize("value", ["{{ v }}", "{{- v -}}", "{{ 'man' if v }}"])
def test_a_class_may_be_put_in_by_a_value_however_that_is_written(value: str) -> None:
    styled = Styles(environment()).preprocess(f'<b class="man {value}">', "engines/ukulele/board.html")
    assert 'style="' in environment().from_string(styled).render(v="black")


def test_a_letter_is_ascii_whoever_reads_it() -> None:
    for language, pages in PAGES.items():
        for page in pages.values():
            assert letter(page, language).html.isascii()


@pytest.mark.parametrize(
    ("source", "styled"),
    [
        ("<p>a<p>b</p>", '<p style="margin:0 0 10px">a<p style="margin:0 0 10px">b</p>'),
        ("<i>a</i><br>", "<i>a</i><br>"),
        (
            '<i id="a" class="moves hint">',
            '<i id="a" class="moves hint" style="color:#555555;font-size:13px">',
        ),
        (
            '<div class="line"><p>a</p></div>',
            f'<div class="line" style="{LINE}"><p style="margin:0 0 4px">a</p></div>',
        ),
    ],
)
def test_a_style_is_written_behind_the_class_and_depends_on_what_stands_around(
    source: str, styled: str
) -> None:
    assert Styles(environment()).preprocess(source, "layout/any.html") == styled


@pytest.mark.parametrize(("fate", "colour"), [("taken", "#1d7a50"), ("refused", "#b3261e")])
def test_a_class_may_be_a_value(fate: str, colour: str) -> None:
    source = Styles(environment()).preprocess('<div class="line {{ fate }}">', "layout/any.html")
    assert f"border-left-color:{colour}" in environment().from_string(source).render(fate=fate)


def test_other_templates_stay_as_they_are() -> None:
    assert Styles(environment()).preprocess("<p>", "layout/letter.txt") == "<p>"
    assert Styles(environment()).preprocess("<p>", None) == "<p>"
