"""What is handed to the driver is what SQLAlchemy would have run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, text
from sqlalchemy import select as select_core
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session, col, select

from corr.store.loading import Loader
from corr.store.session import Database
from corr.store.statement import Statement, named
from corr.store.tables import Audit, Game, SeatRow
from tests.store.rows import NOW, a_game

NOTE = Statement(insert(Audit).values(named("actor", "act", "game_id", "before", "after", "reason", "at")))
GAME = Loader(Game)
GAMES = Statement(select_core(*GAME.columns).order_by(col(Game.code)))
NAMED = Statement(select_core(*GAME.columns).where(col(Game.code) == bindparam("code")))
SIT = Statement(insert(SeatRow).values(named("game_id", "number", "alias")))


def note(session: Session, before: object, number: int | None = None) -> None:
    NOTE.run(session, actor="a", act="b", game_id=number, before=before, after=None, reason="", at=NOW)


def test_values_are_written_and_read_as_sqlalchemy_does(database: Database) -> None:
    """JSON, nothing at all, instants, and letters of every kind."""
    with database.session() as session:
        note(session, {"語": ["%", "?", ":x"]})
    with database.session() as session:
        row = session.exec(select(Audit)).one()
    assert (row.before, row.after, row.at) == ({"語": ["%", "?", ":x"]}, None, NOW)


def test_objects_are_those_that_a_query_gives(database: Database) -> None:
    with database.session() as session:
        a_game(session, code="B", options={"a": "b"}, seed=bytes(32), outcome=None)
        a_game(session, code="A")
    with database.session() as session:
        queried = [game.model_dump() for game in session.exec(select(Game).order_by(col(Game.code)))]
    with database.session() as session:
        loaded = [GAME.of(session, row).model_dump() for row in GAMES.rows(session)]
    assert loaded == queried


def test_a_session_writes_what_is_changed_about_an_object(database: Database) -> None:
    with database.session() as session:
        a_game(session, code="A")
    with database.session() as session:
        GAME.of(session, NAMED.rows(session, code="A")[0]).phase_key = "move-7"
    with database.session() as session:
        assert session.exec(select(Game.phase_key)).one() == "move-7"


def test_an_object_is_one_however_often_it_is_read(database: Database) -> None:
    with database.session() as session:
        game = a_game(session, code="A")
        assert GAME.of(session, NAMED.rows(session, code="A")[0]) is game


def test_what_waits_in_a_session_is_seen(database: Database) -> None:
    with database.session() as session:
        game = a_game(session, code="A")
        game.phase_key = "move-1"
        assert GAME.detached(NAMED.rows(session, code="A")[0]).phase_key == "move-1"


def test_an_object_that_is_read_anew_becomes_what_is_stored(shared: Database) -> None:
    with shared.session() as session:
        a_game(session, code="A", phase_key="old")
    with shared.session() as session:
        game = GAME.of(session, NAMED.rows(session, code="A")[0])
        with shared.session() as other:
            other.exec(select(Game)).one().phase_key = "new"
        row = NAMED.rows(session, code="A")[0]
        assert GAME.of(session, row).phase_key == "old"
        assert GAME.anew(session, row) is game
        assert game.phase_key == "new"
        assert not session.dirty


def test_an_object_of_no_session_is_written_by_nobody(database: Database) -> None:
    with database.session() as session:
        a_game(session, code="A", phase_key="old")
    with database.session() as session:
        GAME.detached(NAMED.rows(session, code="A")[0]).phase_key = "new"
    with database.session() as session:
        assert session.exec(select(Game.phase_key)).one() == "old"


def one_by_one(session: Session, row: dict[str, Any]) -> None:
    SIT.run(session, **row)
    SIT.run(session, **row)


def together(session: Session, row: dict[str, Any]) -> None:
    SIT.run_each(session, [row, row])


@pytest.mark.parametrize("way", [one_by_one, together])
def test_an_error_is_sqlalchemys_and_tells_no_values(
    database: Database, way: Callable[[Session, dict[str, Any]], None]
) -> None:
    def twice() -> None:
        with database.session() as session:
            game = a_game(session)
            row = {"game_id": game.id, "number": 1, "alias": "a secret of Aoi"}
            way(session, row)

    with pytest.raises(IntegrityError) as raised:
        twice()
    assert "INSERT INTO seats" in str(raised.value)
    assert "a secret of Aoi" not in str(raised.value)
    with database.session() as session:
        assert session.exec(select(Game)).all() == []


def test_many_rows_are_written_at_once(database: Database) -> None:
    with database.session() as session:
        game = a_game(session)
        SIT.run_each(session, [{"game_id": game.id, "number": n, "alias": "x"} for n in (1, 2, 3)])
        SIT.run_each(session, [])
        assert [row.number for row in session.exec(select(SeatRow).order_by(col(SeatRow.number)))] == [
            1,
            2,
            3,
        ]


def test_a_lost_connection_is_given_up_and_the_next_one_works(shared: Database) -> None:
    """As when the server is started anew: who was in the middle is told, and nobody else notices."""

    def lose() -> None:
        with shared.session() as session:
            number = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
            with shared.session() as other:
                other.connection().execute(text(f"SELECT pg_terminate_backend({number})"))
            GAMES.rows(session)

    with pytest.raises(OperationalError) as raised:
        lose()
    assert raised.value.connection_invalidated
    with shared.session() as session:
        assert GAMES.rows(session) == []
