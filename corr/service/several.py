"""One letter about several games of its writer: each part is judged in its own game.

The mark proves who writes.  In the other games nothing tells which position the writer
looks at, so a part answers the newest letter of that game that had been sent to him.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel import Session

from corr.core.letter import Letter
from corr.core.marks import Mark
from corr.core.page import Fate, Line
from corr.core.reading import by_game, read
from corr.service import talk, waiting
from corr.service.office import Office
from corr.service.play import play
from corr.store import chairs, games
from corr.store.chairs import Chair
from corr.store.claim import lock_game
from corr.store.tables import Game, Inbound
from engines.api import Problem, Seat


def lock(session: Session, chair: Chair, letter: Letter) -> Mapping[str, Game]:
    """Lock the game of a letter, and the running games of its writer that it names; by their codes.

    All workers lock in the same order, so that none waits for another that waits for it.
    """
    named = {code for code, _ in by_game(letter) if code}
    own = games.games_of(session, chair.player_id) if named and chair.player_id is not None else ()
    others = {one.id for one in own if one.code in named and one.status == "running"}
    locked = (lock_game(session, number) for number in sorted({chair.game_id, *others}))
    return {one.code: one for one in locked}


def play_all(
    session: Session,
    office: Office,
    locked: Mapping[str, Game],
    seat: Seat,
    mark: Mark,
    letter: Letter,
    inbound: Inbound,
) -> None:
    """Judge the parts of a letter of the holder of *seat*, each in the game that it names.

    A reply to talk is one part: in it, such a line is said.
    """
    game, (first, *others) = locked[mark.code], by_game(letter)
    if not others or talk.answered(session, game, mark) is not None:
        play(session, office, game, seat, mark, letter, inbound)
        return
    player = chairs.holders(session, game.id)[seat].player.id
    unknown = [line for code, part in others if code not in locked for line in _unknown(code, part)]
    if unknown or read(first[1]).lines:
        play(session, office, game, seat, mark, first[1], inbound, tuple(unknown))
    for code, part in others:
        if code in locked:
            _play_other(session, office, locked[code], player, part, inbound)
    inbound.game_id, inbound.seat = game.id, seat


def _unknown(code: str, part: Letter) -> list[Line]:
    """Refuse what was meant for a game that the writer does not play in."""
    why = Problem("intake.other-game", {"code": code})
    return [Line(text, Fate.REFUSED, why) for text, _ in read(part).lines]


def _play_other(
    session: Session, office: Office, game: Game, player: int, letter: Letter, inbound: Inbound
) -> None:
    seat = chairs.seat_of(session, game.id, player)
    before = (inbound.status, inbound.problem)
    play(session, office, game, seat, waiting.understood(session, game, seat, inbound), letter, inbound)
    if before[0] == "done":
        inbound.status, inbound.problem = before
