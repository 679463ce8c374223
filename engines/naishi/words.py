"""What people type, read as orders, and orders written as people type them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import cast

from engines.api import Problem
from engines.naishi.cards import NAMES
from engines.naishi.orders import Act, Order, Verb
from engines.naishi.state import HAND
from engines.naishi.vocabulary import AFTER, COLUMN, HAND_ROW, LINE, RIVER, Token, tokens

LONGEST = 120
"""Letters of a line that can be an order."""

MOST = 3
"""Actions in a line that are read: one and an emissary's, and the word that ends the turn."""

COLUMNS = 5

CARDS_JA = (
    *("山", "内侍", "アドバイザー", "哨兵", "僧侶", "騎士"),
    *("浪人", "忍者", "砦", "鳥居", "田んぼ", "旗"),
)
VERBS = {
    "en": {"river": "swap river", "decree": "impose", "stop": "end turn"},
    "ja": {
        "keep": "残す",
        "develop": "発展",
        "river": "入替 川",
        "swap": "入替",
        "discard": "流す",
        "decree": "強制",
        "recall": "回収",
        "declare": "宣言",
        "stop": "手番終了",
    },
}
ROWS = {"en": (LINE, HAND_ROW, COLUMN), "ja": ("ライン", "手札", "列")}


def parse(words: str) -> Sequence[Order] | Problem:
    """Read a line as an order, legal or not; where it can be understood in several ways, as each of them."""
    found = tokens(words) if len(words) <= LONGEST else None
    if not found or found[-1].value in AFTER:
        return Problem("naishi.unread")
    if not any(token.kind in {"verb", "row", "card"} for token in found):
        return Problem("naishi.unread")
    numbers = (token.value for token in found if token.kind == "number")
    if wrong := [number for number in numbers if not 1 <= int(number) <= COLUMNS]:
        return Problem("naishi.wrong-column", {"column": wrong[0]})
    acts = grouped(found)
    if len(acts) > MOST:
        return Problem("naishi.too-many", {"n": len(acts)})
    read = [readings(act) for act in acts]
    problem = next((each for each in read if isinstance(each, Problem)), None)
    return problem or list(product(*(each for each in read if isinstance(each, list))))


def grouped(found: Sequence[Token]) -> list[list[Token]]:
    """Part a line into actions, of one verb each: the verb comes first, or as in Japanese last."""
    acts: list[list[Token]] = []
    rest: list[Token] = []
    for piece in pieces(found):
        if not any(token.kind == "verb" for token in piece):
            (acts[-1] if acts and acts[-1][0].kind == "verb" else rest).extend(piece)
            continue
        acts += by_verb([*rest, *piece])
        rest = []
    if acts:
        acts[-1] += rest
    return acts or [rest]


def pieces(found: Iterable[Token]) -> Iterator[list[Token]]:
    """Cut at commas and at words such as "then"."""
    piece: list[Token] = []
    for token in found:
        if token.kind != "part":
            piece.append(token)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def by_verb(piece: Sequence[Token]) -> list[list[Token]]:
    """Cut a piece without commas at its verbs, before or behind them."""
    verbs = [at for at, token in enumerate(piece) if token.kind == "verb"]
    cuts = verbs[1:] if piece[0].kind == "verb" else [at + 1 for at in verbs[:-1]]
    return [list(piece[start:end]) for start, end in zip([0, *cuts], [*cuts, len(piece)], strict=True)]


def readings(act: Sequence[Token]) -> list[Act] | Problem:
    """Return what one action can mean; how to write it where it can mean nothing."""
    verb, rows, columns, cards = (
        [token.value for token in act if token.kind == kind] for kind in ("verb", "row", "number", "card")
    )
    if cards:
        keeps = verb in (["keep"], []) and len(cards) == 1 and not columns and set(rows) <= {HAND_ROW}
        return [Act("keep", int(cards[0]))] if keeps else Problem(f"naishi.how.{verb[0] if verb else 'keep'}")
    where = [str(row) for row in rows], [int(column) - 1 for column in columns]
    if not verb:
        return unsaid(*where)
    found = meant(cast("Verb", verb[0]), *where)
    return found or Problem(f"naishi.how.{verb[0]}")


def unsaid(rows: Sequence[str], columns: Sequence[int]) -> list[Act] | Problem:
    """Read an action that names its cards but does not say what to do with them."""
    verbs: tuple[Verb, ...] = ("develop", "decree", "swap", "discard") if rows else ()
    found = [meant(verb, rows, columns) for verb in verbs]
    return [act for acts in found if isinstance(acts, list) for act in acts] or Problem("naishi.unread")


