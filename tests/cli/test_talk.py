"""``corr game new --press`` and ``corr game talk``."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from corr.bootstrap import build
from corr.demo.clients import text_of
from corr.service.receive import work
from corr.settings import load
from tests.cli.conftest import Desk

AOI, BEN = "aoi@players.test", "ben@players.test"


def speak(desk: Desk, words: str) -> None:
    """Let a letter of Aoi come in and be worked on."""
    desk("mail", "receive", "-", fed=desk.reply(AOI, words))
    with closing(build(load(desk.folder / "corr.toml"))) as server:
        assert work(server.office)


def looked(desk: Desk) -> list[tuple[str, str]]:
    """Return who did what, as it is written down."""
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        return list(database.execute("SELECT actor, act FROM audit"))


@pytest.fixture
def code(desk: Desk) -> str:
    """Begin a game in which something has been said."""
    code = desk.new_game()
    speak(desk, "say Hello\nBen")
    speak(desk, "tell gm \x1b[31mhelp")
    return code


def test_the_operator_reads_what_was_said_and_that_is_written_down(desk: Desk, code: str) -> None:
    assert looked(desk) == []
    (first, second) = desk.json("game", "talk", code.lower())
    assert (first["by"], first["channel"], first["heard"], first["text"]) == ("Aoi", "all", "2", "Hello\nBen")
    assert (second["channel"], second["heard"], second["text"]) == ("gm", "", "[31mhelp")
    assert looked(desk) == [("operator", "talk")]


def test_the_list_for_people_shows_what_was_said(desk: Desk, code: str) -> None:
    done = desk("game", "talk", code)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Hello" in done.stdout
    assert looked(desk) == [("operator", "talk")]


def test_talk_of_a_game_that_is_not_there_is_refused(desk: Desk) -> None:
    done = desk("game", "talk", "XXXX")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "There is no game XXXX." in done.stderr
    assert looked(desk) == []


def test_a_game_is_made_with_its_rule_for_talk(desk: Desk) -> None:
    desk.new_game("--press", "none")
    assert "Players do not write to each other in this game." in " ".join(
        text_of(desk.newest_letter(BEN)).split()
    )


def test_a_rule_for_talk_that_there_is_not_is_refused(desk: Desk) -> None:
    done = desk("game", "new", "ukulele", "--press", "loud")
    assert done.exit_code == 2
    assert "'loud'" in done.stderr
