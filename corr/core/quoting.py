"""What of a reply is new.

Loss-averse: a line goes only on evidence that a program wrote it, because a
line too many is no order and does no harm, and a line too few was an order.
No rule here takes a line for its leading dash, for "Thanks," or for a lone
"From:".
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import TypeAlias

from corr.core import clients
from corr.core.commands import word
from corr.core.fold import fold, visible
from corr.core.unmarked import beside

MARKER = "##- Reply above this line / この行より上に返信してください -##"
"""The first line of every letter of corr; what stands below it in a reply is corr's own."""

MAX_CHARACTERS = 64 << 10
MAX_LINES = 500
MAX_WIDTH = 1_000
_FULL_WIDTH = 0xFEE0  # from a plain sign to its full-width twin

Lines: TypeAlias = list[str]
Rule: TypeAlias = Callable[[Lines], Lines]


@dataclass(frozen=True, slots=True)
class Cut:
    """The new part of a reply, and which rule took how many lines that say something."""

    lines: tuple[str, ...]  # as typed, without blank ones at both ends
    rules: tuple[tuple[str, int], ...]


def new_lines(text: str, marker: str = MARKER, own: str = "") -> Cut:
    """Return the lines of *text* that its sender typed.

    *own* is the text of the letter that is answered, if it is known: then it is found
    without any mark, too.  *text* is a body as :func:`corr.core.letter.read_letter` gives it.  Reads at
    most 64 Ki characters and 500 lines; a line of more than 1,000 characters is broken.
    """
    lines = _lines(text)
    said = _said(lines)
    rules: list[tuple[str, int]] = []
    for name, rule in _table(marker, own):
        lines = rule(lines)
        left = _said(lines)
        if left < said:
            rules.append((name, said - left))
        said = left
    return Cut(tuple(_trimmed(lines)), tuple(rules))


def folded_lines(text: str) -> tuple[str, ...]:
    """Return the lines of *text* that say something, new or old, folded and without quote marks."""
    lines = (fold(clients.MARKS.sub("", line)) for line in _capped(_lines(text)))
    return tuple(line for line in lines if line)


def traced(text: str, marker: str = MARKER, own: str = "") -> tuple[tuple[str, str | None], ...]:
    """Return every line of *text* with the rule that took it, or None for those that are new.

    *own* is as in :func:`new_lines`.
    """
    lines = _lines(text)
    fates: list[str | None] = [None] * len(lines)
    left = list(range(len(lines)))  # where the lines that are left stood at first
    for name, rule in _table(marker, own):
        given, lines = lines, rule(lines)
        kept = _places(given, lines)
        for at in set(range(len(given))) - set(kept):
            fates[left[at]] = name
        left = [left[at] for at in kept]
    return tuple(zip(_lines(text), fates, strict=True))


def _places(given: Lines, kept: Lines) -> list[int]:
    """Say where each line of *kept* stood in *given*: in the order of both, or near where it was changed."""
    rest = iter(enumerate(given))
    exact = [next((at for at, line in rest if line == wanted), None) for wanted in kept]
    if None not in exact:
        return [at for at in exact if at is not None]
    codes = SequenceMatcher(None, given, kept, autojunk=False).get_opcodes()
    return [
        max(0, min(start + at, end - 1))  # a line that is too wide is broken into several
        for _, start, end, first, last in codes
        for at in range(last - first)
    ]


def _table(marker: str, own: str) -> tuple[tuple[str, Rule], ...]:
    return (
        ("caps", _capped),
        ("marker", lambda given: _below_marker(given, marker)),
        *RULES,
        ("own letter", lambda given: beside(given, own) if own else given),
    )


def _lines(text: str) -> Lines:
    plain = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [line if line == "-- " else line.rstrip() for line in plain.split("\n")]


def _said(lines: Sequence[str]) -> int:
    return sum(map(bool, map(str.strip, lines)))


def _trimmed(lines: Lines) -> Lines:
    said = [at for at, line in enumerate(lines) if line.strip()]
    return lines[said[0] : said[-1] + 1] if said else []


