"""Who works on what, when several workers look at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy.exc import NoResultFound
from sqlmodel import Session, col, select

from corr.store.claim import RESEND_AFTER, claim_outbox, due_game, lock_game, lose_sight, next_inbound
from corr.store.letters import settle
from corr.store.session import Database
from corr.store.tables import Deadline, Game, Inbound, Outbox
from corr.store.types import GameStatus, InboundStatus
from tests.store.rows import NOW, a_game, a_letter, a_mail

MINUTE = timedelta(minutes=1)
DONE_WITH: tuple[InboundStatus, ...] = ("done", "failed")


def take(session: Session) -> str | None:
    letter = next_inbound(session)
    return letter.content_key if letter else None


def end(session: Session, letter: Inbound, status: InboundStatus = "done") -> None:
    """Write what became of a letter."""
    letter.status = status
    settle(session, letter)


# Letters


def test_letters_are_taken_oldest_first_and_only_while_new(database: Database) -> None:
    with database.session() as session:
        a_letter(session, content_key="0", status="done")
        for key in ("1", "2", "3"):
            a_letter(session, content_key=key)
    taken: list[str] = []
    for _ in range(4):
        with database.session() as session:
            if letter := next_inbound(session):
                taken.append(letter.content_key)
                end(session, letter)
    assert taken == ["1", "2", "3"]


def test_a_letter_in_work_holds_back_its_lane_and_no_other(shared: Database) -> None:
    with shared.session() as session:
        for lane, key in (("A", "a1"), ("A", "a2"), ("B", "b1"), ("A", "a3"), ("B", "b2")):
            a_letter(session, lane=lane, content_key=key)
    with shared.session() as first, shared.session() as second, shared.session() as third:
        assert take(first) == "a1"
        assert take(second) == "b1"
        assert take(third) is None


def test_a_lane_goes_on_when_its_letter_is_done_or_has_failed(shared: Database) -> None:
    with shared.session() as session:
        for key in ("1", "2", "3"):
            a_letter(session, lane="A", content_key=key)
    for status in DONE_WITH:
        with shared.session() as first:
            letter = next_inbound(first)
            assert letter is not None
            with shared.session() as second:
                assert take(second) is None
            end(first, letter, status)
    with shared.session() as third:
        assert take(third) == "3"


def test_a_worker_that_dies_gives_its_letter_back(shared: Database) -> None:
    def die() -> None:
        with shared.session() as session:
            letter = next_inbound(session)
            assert letter is not None
            end(session, letter)
            raise KeyboardInterrupt

    with shared.session() as session:
        a_letter(session, content_key="1")
    with pytest.raises(KeyboardInterrupt):
        die()
    with shared.session() as session:
        assert take(session) == "1"


def test_many_workers_take_each_letter_once_and_each_lane_in_order(database: Database) -> None:
    with database.session() as session:
        for n in range(60):
            a_letter(session, lane=f"L{n % 5}", content_key=f"{n:02}")
    done: list[tuple[str, str]] = []
    noting = threading.Lock()

    def work(_worker: int) -> None:
        while left(database):
            with database.session() as session:
                if letter := next_inbound(session):
                    with noting:
                        done.append((letter.lane, letter.content_key))
                    end(session, letter)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert sorted(key for _lane, key in done) == [f"{n:02}" for n in range(60)]
    for lane in {lane for lane, _key in done}:
        keys = [key for of, key in done if of == lane]
        assert keys == sorted(keys)


def left(database: Database) -> bool:
    with database.session() as session:
        return (
            session.exec(select(Inbound.id).where(col(Inbound.status) == "new").limit(1)).first() is not None
        )


# Deadlines


def arm(session: Session, game: Game, minutes: int) -> None:
    session.add(Deadline(game_id=game.id, position=1, kind="expire", due_at=NOW + minutes * MINUTE))


def a_due_game(session: Session, code: str, minutes: int, status: GameStatus = "running") -> Game:
    game = a_game(session, code=code, status=status)
    arm(session, game, minutes)
    return game


def due(session: Session) -> str | None:
    game = due_game(session, NOW)
    return game.code if game else None


def test_the_game_that_is_due_the_longest_comes_first(database: Database) -> None:
    with database.session() as session:
        a_due_game(session, "LATER", -1)
        a_due_game(session, "FIRST", -2)
        a_due_game(session, "AHEAD", 1)
    with database.session() as session:
        assert due(session) == "FIRST"


def test_a_deadline_falls_due_at_its_instant(database: Database) -> None:
    with database.session() as session:
        a_due_game(session, "A", 0)
    with database.session() as session:
        assert due_game(session, NOW - timedelta(microseconds=1)) is None
        assert due(session) == "A"


def test_a_deadline_that_fired_or_was_superseded_is_not_due(database: Database) -> None:
    with database.session() as session:
        game = a_game(session, status="running")
        for status in ("fired", "superseded"):
            row = Deadline(game_id=game.id, position=1, kind="expire", due_at=NOW, status=status)
            session.add(row)
    with database.session() as session:
        assert due(session) is None


@pytest.mark.parametrize(
    ("status", "found"),
    [("open", "A"), ("running", "A"), ("paused", None), ("held", None), ("over", None), ("void", None)],
)
def test_only_a_game_that_runs_or_is_to_start_is_due(
    database: Database, status: GameStatus, found: str | None
) -> None:
    with database.session() as session:
        a_due_game(session, "A", -1, status)
    with database.session() as session:
        assert due(session) == found


def test_a_game_whose_lock_is_taken_is_passed_over(shared: Database) -> None:
    with shared.session() as session:
        first = a_due_game(session, "A", -2)
        a_due_game(session, "B", -1)
    with shared.session() as player, shared.session() as second, shared.session() as third:
        lock_game(player, first.id)
        assert due(second) == "B"
        assert due(third) is None


def test_a_due_game_holds_up_a_move_until_the_lapse_is_done(shared: Database) -> None:
    with shared.session() as session:
        game = a_due_game(session, "A", -1)
    with ThreadPoolExecutor(1) as pool:
        with shared.session() as lapse:
            assert due(lapse) == "A"
            move = pool.submit(position_under_lock, shared, game.id)
            with pytest.raises(TimeoutError):
                move.result(timeout=0.3)
            lapse.get_one(Game, game.id).position = 2
        assert move.result(timeout=10) == 2


def position_under_lock(database: Database, game_id: int) -> int:
    with database.session() as session:
        session.get_one(Game, game_id)  # read before, and stale when the lock comes
        return lock_game(session, game_id).position


def test_a_due_game_is_read_as_it_is_under_the_lock(shared: Database) -> None:
    with shared.session() as session:
        game = a_due_game(session, "A", -1)
    with shared.session() as lapse:
        seen = lapse.get_one(Game, game.id)
        with shared.session() as move:
            lock_game(move, game.id).position = 2
        assert due_game(lapse, NOW) is seen
        assert seen.position == 2


def test_a_game_that_does_not_exist_cannot_be_locked(database: Database) -> None:
    with database.session() as session, pytest.raises(NoResultFound):
        lock_game(session, 99)


# Outgoing mail


def claim(database: Database, minutes: int = 0, worker: str = "w1", limit: int = 10) -> list[str]:
    now = NOW + minutes * MINUTE
    with database.session() as session:
        return [m.address for m in claim_outbox(session, now, now + 5 * MINUTE, limit, worker)]


def read(database: Database) -> Outbox:
    with database.session() as session:
        return session.exec(select(Outbox)).one()


def change(database: Database, **columns: object) -> None:
    with database.session() as session:
        mail = session.exec(select(Outbox)).one()
        for name, value in columns.items():
            setattr(mail, name, value)


def test_mail_is_leased_to_one_worker_the_longest_due_first(database: Database) -> None:
    with database.session() as session:
        a_mail(session, address="later", due_at=NOW - MINUTE)
        a_mail(session, address="first", due_at=NOW - 2 * MINUTE, status="deferred")
        a_mail(session, address="ahead", due_at=NOW + MINUTE)
        for status in ("sent", "failed", "dropped"):
            a_mail(session, address=status, status=status)
    assert claim(database, limit=1) == ["first"]
    assert claim(database) == ["later"]
    assert claim(database) == []
    with database.session() as session:
        mail = session.exec(select(Outbox).where(col(Outbox.address) == "first")).one()
        assert (mail.status, mail.leased_by, mail.attempts) == ("sending", "w1", 1)
        assert mail.leased_until == NOW + 5 * MINUTE


def test_two_senders_share_what_is_due(shared: Database) -> None:
    with shared.session() as session:
        for n in range(4):
            a_mail(session, address=str(n))
    with shared.session() as first, shared.session() as second:
        mine = claim_outbox(first, NOW, NOW + MINUTE, 2, "w1")
        others = claim_outbox(second, NOW, NOW + MINUTE, 10, "w2")
        assert [m.address for m in mine] == ["0", "1"]
        assert [m.address for m in others] == ["2", "3"]


def test_a_lease_that_ran_out_before_any_text_flowed_is_taken_over(database: Database) -> None:
    with database.session() as session:
        a_mail(session, address="a")
    assert claim(database) == ["a"]
    assert claim(database, minutes=4, worker="w2") == []
    assert claim(database, minutes=5, worker="w2") == ["a"]
    assert (read(database).leased_by, read(database).attempts) == ("w2", 2)


def test_a_letter_that_may_have_arrived_is_sent_again_once_after_ten_minutes(database: Database) -> None:
    with database.session() as session:
        a_mail(session, address="a")
    claim(database)
    change(database, data_started_at=NOW)
    assert claim(database, minutes=5) == []
    assert (read(database).status, read(database).due_at) == ("unknown", NOW + 5 * MINUTE + RESEND_AFTER)
    assert claim(database, minutes=14) == []
    assert claim(database, minutes=15) == ["a"]
    assert (read(database).status, read(database).data_started_at) == ("sending", None)
    assert read(database).resent_at == NOW + 15 * MINUTE


def test_a_letter_that_is_lost_twice_has_failed(database: Database) -> None:
    with database.session() as session:
        a_mail(session, address="a")
    for minutes in (0, 15):
        assert claim(database, minutes) == ["a"]
        change(database, data_started_at=NOW + minutes * MINUTE)
        assert claim(database, minutes + 5) == []
    assert read(database).status == "failed"
    assert claim(database, minutes=1000) == []


def test_a_sender_that_loses_its_connection_may_say_so_itself(database: Database) -> None:
    with database.session() as session:
        lose_sight(a_mail(session, address="a"), NOW)
    assert (read(database).status, read(database).leased_by) == ("unknown", None)
    assert claim(database, minutes=10) == ["a"]