def meant(verb: Verb, rows: Sequence[str], columns: Sequence[int]) -> list[Act] | Problem:
    """Return what a verb can mean with these rows and columns; nothing if it is not written so."""
    named = [row for row in rows if row != COLUMN]
    if verb == "swap":
        return swaps(named, columns)
    if verb == "discard":
        return discards(named, columns)
    if verb == "develop" and RIVER in named:
        return from_river(set(named) - {RIVER}, columns)
    if verb in {"develop", "decree"}:
        return at_one_place(verb, set(named), columns)
    if verb in {"recall", "declare", "stop"}:
        return [] if columns else [Act(verb)]
    return []


def at_one_place(verb: Verb, rows: set[str], columns: Sequence[int]) -> list[Act]:
    """Read what is done with one card: in both rows, where none is named."""
    if len(columns) != 1 or len(rows) > 1:
        return []
    return [Act(verb, place(row, columns[0])) for row in (LINE, HAND_ROW) if row in (rows or {row})]


def from_river(rows: set[str], columns: Sequence[int]) -> list[Act]:
    """Read a develop that names the pile of the river too, in the same column as the place."""
    return at_one_place("develop", rows, columns[:1]) if rows and len(set(columns)) == 1 else []


def swaps(rows: Sequence[str], columns: Sequence[int]) -> list[Act] | Problem:
    """Read a swap: in one row, or between line and hand."""
    if RIVER in rows and len(set(rows)) > 1:
        return Problem("naishi.river-apart")
    if set(rows) == {LINE, HAND_ROW} or (not rows and len(columns) == 1):
        return across(rows, columns)
    if len(columns) != 2:
        return []
    if columns[0] == columns[1]:
        return Problem("naishi.same-column", {"column": columns[0] + 1})
    first, second = sorted(columns)
    acts = {
        RIVER: Act("river", first, second),
        LINE: Act("swap", first, second),
        HAND_ROW: Act("swap", HAND + first, HAND + second),
    }
    return [act for row, act in acts.items() if row in (rows or acts)]


def across(rows: Sequence[str], columns: Sequence[int]) -> list[Act]:
    """Read a swap of a card of the line and one of the hand, each with its column or both with one."""
    if len(columns) == 1:
        return [Act("swap", columns[0], HAND + columns[0])]
    if len(columns) != 2 or len(rows) != 2:
        return []
    first, second = sorted(map(place, rows, columns))
    return [Act("swap", first, second)]


def discards(rows: Sequence[str], columns: Sequence[int]) -> list[Act] | Problem:
    """Read a discard from the river."""
    if set(rows) - {RIVER}:
        return Problem("naishi.river-apart")
    if len(columns) != 2:
        return []
    if columns[0] == columns[1]:
        return Problem("naishi.same-column", {"column": columns[0] + 1})
    return [Act("discard", min(columns), max(columns))]


def place(row: str, column: int) -> int:
    """Return the place of a column in the line or in the hand."""
    return column + (HAND if row == HAND_ROW else 0)


def spell(order: Order, lang: str) -> str:
    """Write an order as a reader of *lang* types it."""
    return ("、" if lang == "ja" else ", ").join(spelt(act, lang) for act in order)


def spelt(act: Act, lang: str) -> str:
    """Write one action."""
    verb = VERBS[lang].get(act.verb, act.verb)
    if act.verb == "keep":
        return f"{CARDS_JA[act.first]}を{verb}" if lang == "ja" else f"{verb} {NAMES[act.first]}"
    if act.verb in {"develop", "decree"}:
        return f"{verb} {at(act.first, lang)}"
    if act.verb == "swap":
        return f"{verb} {both(act.first, act.second, lang)}"
    if act.verb in {"river", "discard"}:
        return f"{verb} {act.first + 1} {act.second + 1}"
    return verb


def at(spot: int, lang: str) -> str:
    """Write a place: ``line 2``."""
    return f"{ROWS[lang][spot // HAND]} {spot % HAND + 1}"


def both(first: int, second: int, lang: str) -> str:
    """Write two places: ``line 1 3``, ``column 3``, ``line 1 hand 3``."""
    if first // HAND == second // HAND:
        return f"{at(first, lang)} {second % HAND + 1}"
    if first % HAND == second % HAND:
        return f"{ROWS[lang][2]} {first + 1}"
    return f"{at(first, lang)} {at(second, lang)}"