def _capped(lines: Lines) -> Lines:
    """Read only so much: no player writes more, and the rules below stay quick.

    A line that is too wide is a paragraph of talk; it is broken, not cut.
    """
    widths = [len(line) for line in lines]
    if len(widths) <= MAX_LINES and max(widths) <= MAX_WIDTH and sum(widths) <= MAX_CHARACTERS:
        return lines
    kept: Lines = []
    room = MAX_CHARACTERS
    for line in lines[:MAX_LINES]:
        read = line[:room]
        kept += [read[at : at + MAX_WIDTH] for at in range(0, len(read), MAX_WIDTH)] or [""]
        room -= len(read)
    return kept


# The marker


def _below_marker(lines: Lines, marker: str) -> Lines:
    """Drop corr's letter from its first line on.

    A quoted marker is left to the rules for quotes, for there the answer may
    stand below it; so it may below a bare one that is the first thing said at
    all, if not corr's whole letter stands there: then nothing tells them apart.
    """
    found = _find(lines, marker)
    if found is None:
        return lines
    at, end = found
    above = lines[: _unknown_attribution(lines, at)]
    if clients.QUOTED.match(lines[at]):
        return above + lines[at:]
    return above if _said(lines[:at]) or _is_ours(lines[end:]) else lines[end:]


def _is_ours(lines: Lines) -> bool:
    """Know an unquoted letter of corr by its headline, which names the game and may be wrapped."""
    said = islice(filter(str.strip, lines), 3)
    return any(clients.TAG.search(line) and not clients.QUOTED.match(line) for line in said)


def _find(lines: Lines, marker: str) -> tuple[int, int] | None:
    """Find the lines on which the marker stands; it may be quoted and wrapped."""
    wanted = _squeezed(marker)
    first, wide = marker[0], chr(ord(marker[0]) + _FULL_WIDTH)
    for at, line in enumerate(lines):
        if first not in line and wide not in line:
            continue
        squeezed = [_squeezed(each) for each in lines[at : at + 3]]
        for length in (1, 2, 3):
            if 0 <= "".join(squeezed[:length]).find(wanted) < len(squeezed[0]):
                return at, at + length
    return None


def _squeezed(line: str) -> str:
    return "".join(unicodedata.normalize("NFKC", line).replace(">", "").split())


def _unknown_attribution(lines: Lines, at: int) -> int:
    """Return *at*, or the line above that must be an attribution, in any language: corr's words follow it."""
    last = next((line for line in range(at - 1, max(-1, at - 3), -1) if lines[line].strip()), None)
    if last is None or any(
        start + _attribution(lines, start) > last for start in range(max(0, last - 2), last + 1)
    ):
        return at  # nothing there, or one that is understood
    line = lines[last].strip()
    evidence = clients.DATE.search(line) or clients.ADDRESS.search(line)
    return last if evidence and clients.COLON.search(line) else at


# Quoted letters


def _history(lines: Lines) -> Lines:
    """Drop the letter that is answered, and what the program wrote above it.

    Where the quote has its ``>``, what has none was typed, above or below or
    between.  Where it has none, all below its head is old, if something stands
    above or corr's letter below; else it is a forwarded one, or answered below.
    """
    kept: Lines = []
    quoted = [clients.QUOTED.match(line) is not None for line in lines]
    quoting = sum(quoted) > 1
    at = 0
    while at < len(lines):
        length = _head_of_history(lines, at)
        if length:
            follows = _is_quote_next(lines, at + length)
            if not follows and (_says_something(kept) or _is_ours(lines[at + length :])):
                break
            quoting = quoting or follows
        elif not (quoting and quoted[at]):
            kept.append(lines[at])
        at += length or 1
    return kept


def _is_quote_next(lines: Lines, at: int) -> bool:
    following = next((line for line in lines[at:] if line.strip()), "")
    return clients.QUOTED.match(following) is not None


def _says_something(lines: Lines) -> bool:
    return any(line.strip() and not clients.QUOTED.match(line) for line in lines)


