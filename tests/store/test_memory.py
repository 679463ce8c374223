"""What a process remembers of a game is what is stored, whoever wrote it."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from corr.core.turn import Entry
from corr.store import games
from corr.store.claim import lock_game
from corr.store.memory import Memory, Past
from corr.store.session import Database, open_database
from corr.store.tables import Event, Game
from engines.api import Seat
from tests.databases import statements
from tests.games.tictactoe import ENGINE, Board, Marked, TicTacToe
from tests.store.rows import NOW, a_game, a_seat

FIRST = Seat(1)
BEGUN = Entry(None, None, "setup", "setup", (Board("." * 9),))


@pytest.fixture
def game(database: Database) -> int:
    """Give a game in which cell 1 is marked."""
    with database.session() as session:
        row = a_game(session, engine="tictactoe", rules=ENGINE.info.rules)
        a_seat(session, row, 1)
        a_seat(session, row, 2)
        append(session, row, BEGUN)
        mark(session, row, 1)
        return row.id


def append(session: Session, game: Game, *entries: Entry) -> None:
    """Write entries that open no phase."""
    games.append(session, ENGINE, game, entries, NOW, None, position=game.position, phase_key=game.phase_key)


def mark(session: Session, game: Game, cell: int) -> None:
    """Write the fact that a cell was marked."""
    entry = Entry(FIRST, str(cell), "move-1", "order", (Marked(FIRST, cell - 1),))
    append(session, game, entry)
    session.flush()


def add(database: Database, game: int, cell: int) -> None:
    with database.session() as session:
        mark(session, session.get_one(Game, game), cell)


def read(session: Session, database: Database, game: int, engine: TicTacToe = ENGINE) -> Past:
    row = lock_game(session, game)
    newest = session.exec(
        select(Event.at).where(col(Event.game_id) == game).order_by(col(Event.seq).desc())
    ).first()
    return games.past(session, database.memory, engine, row, newest)


def past(database: Database, game: int) -> Past:
    with database.session() as session:
        return read(session, database, game)


def words(past: Past) -> list[str | None]:
    return [entry.words for entry in past.log if entry.cause == "order"]


def test_a_game_is_remembered_as_it_would_be_read(database: Database, game: int) -> None:
    past(database, game)
    add(database, game, 2)
    remembered = past(database, game)
    database.memory.forget()
    assert remembered == past(database, game)
    assert words(remembered) == ["1", "2"]
    assert len(remembered.history) == 3


def test_what_is_remembered_is_not_read_again(database: Database, game: int) -> None:
    past(database, game)
    with statements(database) as sent:
        past(database, game)
    assert not [sql for sql in sent if "events.body" in sql]


def test_the_facts_of_an_entry_are_numbered_by_the_first_of_them_as_numbers_rise(
    database: Database, game: int
) -> None:
    both = Entry(FIRST, "2", "move-1", "order", (Marked(FIRST, 1), Marked(Seat(2), 2)))
    none = Entry(FIRST, "3", "move-1", "order", ())
    with database.session() as session:
        append(session, session.get_one(Game, game), both, none, both)
        rows = session.exec(select(Event.seq, Event.entry).order_by(col(Event.seq))).all()
    assert rows == [(1, 1), (2, 2), (3, 3), (4, 3), (5, 5), (6, 5)]


def test_what_was_rolled_back_is_not_remembered(database: Database, game: int) -> None:
    """Another event may then have the number and, on SQLite, even the id of one that never was."""
    with database.session() as session:
        mark(session, session.get_one(Game, game), 9)
        assert words(read(session, database, game)) == ["1", "9"]
        session.rollback()
    add(database, game, 2)
    assert words(past(database, game)) == ["1", "2"]


def test_what_a_savepoint_took_back_is_not_remembered(database: Database, game: int) -> None:
    with database.session() as session:
        row = session.get_one(Game, game)
        attempt = session.begin_nested()
        mark(session, row, 9)
        assert words(read(session, database, game)) == ["1", "9"]
        attempt.rollback()
    add(database, game, 2)
    assert words(past(database, game)) == ["1", "2"]


def test_the_end_of_a_savepoint_is_no_commit(database: Database, game: int) -> None:
    with database.session() as session:
        with session.begin_nested():
            mark(session, session.get_one(Game, game), 9)
            assert words(read(session, database, game)) == ["1", "9"]
        session.rollback()
    add(database, game, 2)
    assert words(past(database, game)) == ["1", "2"]


def test_what_another_process_adds_is_folded_on_top(database: Database, game: int) -> None:
    past(database, game)
    with closing(open_database(database.engine.url.render_as_string(hide_password=False))) as other:
        add(other, game, 2)
        add(other, game, 3)
        assert words(past(database, game)) == ["1", "2", "3"]


def test_a_log_that_does_not_go_on_from_what_is_remembered_is_read_anew(
    database: Database, game: int
) -> None:
    """A backup was restored, or the memory is of another database."""
    real = past(database, game)
    database.memory.keep({game: Past(ENGINE, (7, NOW), (real.log[0],) * 7, (real.history[0],) * 7)})
    assert past(database, game) == real
    database.memory.keep({game: Past(ENGINE, (1, NOW + timedelta(seconds=1)), real.log, real.history)})
    assert past(database, game) == real


def test_other_rules_believe_the_facts_themselves(database: Database, game: int) -> None:
    past(database, game)
    other = TicTacToe()
    with database.session() as session:
        assert read(session, database, game, other).engine is other


def test_the_games_looked_at_longest_ago_are_forgotten_first() -> None:
    memory = Memory(most=2)
    for number in (1, 2, 1, 3):
        memory.keep({number: Past(ENGINE, (number, NOW))})
    remembered = [number for number in (1, 2, 3) if memory.past(number, ENGINE).newest != (0, None)]
    assert remembered == [1, 3]
