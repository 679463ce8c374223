"""Folding: one spelling for what keyboards, phones and charsets write in many ways."""

from __future__ import annotations

import re
import unicodedata

# A hyphen or a number counts as the point of a list only with a space behind it: "-3334FU" is a move.
_BEFORE = re.compile(r"(?:[\s>*_•・\"'「『(\[]|-\s|\d{1,3}[.)]\s)*")
_PICTURES = "".join(map(chr, (*range(0x2600, 0x27C0), *range(0x1F300, 0x1FB00))))
# A face is known by its brackets with nothing but signs and round letters between them, or by its colon.
_EYES = r"[^\w?()]|[_oOTvVuxXωДд]"
_FACE = re.compile(
    rf" ?(?:[m\\]?\((?:{_EYES}){{1,10}}(?:\)[mvo/\\;*]{{0,2}})?|\((?:笑|汗|泣)\)"
    r"|\^_?\^;*|[:;]['-]?[()DP]| w{1,6})[.!。 ]*$"
)
_BEHIND = f" *_\"'」』)].。!~{_PICTURES}"
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\ufffc]"
)
_SAME = {
    **dict.fromkeys("‐‑‒–—―⁃−﹘﹣－", "-"),
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("〜～", "~"),
}
_VARIANT = re.compile(f"[{''.join(_SAME)}]")  # four times as fast as a table, on what it leaves as it is
# The long mark is a letter in words ("ゲーム"), but a dash between numbers: it lies on the same key.
_NUMBER = "0-9〇零一二三四五六七八九十"
_LONG_MARK = re.compile(rf"(?<=[{_NUMBER}])\s*[ーｰ─━]\s*(?=[{_NUMBER}])")


def visible(text: str) -> str:
    """Drop what has no width, and make every no-break space a plain one; nothing else changes."""
    return _INVISIBLE.sub("", text).replace("\xa0", " ")


def fold(line: str) -> str:
    """Return *line* as the rules of a game read it.

    NFKC (full-width digits and letters, the ideographic space), nothing
    invisible, every dash a hyphen, every quotation mark a straight one, single
    spaces.  Capitals and kanji numerals stay: they can carry meaning.
    """
    # Both before and after: NFKC breaks up marks such as the acute accent.
    plain = _same(unicodedata.normalize("NFKC", _same(visible(line))))
    return _LONG_MARK.sub("-", " ".join(visible(plain).split()))


def _same(text: str) -> str:
    return _VARIANT.sub(lambda found: _SAME[found[0]], text)


def bare(line: str) -> str:
    """Return a folded line without the marks that people and programs put around it.

    A lone quote mark, the point or number of a list, the stars of a bold word, brackets, a full
    stop, a face, a picture (emoji, a note of music) behind it.
    """
    return _FACE.sub("", _BEFORE.sub("", line, count=1)).rstrip(_BEHIND)
