"""Letters as people see them: drawn by Chromium, on a phone and on a desk, by day and by night.

``python -m tests.eyes.browser FOLDER`` draws every kind of letter in both languages.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import chain, product
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from corr.render.letters import render
from tests.render.pages import NOW, REPLY_TO, boards, pages

CHROMIUM = Path("/usr/bin/chromium")
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WIDTHS = (320, 800)  # CSS pixels: the narrowest phone, and a window on a desk
ZONES = {"en": "Europe/London", "ja": "Asia/Tokyo"}


class Letter(NamedTuple):
    """One letter, worded and named."""

    name: str
    language: str
    html: str


def letters() -> Iterator[Letter]:
    """Word every sample page in both languages."""
    for language, zone in ZONES.items():
        for name, page in chain(pages(language), boards(language)):
            worded = render(page, locale=language, zone=zone, now=NOW, reply_to=REPLY_TO)
            yield Letter(name, language, worded.html)


@contextmanager
def chromium() -> Generator[Browser]:
    """Run Debian's Chromium.  Its sandbox wants rights that a build machine lacks; the pages are ours."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def shown(browser: Browser, width: int, scheme: Scheme) -> Generator[Page]:
    """Open a window in which letters can be shown; no letter loads anything from elsewhere."""
    context = browser.new_context(
        viewport={"width": width, "height": 640}, color_scheme=scheme, device_scale_factor=1, offline=True
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def draw(folder: Path) -> int:
    """Draw all letters into *folder*; returns how many pictures there are."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = 0
    with chromium() as browser:
        for width, scheme in product(WIDTHS, SCHEMES):
            with shown(browser, width, scheme) as window:
                for letter in letters():
                    window.set_content(letter.html)
                    name = f"{letter.name}-{letter.language}-{width}-{scheme}.png"
                    window.screenshot(path=folder / name, full_page=True)
                    drawn += 1
    return drawn


def portraits(folder: Path) -> None:
    """Draw the letter that says "your move" on a phone, down to its moves: the pictures of the READMEs."""
    with chromium() as browser, shown(browser, 320, "light") as window:
        for letter in (one for one in letters() if one.name == "turn-mine"):
            window.set_content(letter.html)
            reply = window.locator("h2").last.bounding_box()
            assert reply is not None
            clip: FloatRect = {"x": 0, "y": 0, "width": 320, "height": reply["y"] - 8}
            file = folder / ("letter.png" if letter.language == "en" else f"letter.{letter.language}.png")
            window.screenshot(path=file, full_page=True, clip=clip)


if __name__ == "__main__":
    given = Path(sys.argv[1])
    sys.stdout.write(f"{draw(given)} pictures in {given}\n")
    portraits(given)
