"""PostgreSQL is told of changes without waiting; what it answers is heard in time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import bindparam, insert, text, update
from sqlalchemy import select as select_core
from sqlalchemy.exc import IntegrityError, InternalError, OperationalError
from sqlmodel import Session, col, func, select

from corr.store.session import Database
from corr.store.statement import Statement, named
from corr.store.tables import Game, SeatRow
from tests.store.rows import a_game

SIT = Statement(insert(SeatRow).values(named("game_id", "number", "alias")))
MOVE = Statement(update(Game).where(col(Game.id) == bindparam("number")).values(named("seq")))
COUNT = Statement(select_core(func.count(col(SeatRow.id))))


def sit(session: Session, game: int, number: int = 1) -> None:
    SIT.run(session, game_id=game, number=number, alias="Aoi")


@pytest.fixture
def game(database: Database) -> int:
    with database.session() as session:
        return a_game(session).id


@pytest.fixture
def contested(shared: Database) -> int:
    """Give a game where several transactions run at once."""
    with shared.session() as session:
        return a_game(session).id


def sitting(database: Database) -> int:
    with database.session() as session:
        return session.exec(select(func.count(col(SeatRow.id)))).one()


def by_statement(session: Session) -> int:
    return int(COUNT.value(session))


def by_sqlalchemy(session: Session) -> int:
    return session.exec(select(func.count(col(SeatRow.id)))).one()


@pytest.mark.parametrize("count", [by_statement, by_sqlalchemy])
def test_whoever_asks_sees_what_was_told_before(
    database: Database, game: int, count: Callable[[Session], int]
) -> None:
    with database.session() as session:
        for number in (1, 2, 3):
            sit(session, game, number)
            assert count(session) == number
    assert sitting(database) == 3


def test_what_was_told_is_there_when_the_transaction_ends(database: Database, game: int) -> None:
    with database.session() as session:
        sit(session, game)
    assert sitting(database) == 1


def test_what_was_told_is_gone_when_the_transaction_is_taken_back(database: Database, game: int) -> None:
    def stumble() -> None:
        with database.session() as session:
            sit(session, game)
            raise LookupError

    with pytest.raises(LookupError):
        stumble()
    assert sitting(database) == 0


def set_savepoint(session: Session) -> None:
    session.begin_nested()


def end(_session: Session) -> None:
    pass


@pytest.mark.parametrize("wait", [by_statement, by_sqlalchemy, set_savepoint, end])
def test_who_waits_first_raises_what_went_wrong(
    database: Database, game: int, wait: Callable[[Session], object]
) -> None:
    """Nothing of the transaction is done, and the connection is as good as new."""

    def twice() -> None:
        with database.session() as session:
            sit(session, game)
            sit(session, game)
            wait(session)

    for _ in range(2):
        with pytest.raises(IntegrityError, match="INSERT INTO seats"):
            twice()
        assert sitting(database) == 0
    with database.session() as session:
        sit(session, game)
    assert sitting(database) == 1


def test_a_savepoint_takes_back_what_was_told_in_it_and_no_more(database: Database, game: int) -> None:
    with database.session() as session:
        sit(session, game, 1)
        attempt = session.begin_nested()
        sit(session, game, 2)
        attempt.rollback()
        sit(session, game, 3)
    with database.session() as session:
        assert session.exec(select(SeatRow.number).order_by(col(SeatRow.number))).all() == [1, 3]


def test_what_goes_wrong_in_a_savepoint_is_raised_there(database: Database, game: int) -> None:
    def twice(session: Session) -> None:
        with session.begin_nested():
            sit(session, game, 2)
            sit(session, game, 2)

    with database.session() as session:
        sit(session, game, 1)
        with pytest.raises(IntegrityError):
            twice(session)
        sit(session, game, 3)
    assert sitting(database) == 2


def test_a_statement_that_failed_in_a_savepoint_can_be_run_again(shared: Database, contested: int) -> None:
    """Although the driver was about to prepare the one behind it."""
    with shared.session() as session:
        session.begin_nested().rollback()
    for seq in range(5):  # psycopg prepares at the sixth time
        with shared.session() as session:
            MOVE.run(session, number=contested, seq=seq)

    def stumble(session: Session) -> None:
        with session.begin_nested():
            sit(session, contested)
            sit(session, contested)
            MOVE.run(session, number=contested, seq=7)

    with shared.session() as session, pytest.raises(IntegrityError):
        stumble(session)
    with shared.session() as session:
        MOVE.run(session, number=contested, seq=8)
    with shared.session() as session:
        assert session.get_one(Game, contested).seq == 8


def test_nothing_is_logged_of_a_transaction_that_fails(
    shared: Database, contested: int, caplog: pytest.LogCaptureFixture
) -> None:
    def twice() -> None:
        with shared.session() as session:
            sit(session, contested)
            sit(session, contested)

    for _ in range(20):
        with pytest.raises(IntegrityError):
            twice()
    assert not caplog.records


def test_what_is_raised_beside_a_change_that_fails_is_what_is_heard(shared: Database, contested: int) -> None:
    """Nobody waited for the change, so nobody asks what became of it."""

    def stumble() -> None:
        with shared.session() as session:
            sit(session, contested)
            sit(session, contested)
            raise LookupError

    with pytest.raises(LookupError):
        stumble()
    assert sitting(shared) == 0


@pytest.mark.parametrize("many", [True, False])
def test_what_went_wrong_before_a_savepoint_is_not_committed_when_that_is_overheard(
    shared: Database, contested: int, many: bool
) -> None:
    """Who begins the savepoint hears of it first, and takes it for a trouble of its own."""

    def overhear() -> None:
        with shared.session() as session:
            sit(session, contested, 1)
            sit(session, contested, 1)
            with suppress(IntegrityError), session.begin_nested():
                sit(session, contested, 2)
            if many:
                sit(session, contested, 3)

    with pytest.raises(InternalError, match="aborted"):
        overhear()
    assert sitting(shared) == 0


def test_changes_and_objects_of_a_session_are_written_in_their_order(database: Database, game: int) -> None:
    with database.session() as session:
        MOVE.run(session, number=game, seq=1)
        row = session.get_one(Game, game)
        assert row.seq == 1
        row.seq = 2
        MOVE.run(session, number=game, seq=3)
    with database.session() as session:
        assert session.get_one(Game, game).seq == 3


def test_a_change_is_not_waited_for(shared: Database, contested: int) -> None:
    """A change that another transaction holds up lets corr go on until it asks."""
    impatient = text("SET LOCAL lock_timeout = '10s'")
    with shared.session() as second, shared.session() as first:
        second.connection().execute(impatient)
        MOVE.run(first, number=contested, seq=1)
        assert by_statement(first) == 0
        MOVE.run(second, number=contested, seq=2)  # it would wait here until it is refused
    with shared.session() as session:
        assert session.get_one(Game, contested).seq == 2


def test_a_connection_that_is_lost_after_a_change_is_given_up(shared: Database, contested: int) -> None:
    def lose() -> None:
        with shared.session() as session:
            number = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
            sit(session, contested)
            with shared.session() as other:
                other.connection().execute(text(f"SELECT pg_terminate_backend({number})"))

    with pytest.raises(OperationalError) as raised:
        lose()
    assert raised.value.connection_invalidated
    with shared.session() as session:
        assert by_statement(session) == 0
        sit(session, contested)
    assert sitting(shared) == 1