def _head_of_history(lines: Lines, at: int) -> int:
    """Return how many lines from *at* on introduce an old letter; 0 if none do."""
    if _may_be_head(lines[at]):
        return _separator(lines, at) or _header_block(lines, at) or _attribution(lines, at)
    return _wrapped_attribution(lines, at)


def _may_be_head(line: str) -> bool:
    """Sort out cheaply what is no head by itself, but for an attribution without its end: most lines."""
    return _has_colon(line) or "@" in line or line.rstrip()[-1:] in clients.RULE_ENDS


def _separator(lines: Lines, at: int) -> int:
    """Measure a separator line with the header block below it; a mere rule is one only above such a block."""
    named = clients.SEPARATOR.fullmatch(lines[at])
    if not named and not clients.RULE.fullmatch(lines[at]):
        return 0
    block = next((line for line in range(at + 1, min(at + 4, len(lines))) if lines[line].strip()), None)
    length = _header_block(lines, block) if block is not None else 0
    if block is not None and length:
        return block - at + length
    return 1 if named else 0


def _header_block(lines: Lines, at: int) -> int:
    """Measure a block such as Outlook's: three kinds of field in a row, with an address or a date.

    ``From: e2`` above ``To: e4`` are orders.
    """
    if not _has_colon(lines[at]) or not any(field.match(lines[at]) for field in clients.FIELDS.values()):
        return 0
    seen: set[str] = set()
    length = 0
    for number, line in enumerate(lines[at : at + 9], 1):
        if not line.strip():
            break
        kinds = {kind for kind, field in clients.FIELDS.items() if field.match(line)}
        seen |= kinds
        length = number if kinds else length
    block = lines[at : at + length]
    address = any("@" in line for line in block)
    dated = "date" in seen and any(clients.DATE.search(line) for line in block)
    return length if len(seen) >= 3 and "from" in seen and (address or dated) else 0


def _attribution(lines: Lines, at: int) -> int:
    """Measure "On … wrote:", also when it was wrapped into two or three lines."""
    bare = clients.BARE_ATTRIBUTION.fullmatch(lines[at].strip())
    return 1 if bare else _wrapped_attribution(lines, at)


def _wrapped_attribution(lines: Lines, at: int) -> int:
    """Measure an attribution with a colon at its end, on one line or more."""
    if clients.QUOTED.match(lines[at]) or not _has_colon("\n".join(lines[at : at + 3])):
        return 0
    for length in (1, 2, 3):
        window = [line.strip() for line in lines[at : at + length]]
        if len(window) < length or not all(window) or any(clients.QUOTED.match(line) for line in window):
            return 0
        if _is_attribution(" ".join(window)):
            return length if length == 1 or _is_wrapped(window) else 0
        if clients.COLON.search(window[-1]) and _is_quote_next(lines, at + length) and _is_verb_last(window):
            return length
    return 0


def _has_colon(line: str) -> bool:
    return ":" in line or "：" in line


def _is_attribution(line: str) -> bool:
    """Ask for two of three kinds of evidence: a date, an address, a verb; the word "On" is none."""
    if not 6 <= len(line) <= 400 or not clients.COLON.search(line):
        return False
    dated = clients.DATE.search(line) is not None
    addressed = "@" in line and clients.ADDRESS.search(line) is not None
    return (dated and addressed) or ((dated or addressed) and clients.WROTE.search(line) is not None)


def _is_verb_last(window: Lines) -> bool:
    """Say whether one line ends in the verb: enough, where a quote follows at once."""
    verbs = list(clients.WROTE.finditer(window[0]))
    return len(window) == 1 and bool(verbs) and len(window[0]) - verbs[-1].end() <= 3


def _is_wrapped(window: Lines) -> bool:
    """Say whether the first line belongs to the attribution that the others end.

    An order above an attribution begins like one ("59 to 15"): where the rest
    is complete with its date, the first line is no part of it.
    """
    first, rest = window[0], " ".join(window[1:])
    if _is_attribution(rest) and (clients.DATE.search(rest) or not clients.DATE.search(first)):
        return False
    named = clients.ADDRESS.search(first) and clients.WROTE.search(first)
    return bool(named or clients.WRAPPED.match(first))


