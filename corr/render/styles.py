"""Styles, written into the elements when a template is loaded: many mail programs drop style sheets.

A template is styled by ``layout/style.css`` and by the ``board.css`` beside it.  What their
rules say of an element may depend on its name, on its classes and on the elements that it stands
in, as far as these stand in the same template: a cell stands in the template of its table.  A
class stands in double quotes and may be put in by ``{{ … }}``, never by ``{% … %}``.  Of a file
of styles itself only the rules stay that no element can carry: those for the dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from css_inline import CSSInliner
from jinja2 import Environment, TemplateNotFound
from jinja2.ext import Extension
from markupsafe import Markup

_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)(?:[^<>]*? class="([^"]*)")?')
_STYLE = re.compile(r'<(?=[^<>]* id="here")[^<>]*( style="[^"]*")')
_KEPT = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_VALUE = re.compile(r"\{\{-?(.*?)-?\}\}")
_NOT_HERE = re.compile(r"<[a-z][^<>]*(?: style=|class=')")
_EMPTY = {"br", "col", "hr", "img", "meta", "wbr"}
_CLOSING_THEIR_LIKE = {"li", "p", "td", "th", "tr"}


class Styles(Extension):
    """Gives templates their styles."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Write the styles into a template of HTML, and leave of a file of styles what goes in a head."""
        if name is None or not name.endswith((".html", ".css")):
            return source
        if name.endswith(".css"):
            return _kept(source)
        if found := _NOT_HERE.search(source):
            raise ValueError(f"{name}: {found[0]} … – styles stand in board.css, classes in double quotes")
        return "".join(_styled(self.environment, name.rpartition("/")[0], source))


def _styled(env: Environment, folder: str, source: str) -> Iterator[str]:
    """Yield a template in pieces, behind each tag the style of its element."""
    around: list[tuple[str, str]] = []
    end = 0
    for tag in _TAG.finditer(source):
        closing, name, looks = tag.groups("")
        yield source[end : (end := tag.end())]
        if closing or (name in _CLOSING_THEIR_LIKE and around and around[-1][0] == name):
            _close(around, name)
        if closing or name in _EMPTY:
            continue
        path = "".join(opened for _, opened in around)
        if "{{" in looks:
            yield _styled_later(folder, path, name, looks)
        else:
            yield style(env, folder, path, name, looks)
        around.append((name, f'<{name} class="{_VALUE.sub("", looks)}">'))
    yield source[end:]


def _close(around: list[tuple[str, str]], name: str) -> None:
    """Leave the innermost element of a name, with all that stands open in it."""
    while around and around.pop()[0] != name:
        pass


def _styled_later(folder: str, around: str, name: str, looks: str) -> str:
    """Return what looks the style up when the values in the classes are known.

    ``card {{ kind }}`` becomes ``{{ ("card " ~ (kind) ~ "")|styled("…", "…", "td") }}``.
    """
    classes = '"' + _VALUE.sub(_joined, looks) + '"'
    return f"{{{{ ({classes})|styled({folder!r}, {around!r}, {name!r}) }}}}"


def _joined(value: re.Match[str]) -> str:
    return f'" ~ ({value[1]}) ~ "'


@lru_cache(maxsize=1_000)
def style(env: Environment, folder: str, around: str, name: str, looks: str) -> Markup:
    """Return the attribute ``style`` of an element, or nothing.

    *folder* is that of its template, *around* are the tags that it stands in, *looks* its classes.
    """
    page = f'<style>{_sheet(env, folder)}</style>{around}<{name} class="{looks}" id="here">'
    found = _STYLE.search(_inliner().inline(page))
    return Markup(found[1] if found else "")  # noqa: S704 - of our own style sheets


@cache
def _sheet(env: Environment, folder: str) -> str:
    """Return the styles for the templates of a folder."""
    return _source(env, "layout/style.css") + _source(env, f"{folder}/board.css")


def _source(env: Environment, name: str) -> str:
    assert env.loader is not None
    try:
        return env.loader.get_source(env, name)[0]
    except TemplateNotFound:
        return ""


def _kept(css: str) -> str:
    """Return the rules that cannot be written into an element."""
    found = _KEPT.search(_inliner().inline(f"<style>{css}</style>"))
    return found[1].strip() if found else ""


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False, minify_css=True)
