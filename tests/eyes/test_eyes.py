"""What a person sees of every letter, measured in Chromium: nothing runs off, all can be read and tapped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.eyes.browser import CHROMIUM, SCHEMES, WIDTHS, Letter, Scheme, chromium, letters, shown

pytestmark = pytest.mark.slow
LETTERS = tuple(letters())
LOOKS = tuple(product(WIDTHS, SCHEMES))
TAP = 32  # CSS pixels: the height that a thumb hits
READABLE = 4.5  # WCAG 2.2, 1.4.3: the contrast of text
LARGE = 3.0  # of large bold text, and of signs

MEASURE = """() => {
  const colour = text => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return {rgb: [r, g, b], a};
  };
  const light = rgb => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found.a === 1) return found.rgb;
    }
    return [255, 255, 255];
  };
  const contrast = element => {
    const [a, b] = [light(colour(getComputedStyle(element).color).rgb), light(ground(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const seen = [...document.body.querySelectorAll('*')].filter(element =>
    getComputedStyle(element).display !== 'none' &&
    [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  return {
    wide: document.documentElement.scrollWidth,
    texts: seen.map(element => ({
      what: `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 30)}`,
      sign: element.matches('.uke a'), contrast: contrast(element)})),
    buttons: [...document.querySelectorAll('a.button')].map(link => {
      const box = link.getBoundingClientRect();
      return {what: link.textContent, height: box.height, left: box.left, right: box.right};
    }),
    empty: [...document.querySelectorAll('h2')].filter(heading =>
      !heading.nextElementSibling || heading.nextElementSibling.tagName === 'H2').map(h => h.textContent),
  };
}"""
"""Measures the page that is shown: its width, the contrast of each text, its buttons, its empty sections."""


DRAW = """letter => {
  const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d');
  pen.font = '32px sans-serif';
  pen.clearRect(0, 0, 40, 40);
  pen.fillText(letter, 2, 34);
  return canvas.toDataURL();
}"""
"""Draws one letter, and returns the picture."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give Chromium; where it is missing these tests are skipped, but not when CI is set."""
    if not CHROMIUM.exists() and "CI" not in os.environ:
        pytest.skip(f"{CHROMIUM} is not here (apt install chromium fonts-ipafont-gothic)")
    with chromium() as running:
        yield running


@pytest.fixture(scope="module", params=LOOKS, ids=lambda look: f"{look[0]}-{look[1]}")
def window(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[Page, int]]:
    """Give a window of each width, by day and by night."""
    width: int
    scheme: Scheme
    width, scheme = request.param
    with shown(browser, width, scheme) as page:
        yield page, width


def measured(page: Page, html: str) -> Any:
    page.set_content(html)
    return page.evaluate(MEASURE)


def faults(found: Any, width: int) -> list[str]:
    """Say what a person would dislike."""
    texts = found["texts"]
    assert texts, "nothing is shown"
    return [
        *([f"{found['wide']} pixels wide"] if found["wide"] > width else []),
        *(
            f"contrast {text['contrast']:.1f} of {text['what']}"
            for text in texts
            if text["contrast"] < (LARGE if text["sign"] else READABLE)
        ),
        *(f"a low button: {button['what']}" for button in found["buttons"] if button["height"] < TAP),
        *(f"a button runs off: {button['what']}" for button in found["buttons"] if button["right"] > width),
        *(f"an empty section: {heading}" for heading in found["empty"]),
    ]


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: f"{letter.name}-{letter.language}")
def test_a_letter_fits_its_window_and_can_be_read_and_tapped(
    window: tuple[Page, int], letter: Letter
) -> None:
    page, width = window
    assert not faults(measured(page, letter.html), width)


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<p style="width: 500px">wide</p>', "500 pixels wide"),
        ("<p>" + "x" * 100 + "</p>", "pixels wide"),
        ('<p style="color: #999">pale</p>', "contrast 2.8"),
        ('<div style="background: #333"><p style="color: #555">dark</p></div>', "contrast 1.7"),
        ('<p><a class="button" href="mailto:a@b.test">small</a></p>', "a low button: small"),
        ("<h2>One</h2><h2>Two</h2><p>two</p>", "an empty section: One"),
    ],
)
def test_what_is_wrong_with_a_letter_is_seen(browser: Browser, html: str, fault: str) -> None:
    with shown(browser, 320, "light") as page:
        found = faults(measured(page, f'<body style="margin: 0">{html}</body>'), 320)
    assert len(found) == 1
    assert fault in found[0]


def test_japanese_has_a_font(browser: Browser) -> None:
    """Without one every letter is the same box, and nothing that was measured is true."""
    with shown(browser, 320, "light") as page:
        page.set_content("<canvas width=40 height=40></canvas>")
        assert page.evaluate(DRAW, "黒") != page.evaluate(DRAW, "白")