# Feet


def _armour(lines: Lines) -> Lines:
    """Take a clear-signed text out of its armour, and the dashes that were escaped in it (RFC 9580, 7.2)."""
    begin, end = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
    if begin not in lines:
        return lines
    start = lines.index(begin)
    blank = next((at for at in range(start, len(lines)) if not lines[at].strip()), start)
    stop = lines.index(end, blank) if end in lines[blank:] else len(lines)
    return lines[:start] + [line.removeprefix("- ") for line in lines[blank + 1 : stop]]


def _signature(lines: Lines) -> Lines:
    """Drop what stands below ``-- ``, as far as the quote.

    A bare ``--`` is one too if at most six short lines follow and none of them
    could be an order: people write it between two games.
    """
    if not {"-- ", "*-- *", "--"}.intersection(lines):
        return lines
    kept: Lines = []
    ends = [at for at, line in enumerate(lines) if clients.QUOTED.match(line) or _head_of_history(lines, at)]
    ends.append(len(lines))
    at = 0
    while at < len(lines):
        end = ends[bisect_right(ends, at)]
        if lines[at] in {"-- ", "*-- *"} or (lines[at] == "--" and _could_be_signature(lines[at + 1 : end])):
            at = end
        else:
            kept.append(lines[at])
            at += 1
    return kept


def _could_be_signature(lines: Lines) -> bool:
    seventh = next(islice(filter(str.strip, lines), 6, None), None)
    return seventh is None and all(len(line) < 60 for line in lines) and not _orders(lines)


def _orders(lines: Lines) -> bool:
    """Say whether a line among them could be an order or a word of corr."""
    return any(
        word(line.strip()) is not None or (clients.ORDER.match(line) and not clients.CONTACT.search(line))
        for line in lines
    )


def _box(lines: Lines) -> Lines:
    """Drop a signature between long rules at the end, if a way to reach somebody stands in it."""
    kept = _trimmed(lines)
    rules = [at for at, line in enumerate(kept) if clients.BOX.fullmatch(line)]
    if not rules or rules[-1] != len(kept) - 1:
        return lines
    for at in rules[-4:-1]:
        inside = kept[at + 1 :]
        contact = any(clients.CONTACT.search(line) for line in inside)
        if contact and _said(inside) <= 10 and not _orders(inside):
            return kept[:at]
    return lines


def _notice(lines: Lines) -> Lines:
    """Drop confidentiality notices and the like, down to the end, unless an order stands below."""
    for at, line in enumerate(lines):
        if clients.NOTICE.match(line):
            return lines if _orders(lines[at + 1 :]) else lines[:at]
    return lines


def _list_foot(lines: Lines) -> Lines:
    """Drop the foot of a mailing list: a long rule, then at most six lines that say what they are."""
    for at, line in enumerate(lines):
        foot = lines[at + 1 :]
        if clients.BOX.fullmatch(line) and len(line.strip()) >= 20 and _said(foot) <= 6:
            return lines[:at] if any(clients.LIST_FOOT.search(below) for below in foot) else lines
    return lines


def _taglines(lines: Lines) -> Lines:
    """Drop "Sent from my phone" alone, with a rule right above it, never what follows."""
    kept: Lines = []
    for line in lines:
        if clients.TAGLINE.fullmatch(line.strip()):
            if kept and clients.BOX.fullmatch(kept[-1]):
                kept.pop()
        else:
            kept.append(line)
    return kept


def _rules_at_the_end(lines: Lines) -> Lines:
    """Drop lines of nothing but dashes and the like that end the text."""
    kept = _trimmed(lines)
    while kept and (not kept[-1].strip() or clients.RULE.fullmatch(kept[-1])):
        kept.pop()
    return kept


RULES: tuple[tuple[str, Rule], ...] = (
    ("armour", _armour),
    ("signature", _signature),
    ("history", _history),
    ("list foot", _list_foot),
    ("notice", _notice),
    ("box", _box),
    ("tagline", _taglines),
    ("rule at the end", _rules_at_the_end),
)
"""What is taken away after the marker, in order."""
