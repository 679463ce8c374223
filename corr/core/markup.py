"""HTML to text, with what mail programs mark as quoted turned into ``> `` lines.

What is quoted is known best from the containers that programs put around it;
whether it is dropped is for :mod:`corr.core.quoting` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

# The parser's time grows with the square of the depth: ten thousand tags are a tenth of a second.
_MAX_CHARACTERS = 256 << 10
_MAX_TAGS = 10_000
_MAX_QUOTES = 20  # marks before one line: what is quoted more often is no more quoted for that

# Gmail indents what its user types with a blockquote without a border.
_QUOTES = """
    blockquote:not([style*="border:none"]):not([style*="border: none"]),
    blockquote[type=cite], blockquote.gmail_quote, .gmail_attr, .moz-cite-prefix,
    .yahoo_quoted, [id^="yahoo_quoted"]
"""
# Outlook puts no container around what it quotes, only a head in front of it.
_HEADS = """
    #divRplyFwdMsg, #x_divRplyFwdMsg, #mail-editor-reference-message-container,
    div[style*="border-top:solid #E1E1E1"], div[style*="border-top:solid #B5C4DF"],
    div[style*="border-top: 1pt solid rgb(225"], div[style*="border-top:1pt solid rgb(225"]
"""
# What a letter holds and does not show, such as the line that phones show in its stead.
_HIDDEN = '[hidden], [style*="display:none"], [style*="display: none"]'
_UNREAD = frozenset(
    {"head", "style", "script", "title", "template", "noscript", "-comment", "textarea", "select"}
)
_BLOCKS = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "center",
            "dd",
            "div",
            "dl",
            "dt",
            "footer",
            "form",
            "h1",
        ),
        *(
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "ol",
            "p",
            "pre",
            "section",
            "table",
            "tr",
            "ul",
        ),
    }
)
_SPACE = re.compile(r"[ \t\r\n\f]+")


def to_text(html: str) -> str:
    """Return the text of a letter in HTML, quoted lines with ``> `` before them; never raises.

    Reads at most 256 Ki characters and 10,000 tags.
    """
    tree = LexborHTMLParser(_capped(html))
    page = _Page()
    if tree.body is not None:
        quotes = {node.mem_id for node in tree.css(_QUOTES)}
        heads = {node.mem_id for node in tree.css(_HEADS)}
        hidden = {node.mem_id for node in tree.css(_HIDDEN)}
        for node, entering in _walk(tree.body, hidden):
            _visit(page, node, entering, quotes, heads)
    page.end_line()
    return "\n".join(page.lines)


def _capped(html: str) -> str:
    # surrogates cannot be handed to the parser
    html = html[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
    tags = html.split("<", _MAX_TAGS + 1)
    return "<".join(tags[: _MAX_TAGS + 1])


def _walk(root: LexborNode, hidden: set[int]) -> Iterator[tuple[LexborNode, bool]]:
    """Yield every node twice, before and after what is in it; no recursion, so any depth will do."""
    stack = [(root, True)]
    while stack:
        node, entering = stack.pop()
        if node.mem_id in hidden:
            continue
        yield node, entering
        if not entering or node.tag in _UNREAD:
            continue
        stack.append((node, False))
        children: list[tuple[LexborNode, bool]] = []
        child = node.child
        while child is not None:
            children.append((child, True))
            child = child.next
        stack.extend(reversed(children))


@dataclass
class _Page:
    """The text as far as it is written."""

    lines: list[str] = field(default_factory=list[str])
    line: str = ""
    depth: int = 0
    outside: list[int] = field(default_factory=list[int])  # depths before each open quote
    preformatted: int = 0

    def write(self, text: str) -> None:
        if self.preformatted:
            *whole, last = (self.line + text).replace("\r\n", "\n").split("\n")
            for self.line in whole:
                self.break_line()
            self.line = last
        else:
            joined = self.line + _SPACE.sub(" ", text)
            self.line = joined.lstrip(" ") if not self.line else joined

    def break_line(self) -> None:
        text = self.line if self.preformatted or self.line.rstrip("\xa0 ") == "--" else self.line.rstrip(" ")
        self.lines.append("> " * min(self.depth, _MAX_QUOTES) + text)
        self.line = ""

    def end_line(self) -> None:
        if self.line.strip(" "):
            self.break_line()
        self.line = ""


def _visit(page: _Page, node: LexborNode, entering: bool, quotes: set[int], heads: set[int]) -> None:
    tag = node.tag or ""
    if tag == "-text":
        if entering:
            page.write(node.text_content or "")
    elif tag == "br":
        if entering:
            page.break_line()
    elif tag in _BLOCKS:
        page.end_line()
    elif tag in {"td", "th"} and not entering:
        page.write(" ")
    if tag == "pre":
        page.preformatted += 1 if entering else -1
    _quote(page, node.mem_id, entering, quotes, heads)


def _quote(page: _Page, node: int, entering: bool, quotes: set[int], heads: set[int]) -> None:
    """Go in and out of quotes; below a head of Outlook's all is quoted until the quote around it ends."""
    if node in quotes:
        page.end_line()
        if entering:
            page.outside.append(page.depth)
            page.depth += 1
        else:
            page.depth = page.outside.pop()
    elif node in heads and entering:
        page.end_line()
        page.depth = (page.outside[-1] + 1 if page.outside else 0) + 1
