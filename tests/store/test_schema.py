"""The tables that the migration makes are those of the models, and keep their rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import Inspector, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import select

from corr.core.turn import Cause
from corr.store import migrate
from corr.store.session import Database
from corr.store.tables import Address, Audit, Deadline, Event, Game, Inbound, SeatRow, Tenure, metadata
from corr.store.types import EventCause, InboundStatus
from tests.databases import Source
from tests.store.rows import NOW, a_game, a_letter, a_player, a_seat


def schema(database: Database) -> Mapping[str, Any]:
    """Read back all that the database knows of its tables."""
    with database.engine.connect() as connection:
        inspector = inspect(connection)
        names = [name for name in inspector.get_table_names() if name != "alembic_version"]
        return {name: table(inspector, name) for name in names}


def table(inspector: Inspector, name: str) -> Mapping[str, Any]:
    return {
        "columns": {c["name"]: (str(c["type"]), c["nullable"]) for c in inspector.get_columns(name)},
        "primary key": inspector.get_pk_constraint(name)["name"],
        "foreign keys": by_name(inspector.get_foreign_keys(name)),
        "checks": by_name(inspector.get_check_constraints(name)),
        "unique": by_name(inspector.get_unique_constraints(name)),
        "indexes": by_name(inspector.get_indexes(name)),
    }


def by_name(constraints: Any) -> dict[str, dict[str, str]]:
    return {c["name"]: plain({**c, **c.get("dialect_options", {})}) for c in constraints}


def plain(constraint: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in constraint.items() if key != "dialect_options"}


def test_alembic_finds_nothing_to_change(database: Database) -> None:
    assert migrate.differences(database) == []


def test_the_migration_makes_what_the_models_say_down_to_checks_and_conditions(
    database: Database, source: Source, tmp_path: Path
) -> None:
    """Alembic compares neither CHECK constraints nor the conditions of partial indexes."""
    (tmp_path / "models").mkdir()
    with source.blank(tmp_path / "models") as modelled:
        metadata.create_all(modelled.engine)
        assert schema(database) == schema(modelled)


def test_every_constraint_has_a_name(database: Database) -> None:
    for name, made in schema(database).items():
        assert made["primary key"] == f"pk_{name}"
        for kind, prefix in {"foreign keys": "fk", "checks": "ck", "unique": "uq"}.items():
            assert all(c.startswith(f"{prefix}_{name}_") for c in made[kind]), (name, kind)


def test_a_fact_may_have_every_cause_that_the_core_gives() -> None:
    assert set(get_args(Cause)) <= set(get_args(EventCause))


@pytest.mark.parametrize("act", ["UPDATE {} SET at = at", "DELETE FROM {}"])
@pytest.mark.parametrize("name", ["events", "audit"])
def test_what_was_recorded_is_neither_changed_nor_removed(database: Database, name: str, act: str) -> None:
    with database.session() as session:
        game = a_game(session)
        session.add(an_event(game, seq=1))
        session.add(Audit(actor="operator", act="void", game_id=game.id, at=NOW))
    with pytest.raises(DBAPIError, match=f"{name} is append-only"), database.session() as session:
        session.connection().execute(text(act.format(name)))
    with database.session() as session:
        assert session.exec(select(Event)).one().seq == 1
        assert session.exec(select(Audit)).one().act == "void"


def test_events_cannot_be_emptied_or_replaced_at_once(database: Database) -> None:
    with database.session() as session:
        session.add(an_event(a_game(session), seq=1))
    sqlite = database.engine.dialect.name == "sqlite"
    act = "REPLACE INTO events SELECT * FROM events" if sqlite else "TRUNCATE events"
    with pytest.raises(DBAPIError, match="events is append-only"), database.session() as session:
        session.connection().execute(text(act))


def test_a_game_has_one_fact_of_each_number(database: Database) -> None:
    with database.session() as session:
        game = a_game(session)
        session.add(an_event(game, seq=1))
    with pytest.raises(IntegrityError, match="seq"), database.session() as session:
        session.add(an_event(game, seq=1))


def test_a_seat_has_one_holder_at_a_time(database: Database) -> None:
    with database.session() as session:
        game = a_game(session)
        a_seat(session, game, 1)
        first = Tenure(game_id=game.id, seat=1, key=b"a" * 32, from_at=NOW)
        session.add(first)
    with pytest.raises(IntegrityError), database.session() as session:
        session.add(Tenure(game_id=game.id, seat=1, key=b"b" * 32, from_at=NOW))
    with database.session() as session:
        session.get_one(Tenure, first.id).to_at = NOW
        session.flush()
        session.add(Tenure(game_id=game.id, seat=1, key=b"b" * 32, from_at=NOW))


def test_a_letter_of_a_mailbox_is_stored_once(database: Database) -> None:
    with database.session() as session:
        a_letter(session, mailbox="INBOX", uidvalidity=1, uid=7)
        a_letter(session, mailbox="INBOX", uidvalidity=2, uid=7)
        a_letter(session)  # by pipe: no mailbox
        a_letter(session)
    with pytest.raises(IntegrityError, match="uid"), database.session() as session:
        a_letter(session, mailbox="INBOX", uidvalidity=1, uid=7)


@pytest.mark.parametrize("fate", [s for s in get_args(InboundStatus) if s != "done"])
def test_a_copy_of_a_letter_may_be_stored_but_has_no_effect(database: Database, fate: InboundStatus) -> None:
    with database.session() as session:
        a_letter(session, content_key="same", status="done")
        copy = a_letter(session, content_key="same", status=fate)
    with pytest.raises(IntegrityError, match="content_key"), database.session() as session:
        session.get_one(Inbound, copy.id).status = "done"


def test_a_player_has_one_primary_address(database: Database) -> None:
    with database.session() as session:
        player = a_player(session)
        session.add(Address(player_id=player.id, address="a@example.org", is_primary=True, created_at=NOW))
        session.add(Address(player_id=player.id, address="b@example.org", created_at=NOW))
        session.add(Address(player_id=player.id, address="c@example.org", created_at=NOW))
    with pytest.raises(IntegrityError), database.session() as session:
        session.add(Address(player_id=player.id, address="d@example.org", is_primary=True, created_at=NOW))


def test_a_deadline_is_armed_once_and_again_when_it_was_superseded(database: Database) -> None:
    with database.session() as session:
        game = a_game(session)
        first = Deadline(game_id=game.id, position=1, kind="expire", due_at=NOW)
        session.add(first)
        session.add(Deadline(game_id=game.id, position=1, kind="remind", mark="80%", due_at=NOW))
    with pytest.raises(IntegrityError), database.session() as session:
        session.add(Deadline(game_id=game.id, position=1, kind="expire", due_at=NOW))
    with database.session() as session:
        session.get_one(Deadline, first.id).status = "superseded"
        session.flush()
        session.add(Deadline(game_id=game.id, position=1, kind="expire", due_at=NOW))


def test_a_row_may_not_point_at_nothing(database: Database) -> None:
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"), database.session() as session:
        session.add(SeatRow(game_id=99, number=1, alias="Aoi"))


def test_a_row_may_not_name_a_seat_that_the_game_lacks(database: Database) -> None:
    with database.session() as session:
        game = a_game(session)
        a_seat(session, game, 1)
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"), database.session() as session:
        session.add(Tenure(game_id=game.id, seat=2, key=b"k" * 32, from_at=NOW))


def test_a_status_is_one_of_its_words(database: Database) -> None:
    with pytest.raises(IntegrityError, match="ck_games_status"), database.session() as session:
        a_game(session, status="lost")


def test_a_seed_has_32_bytes(database: Database) -> None:
    with pytest.raises(IntegrityError, match="ck_games_seed"), database.session() as session:
        a_game(session).seed = b"short"


def test_no_secret_and_no_letter_stands_in_a_repr() -> None:
    game = Game(code="K7QX", engine="e", rules="e/1", created_at=NOW, seed=b"hush")
    tenure = Tenure(game_id=1, seat=1, key=b"hush", from_at=NOW)
    letter = Inbound(source="pipe", content_key="k", lane="l", sender="s", raw=b"hush", received_at=NOW)
    event = an_event(game, seq=1, body={"card": "hush"}, words="hush")
    assert "hush" not in repr([game, tenure, letter, event])


def test_a_fact_reads_back_with_its_keys_as_they_were_written(database: Database) -> None:
    body = {"b": 1, "a": {"z": ["山", None], "y": 2}}
    with database.session() as session:
        session.add(an_event(a_game(session), seq=1, body=body))
    with database.session() as session:
        read = session.exec(select(Event)).one().body
        assert repr(read) == repr(body)


def an_event(game: Game, **columns: Any) -> Event:
    given: dict[str, Any] = {
        "game_id": game.id,
        "entry": 1,
        "kind": "Moved",
        "version": 1,
        "body": {},
        "phase_key": "ply-1",
        "cause": "order",
        "recorded_by": "0.1.0",
        "at": NOW,
    }
    return Event(**(given | columns))
