"""A game is made, as a master asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlmodel import Session, col, select

from corr.core.addresses import normal, split_plus
from corr.core.chance import SeededChance
from corr.core.names import LONGEST_NAME, fold_name
from corr.core.pace import allowance
from corr.core.talk import Press
from corr.core.turn import AnyEngine
from corr.registry import game_of
from corr.service.addresses import is_usable
from corr.service.invitation import SEED_BYTES, begin, invite
from corr.service.office import Office
from corr.service.sitting import Sitting
from corr.store.people import enrol
from corr.store.tables import Game, Player, SeatRow, Tenure
from engines.api import Problem

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without those that look alike
CODE_LENGTH = 4
KEY_BYTES = 32
TIMEOUTS = ("loss", "claim", "nothing")


@dataclass(frozen=True, slots=True)
class Invited:
    """A place at the new table."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that a master asks for."""

    engine: str
    seats: Sequence[Invited]
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    pace: str | None = None  # for every pace of the game; None: the game's own
    timeout: str = "loss"
    press: Press = "open"
    locale: str = "en"
    at_once: bool = False  # begin without asking: the master vouches for the addresses


def new_game(office: Office, wish: Wish) -> str | Problem:
    """Make a game and invite its players; returns its code, or why it cannot be."""
    engine = office.engines.newest(wish.engine)
    if engine is None:
        known = ", ".join(sorted({game_of(one) for one in office.engines}))
        return Problem("lobby.no-engine", {"engine": wish.engine, "known": known})
    if (problem := _unfit(office, engine, wish)) is not None:
        return problem
    with office.database.session() as session:
        game = lay(session, office, engine, wish)
        seat_players(session, office, game, wish)
        (begin if wish.at_once else invite)(Sitting(session, office, game))
        return game.code


def _unfit(office: Office, engine: AnyEngine, wish: Wish) -> Problem | None:
    """Say what of a wish cannot be had."""
    if (problem := wrong_number(engine, len(wish.seats))) is not None:
        return problem
    if (problem := next(filter(None, (unfit_chair(office, one) for one in wish.seats)), None)) is not None:
        return problem
    if wish.timeout not in TIMEOUTS:
        return Problem("lobby.no-timeout", {"value": wish.timeout, "known": ", ".join(TIMEOUTS)})
    if wish.pace is not None and isinstance(bad := allowance(wish.pace), Problem):
        return bad
    return twice(wish.seats) or bad_option(engine, wish.options) or _rehearse(engine, wish)


def wrong_number(engine: AnyEngine, asked: int) -> Problem | None:
    """Refuse a game for *asked* players, if it is not made for so many."""
    seats = engine.info.seats
    if asked in seats:
        return None
    if len(seats) == 1:
        return Problem("lobby.seats-exactly", {"asked": asked, "seats": seats[0]})
    return Problem("lobby.seats", {"asked": asked, "fewest": seats[0], "most": seats[-1]})


def unfit_chair(office: Office, chair: Invited) -> Problem | None:
    """Refuse a name that no subject can hold, what is no address, and corr's own: it never answers itself."""
    if len(chair.name) > LONGEST_NAME or not chair.name.isprintable():
        return Problem("lobby.bad-name", {"name": chair.name, "most": LONGEST_NAME})
    if not is_usable(chair.address):
        return Problem("lobby.bad-address", {"address": chair.address, "name": chair.name})
    if normal(split_plus(chair.address)[0]) == normal(office.address):
        return Problem("lobby.own-address", {"address": chair.address, "name": chair.name})
    return None


def twice(seats: Sequence[Invited]) -> Problem | None:
    """Refuse two seats under one name or one address, which could not be told apart."""
    for given, key in (
        ([chair.name.casefold() for chair in seats], "lobby.name-twice"),
        ([normal(chair.address) for chair in seats], "lobby.address-twice"),
    ):
        if len(set(given)) < len(given):
            return Problem(key)
    return None


def bad_option(engine: AnyEngine, options: Mapping[str, str]) -> Problem | None:
    """Refuse an option that a game has not, and a value that it does not know."""
    known = engine.info.options
    for option, value in options.items():
        if option not in known:
            return Problem(
                "lobby.no-option", {"option": option, "known": ", ".join(sorted({*known, "timeout"}))}
            )
        if known[option] and value not in known[option]:
            listed = ", ".join(known[option])
            return Problem("lobby.no-value", {"option": option, "value": value, "known": listed})
    return None


def _rehearse(engine: AnyEngine, wish: Wish) -> Problem | None:
    """Refuse now what the start would refuse, with luck that is thrown away."""
    facts = engine.setup(len(wish.seats), wish.options, SeededChance(bytes(SEED_BYTES), "rehearsal"))
    return facts if isinstance(facts, Problem) else None


def lay(session: Session, office: Office, engine: AnyEngine, wish: Wish) -> Game:
    """Write a game at which nobody sits yet."""
    paces = {pace: wish.pace or rule for pace, rule in engine.info.paces.items()}
    game = Game(
        code=_free_code(session, office),
        engine=wish.engine,
        rules=engine.info.rules,
        options=dict(wish.options),
        paces=paces,
        policy={"timeout": wish.timeout, "early": "at-once", "press": wish.press},
        created_at=office.clock.now(),
    )
    session.add(game)
    session.flush()
    return game


def seat_players(session: Session, office: Office, game: Game, wish: Wish) -> None:
    """Write the seats of a game, and who is to hold them."""
    now = office.clock.now()
    taken = {fold_name(chair.name) for chair in wish.seats}
    for number, chair in enumerate(wish.seats, 1):
        player = enrol(
            session, chair.name, chair.address, locale=wish.locale, timezone=office.timezone, now=now
        )
        alias = _alias(player, chair.name, taken)
        taken.add(fold_name(alias))
        session.add(SeatRow(game_id=game.id, number=number, alias=alias))
        session.flush()
        key = office.entropy(KEY_BYTES)
        session.add(Tenure(game_id=game.id, seat=number, player_id=player.id, key=key, from_at=now))
    session.flush()


def _alias(player: Player, given: str, taken: set[str]) -> str:
    """Return the name that a player chose, unless another at the table has it; else the one *given*."""
    chosen = player.settings.get("name")
    return chosen if chosen and fold_name(chosen) not in taken else given


def _free_code(session: Session, office: Office) -> str:
    """Draw a code that no game has."""
    while True:
        letters = (CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in office.entropy(CODE_LENGTH))
        code = "".join(letters)
        if session.exec(select(Game.id).where(col(Game.code) == code)).first() is None:
            return code
