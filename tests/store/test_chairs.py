"""Who sits where, and what is learned of a game with it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from corr.store import chairs, games, letters, posts
from corr.store.claim import lock_game
from corr.store.session import Database
from corr.store.tables import Address, Ask, Event, Game, Post, Tenure
from engines.api import Seat
from tests.databases import statements
from tests.store.rows import NOW, a_game, a_mail, a_player, a_seat

FIRST, SECOND = Seat(1), Seat(2)
KEY = bytes(16)


@pytest.fixture
def game(database: Database) -> int:
    """Give a game of two seats, of which somebody holds the first."""
    with database.session() as session:
        row = a_game(session, code="K7QX")
        a_seat(session, row, 1)
        a_seat(session, row, 2)
        hold(session, row.id, FIRST)
        return row.id


def hold(session: Session, game: int, seat: Seat) -> None:
    player = a_player(session)
    address = f"{player.handle}@example.org"
    session.add(
        Address(player_id=player.id, address=address, is_primary=True, created_at=NOW, verified_at=NOW)
    )
    session.add(Tenure(game_id=game, seat=seat, player_id=player.id, key=KEY, from_at=NOW))
    session.flush()


def mail(session: Session, game: int, number: int, kind: str = "turn", seat: Seat = FIRST) -> None:
    a_mail(session, game_id=game, seat=seat, n=number, kind=kind)


def test_the_numbers_of_letters_go_on_from_the_newest_of_each_seat(database: Database, game: int) -> None:
    with database.session() as session:
        mail(session, game, 4)
        mail(session, game, 7)
        chairs.seated(session, game)
        assert letters.take_numbers(session, game, [FIRST]) == [8]
        assert letters.take_numbers(session, game, [FIRST]) == [9]


def test_the_numbers_of_letters_are_read_with_the_seats(database: Database, game: int) -> None:
    with database.session() as session:
        chairs.seated(session, game)
        with statements(database) as sent:
            assert letters.take_numbers(session, game, [FIRST]) == [1]
        assert not sent


def test_a_seat_that_nobody_held_is_numbered_too(database: Database, game: int) -> None:
    with database.session() as session:
        mail(session, game, 3, seat=SECOND)
        chairs.seated(session, game)
        assert letters.take_numbers(session, game, [FIRST, SECOND]) == [1, 4]


def test_numbers_that_a_savepoint_took_back_are_given_again(database: Database, game: int) -> None:
    with database.session() as session:
        chairs.seated(session, game)
        attempt = session.begin_nested()
        assert letters.take_numbers(session, game, [FIRST]) == [1]
        attempt.rollback()
        assert letters.take_numbers(session, game, [FIRST]) == [1]


def test_when_the_newest_event_was_recorded_is_read_with_the_seats(database: Database, game: int) -> None:
    def event(seq: int) -> Event:
        return Event(
            game_id=game,
            seq=seq,
            entry=1,
            kind="marked",
            version=1,
            body={},
            phase_key="p",
            cause="setup",
            recorded_by="0",
            at=NOW + timedelta(seconds=seq),
        )

    with database.session() as session:
        assert chairs.seated(session, game)[1] is None
        session.add_all([event(1), event(2)])
        session.flush()
        held, newest = chairs.seated(session, game)
        assert newest == NOW + timedelta(seconds=2)
        assert list(held) == [FIRST]
        assert held == chairs.holders(session, game)


def test_whoever_looks_at_a_seat_learns_what_a_letter_to_it_told(database: Database, game: int) -> None:
    with database.session() as session:
        post = Post(game_id=game, channel="all", position=1, listeners=[1], body="Hello", at=NOW)
        session.add(post)
        session.flush()
        mail(session, game, 1, kind=f"talk.{post.id}")
        mail(session, game, 2)
        for number, told in ((1, post), (2, None), (3, None)):
            assert chairs.chair(session, "k7qx", FIRST, number) is not None
            with statements(database) as sent:
                assert posts.told_in(session, game, FIRST, number) is told
            assert not sent


@pytest.mark.parametrize(
    ("moved", "position", "status"),
    [
        (set[int](), 3, "open"),
        ({1}, 3, "open"),  # who offers a draw may move
        ({2}, 3, "lapsed"),
        ({1, 2}, 3, "lapsed"),
        ({2}, 2, "open"),  # it was offered at a later position
    ],
)
def test_a_draw_lapses_when_another_seat_plays_on(
    database: Database, game: int, moved: set[int], position: int, status: str
) -> None:
    with database.session() as session:
        session.add(Ask(game_id=game, kind="draw", position=3, seat=1))
        session.add(Ask(game_id=game, kind="confirm", position=3, seat=1))
        session.get_one(Game, game).position = position
        session.flush()
        games.lapse_draws(session, lock_game(session, game), moved)
    with database.session() as session:
        kept = {ask.kind: ask.status for ask in session.exec(select(Ask))}
    assert kept == {"draw": status, "confirm": "open"}
