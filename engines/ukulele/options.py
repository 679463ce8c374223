"""Options of a game, and the squares on which it starts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engines.api import Chance, Phrase, Problem, Seat
from engines.ukulele.board import BLACK, RANKS, SQUARES, WHITE, bits, turned
from engines.ukulele.facts import Began, Laws, Position
from engines.ukulele.turn import judge

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "array": (),
    "first_player": ("random", "1", "2"),
    "handicap": tuple("123456789"),
    "can_move": ("legal", "geometric"),
    "repetition": ("fourfold", "off"),
    "move_cap": (),
    "position": (),
}

SQUARES_OF_RANKS = {depth: [sq for rank in RANKS[9 - depth :] for sq in rank] for depth in (2, 3, 4)}

ARRAYS: Mapping[str, tuple[int, ...]] = {
    f"{kind}{depth}": tuple(sorted(sq for sq in camp if kind == "full" or (sq // 10 + sq % 10) % 2 == 0))
    for depth, camp in SQUARES_OF_RANKS.items()
    for kind in ("checker", "full")
}
"""Black's camps by name: the last ranks, whole or only their even squares."""

POSITION = re.compile(r"((?:[bw.]{9}/){8}[bw.]{9}) +([bw]) +(-|b|w|bw)(?: +([1-9][0-9]{0,5}))?")
"""Nine rows, the mover, the sides whose restriction has fallen, the number of the turn."""


def begin(options: Mapping[str, str], chance: Chance) -> Began | Problem:
    """Settle the options, place the men and draw who has Black."""
    laws = settle(options)
    if isinstance(laws, Problem):
        return laws
    position = placed(laws, options.get("position", ""))
    if isinstance(position, Problem):
        return position
    first = options.get("first_player", "random")
    if first == "random" and laws.handicap > 1:
        return Problem("ukulele.handicap-needs-black")
    drawn = first == "random"
    black = chance.pick("first_player", (Seat(1), Seat(2))) if drawn else Seat(int(first))
    return Began(black, laws, position)


def settle(options: Mapping[str, str]) -> Laws | Problem:
    """Read all options but the position and the first player."""
    for option, value in options.items():
        if OPTIONS.get(option) and value not in OPTIONS[option]:
            return Problem(
                "ukulele.bad-option",
                {
                    "option": Phrase(f"ukulele.option.{option}"),
                    "value": value,
                    "known": ", ".join(OPTIONS[option]),
                },
            )
    array = options.get("array", "checker3")
    camp = read_camp(array)
    if isinstance(camp, Problem):
        return camp
    cap = options.get("move_cap", "none")
    if cap != "none" and not re.fullmatch(r"[1-9][0-9]{0,5}", cap):
        return Problem("ukulele.bad-cap", {"value": cap})
    return Laws(
        array=array,
        camp=camp,
        can_move=options.get("can_move", "legal"),
        fourfold=options.get("repetition", "fourfold") == "fourfold",
        move_cap=None if cap == "none" else int(cap),
        handicap=int(options.get("handicap", "1")),
    )


def read_camp(array: str) -> tuple[int, ...] | Problem:
    """Read Black's camp: a name, or squares like ``59,48``."""
    if array in ARRAYS:
        return ARRAYS[array]
    words = re.split(r"[,\s]+", array.strip())
    known = {str(square): square for square in SQUARES}
    if not all(word in known for word in words) or len(set(words)) < len(words):
        return Problem("ukulele.bad-array", {"array": array, "known": ", ".join(sorted(ARRAYS))})
    camp = tuple(sorted(known[word] for word in words))
    return fault(camp) or camp


def fault(camp: tuple[int, ...]) -> Problem | None:
    """Return what makes a camp unplayable."""
    black, white = bits(camp), bits(map(turned, camp))
    if black & white:
        return Problem("ukulele.array-overlaps")
    for parity in (0, 1):
        ranks = {square % 10 for square in camp if (square // 10 + square) % 2 == parity}
        if len(ranks) == 1:
            return Problem("ukulele.array-one-rank", {"rank": min(ranks)})
    if not judge(black, white, BLACK, lifted=False, camp=black, geometric=False).moves:
        return Problem("ukulele.array-stuck")
    return None


def placed(laws: Laws, position: str) -> Position | Problem:
    """Read a written position; without one, place the men in their camps."""
    if not position:
        return Position(starting_rows(laws.camp), BLACK, (False, False), 1)
    match = POSITION.fullmatch(position.strip())
    if match is None:
        return Problem("ukulele.bad-position", {"position": position})
    rows, side, lifted, turn = match.groups()
    for colour in "bw":
        if not 1 <= rows.count(colour) <= len(laws.camp):
            return Problem("ukulele.bad-count", {"most": len(laws.camp)})
    flags = ("b" in lifted, "w" in lifted)
    return Position(tuple(rows.split("/")), BLACK if side == "b" else WHITE, flags, int(turn or 1))


def starting_rows(camp: tuple[int, ...]) -> tuple[str, ...]:
    """Draw the board with all men in their camps."""
    men = dict.fromkeys(camp, "b") | dict.fromkeys(map(turned, camp), "w")
    return tuple("".join(men.get(square, ".") for square in rank) for rank in RANKS)
