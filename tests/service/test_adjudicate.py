"""A master ends a game."""

from __future__ import annotations

import pytest
from sqlmodel import select

from corr.service import admin
from corr.store.tables import Audit
from tests.service.world import AOI, BEN, World, headline


@pytest.mark.parametrize(
    ("winner", "void", "outcome", "verdict"),
    [
        ("2", False, {"winners": [2], "reason": "adjudication"}, "Ben won. By decision of the game master."),
        (None, False, {"winners": [], "reason": "adjudication"}, "The game is a draw."),
        (None, True, {"winners": [], "reason": "void"}, "The game was called off."),
    ],
)
def test_a_master_gives_a_win_a_draw_or_nothing_and_the_players_read_why(
    world: World, winner: str | None, void: bool, outcome: dict[str, object], verdict: str
) -> None:
    code = world.game()
    assert admin.adjudicate(world.office, code.lower(), winner, "He moved to the Moon.", void=void) is None
    row = world.row(code)
    assert (row.status, row.outcome) == ("void" if void else "over", outcome)
    for who in (AOI, BEN):
        assert verdict in headline(world.newest(who))
        assert "The game master writes: He moved to the Moon." in world.text(who)
    assert [event.cause for event in world.events(code)] == ["setup", "master"]
    assert world.reply(AOI, "5").problem == "timing.over"


def test_what_a_master_did_is_kept_with_its_reason(world: World) -> None:
    code = world.game()
    admin.adjudicate(world.office, code, "aoi", "He moved to the Moon.", void=False)
    with world.office.database.session() as session:
        (audit,) = session.exec(select(Audit)).all()
    assert (audit.act, audit.reason, audit.after) == (
        "adjudicate",
        "He moved to the Moon.",
        {"winners": [1], "reason": "adjudication"},
    )


def test_what_cannot_be_ended_is_named(world: World) -> None:
    code, invited = world.game(), world.wish()
    assert isinstance(invited, str)
    for named, winner, key in (
        ("ZZZZ", "1", "lobby.no-game"),
        (invited, "1", "lobby.not-running"),
        (code, "Cid", "lobby.no-seat"),
    ):
        problem = admin.adjudicate(world.office, named, winner, "why", void=False)
        assert problem is not None
        assert problem.key == key
    assert world.row(code).status == "running"


def test_a_game_to_which_people_are_still_invited_can_only_be_called_off(world: World) -> None:
    code = world.wish()
    assert isinstance(code, str)
    assert admin.adjudicate(world.office, code, None, "The club is closed.", void=True) is None
    assert world.row(code).status == "void"
    for who in (AOI, BEN):
        assert headline(world.newest(who)) == "The game was called off: The club is closed."
    world.reply(AOI, "yes")
    assert world.row(code).status == "void"
