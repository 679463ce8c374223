"""A game is set up again from its record, as an operator asks for it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast, get_args

from sqlmodel import Session

from corr.core.names import LONGEST_NAME, fold_name
from corr.core.pace import allowance
from corr.core.record import Header, Record, read
from corr.core.rerun import fitted, played
from corr.core.talk import Press
from corr.core.turn import AnyEngine, Turn, status
from corr.registry import game_of
from corr.service import lobby
from corr.service.invitation import launch
from corr.service.lobby import TIMEOUTS, Invited, Wish, twice, unfit_chair
from corr.service.office import Office
from corr.service.sitting import Sitting, luck_of
from corr.store import games
from corr.store.tables import Audit, SeatRow
from engines.api import Outcome, Problem

PRESSES: tuple[str, ...] = get_args(Press)


class Restored(NamedTuple):
    """The game that a record came to."""

    code: str
    status: str
    position: int


def restore(office: Office, text: str, players: Sequence[Invited], locale: str) -> Restored | Problem:
    """Store the game of the record in *text*, or say why it cannot be; nothing is stored then.

    A game that is over is kept as it ended.  One that goes on needs its *players*, in the
    order of the seats; a master vouches for their addresses, and they get a letter at once,
    from which they play on.  *locale* is the language of players who are new.
    """
    record = read(text)
    if isinstance(record, Problem):
        return record
    engine = office.engines.named(record.header.rules)
    if engine is None:
        known = ", ".join(sorted(one.info.rules for one in office.engines))
        return Problem("record.no-rules", {"rules": record.header.rules, "known": known})
    record = fitted(engine, record)
    if (problem := _unfit(engine, record)) is not None:
        return problem
    turn = played(engine, record, luck_of(record.header.seed, record.header.luck))
    if isinstance(turn, Problem):
        return turn
    over = isinstance(status(engine, turn.after), Outcome)
    if (problem := _unfit_players(office, record.header, players, over=over)) is not None:
        return problem
    header, terms = record.header, cast("Press", record.header.press)
    wish = Wish(
        engine=game_of(engine),
        seats=players,
        options=header.options,
        timeout=header.timeout,
        press=terms,
        locale=locale,
    )
    with office.database.session() as session:
        return _stored(session, office, engine, header, turn, wish)


def _unfit(engine: AnyEngine, record: Record) -> Problem | None:
    """Say what of a header no game can have, and on which line it stands."""
    if (problem := lobby.wrong_number(engine, len(record.header.names))) is not None:
        return problem
    for key, problem in _faults(engine, record.header):
        return record.fault(key, problem)
    return None


def _faults(engine: AnyEngine, header: Header) -> Iterator[tuple[str, Problem]]:
    """Yield the headings that cannot be, each with the reason."""
    folded: set[str] = set()
    for seat, name in header.names.items():
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            yield f"seat {seat}", Problem("lobby.bad-name", {"name": name, "most": LONGEST_NAME})
        if fold_name(name) in folded:
            yield f"seat {seat}", Problem("lobby.name-twice")
        folded.add(fold_name(name))
    for option, value in header.options.items():
        if (problem := lobby.bad_option(engine, {option: value})) is not None:
            yield f"option {option}", problem
    if header.digest and header.digest != hashlib.sha256(header.seed).hexdigest():
        yield "digest", Problem("record.other-seed")
    yield from _bad_terms(header)


def _bad_terms(header: Header) -> Iterator[tuple[str, Problem]]:
    """Yield the terms between the players that cannot be."""
    for pace, rule in header.paces.items():
        if isinstance(problem := allowance(rule), Problem):
            yield f"pace {pace}", problem
    if header.timeout not in TIMEOUTS:
        known = ", ".join(TIMEOUTS)
        yield "timeout", Problem("lobby.no-timeout", {"value": header.timeout, "known": known})
    if header.press not in PRESSES:
        yield "press", Problem("record.no-press", {"value": header.press, "known": ", ".join(PRESSES)})


def _unfit_players(
    office: Office, header: Header, players: Sequence[Invited], *, over: bool
) -> Problem | None:
    """Refuse people where nobody plays on, and who cannot sit where they are put."""
    if over:
        return Problem("record.over") if players else None
    if len(players) != len(header.names):
        return Problem("record.players", {"asked": len(players), "seats": len(header.names)})
    for seat, chair in zip(header.names, players, strict=True):
        if (problem := unfit_chair(office, chair)) is not None:
            return problem
        others = (name for other, name in header.names.items() if other != seat)
        if any(fold_name(name) == fold_name(chair.name) for name in others):
            return Problem("record.other-chair", {"name": chair.name, "seat": seat})
    return twice(players)


def _stored(
    session: Session, office: Office, engine: AnyEngine, header: Header, turn: Turn, wish: Wish
) -> Restored:
    """Write the game as if it had been played here, under its own code if that is free."""
    game = lobby.lay(session, office, engine, wish)
    if games.game_by_code(session, header.code) is None:
        game.code = header.code
    if game.code != header.luck:
        game.policy = {**game.policy, "luck": header.luck}
    game.seed = header.seed
    game.paces = {pace: header.paces.get(pace, rule) for pace, rule in game.paces.items()}
    if wish.seats:
        lobby.seat_players(session, office, game, wish)
    else:
        session.add_all(
            SeatRow(game_id=game.id, number=seat, alias=name) for seat, name in header.names.items()
        )
        session.flush()
    launch(Sitting(session, office, game), turn)
    game.started_at = header.begun or game.started_at
    if game.outcome and game.outcome["reason"] == "void":
        game.status = "void"
    session.add(Audit(actor="operator", act="import", game_id=game.id, at=office.clock.now()))
    return Restored(game.code, game.status, game.position)
