"""``corr game``: new, list, show, adjudicate, replay."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from corr.demo.clients import text_of
from tests.cli.conftest import SEATS, Desk


def test_a_new_game_waits_for_its_players(desk: Desk) -> None:
    done = desk("game", "new", "ukulele", *SEATS)
    code = done.stdout.partition(":")[0]
    assert done.exit_code == 0
    assert "invitations go out with the next `corr once` or `corr serve`" in done.stdout
    (game,) = desk.json("game", "list")
    assert (game["code"], game["status"], game["players"]) == (code, "open", "Aoi, Ben")
    assert [row["kind"] for row in desk.json("outbox", "list")] == ["invitation.invite"] * 2


def test_a_game_made_with_now_has_begun(desk: Desk) -> None:
    code = desk.new_game()
    (game,) = desk.json("game", "list")
    assert (game["code"], game["status"], game["position"]) == (code, "running", 1)
    assert [row["kind"] for row in desk.json("outbox", "list")] == ["start", "start"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nosuch", *SEATS), "There is no game called nosuch. Known: "),
        (("ukulele", *SEATS, "--option", "size=9"), "no option “size”. Known: array,"),
        (
            ("ukulele", *SEATS, "--option", "repetition=maybe"),
            "“repetition” cannot be “maybe”. Known: fourfold",
        ),
        (("ukulele", *SEATS, "--option", "array=59,39"), "stand on rank 9 alone"),
        (("ukulele", *SEATS, "--first", "3"), "“first_player” cannot be “3”. Known: random, 1, 2"),
        (("ukulele", "--seat", "Aoi=aoi", "--seat", "B=b@x.org"), "“aoi” (for Aoi) is not a mail address"),
        (("ukulele", *SEATS, "--seat", "C=c@players.test"), "players, not 3"),
        (("ukulele", *SEATS[:2]), "players, not 1"),
        (("ukulele", *SEATS[:2], "--seat", "aoi=b@players.test"), "Two players have the same name"),
        (("ukulele", *SEATS[:2], "--seat", "B=AOI@players.test"), "Two players have the same address"),
        (("ukulele", *SEATS, "--pace", "soon"), "“soon” is not a length of time. Write, say, 3d"),
        (
            ("ukulele", *SEATS, "--option", "timeout=win"),
            "“win” is no rule for lost time. Known: loss, claim, nothing",
        ),
    ],
)
def test_what_cannot_be_is_named_and_nothing_is_made(desk: Desk, words: tuple[str, ...], said: str) -> None:
    done = desk("game", "new", *words)
    assert done.exit_code == 1
    assert said in done.stderr
    assert not done.stdout
    assert desk.json("game", "list") == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ukulele",), "--seat"),
        ((*SEATS,), "engine"),
        (("ukulele", "--seat", "Aoi"), "'Aoi' is not of the form NAME=ADDRESS"),
        (("ukulele", *SEATS, "--option", "array"), "'array' is not of the form KEY=VALUE"),
        (("ukulele", *SEATS, "--lang", "fr"), "'fr'"),
        (("ukulele", *SEATS, "--nosuch"), "--nosuch"),
    ],
)
def test_a_command_that_is_written_wrong_ends_with_2(desk: Desk, words: tuple[str, ...], said: str) -> None:
    done = desk("game", "new", *words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_the_list_for_people_has_a_line_for_each_game(desk: Desk) -> None:
    codes = {desk.new_game(), desk.new_game()}
    header, *lines = desk("game", "list").stdout.splitlines()
    assert header.split() == ["code", "game", "status", "players", "position", "deadline"]
    assert {line.split()[0] for line in lines} == codes


def test_names_that_look_like_markup_are_shown_as_they_are(desk: Desk) -> None:
    seats = ("--seat", "[/b]Aoi=aoi@players.test", "--seat", "[red]=ben@players.test")
    assert desk("game", "new", "ukulele", *seats, "--now").exit_code == 0
    assert "[/b]Aoi, [red]" in desk("game", "list").stdout
    code = desk.json("game", "list")[0]["code"]
    assert "[/b]Aoi, [red]" in desk("game", "show", code).stdout


def test_a_seat_is_shown_its_own_moves_and_no_others_are(desk: Desk) -> None:
    code = desk.new_game()
    mine = desk.json("game", "show", code, "--as", "1")
    yours = desk.json("game", "show", code, "--as", "2")
    public = desk.json("game", "show", code)
    assert "59-26" in mine["orders"]
    assert yours["orders"] == []
    assert "orders" not in public
    assert mine["waiting"] == yours["waiting"] == public["waiting"] == [1]


def test_a_game_is_shown_with_its_board_and_its_players(desk: Desk) -> None:
    shown = desk("game", "show", desk.new_game().lower(), "--spoil").stdout
    assert "ukulele: Aoi, Ben (running)" in shown
    assert "9 8 7 6 5 4 3 2 1" in shown
    assert "Aoi plays Black and moves first" in shown
    assert "until 20" in shown


def test_the_master_is_told_whose_letters_come_back(desk: Desk) -> None:
    code = desk.new_game()
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE addresses SET state = 'bouncing' WHERE address LIKE 'ben%'")
    assert desk.json("game", "show", code)["unreachable"] == ["Ben"]
    assert "letters to Ben come back" in desk("game", "show", code).stdout


def test_the_master_is_told_of_a_notice_of_absence(served: Desk) -> None:
    code = served.new_game()
    assert served.json("game", "show", code)["absent"] == {}
    notice = b"Auto-Submitted: auto-replied\r\n" + served.reply("ben@players.test", "I am away.")
    served("mail", "receive", "-", fed=notice)
    served("once")
    assert list(served.json("game", "show", code)["absent"]) == ["Ben"]
    assert "a notice of absence came from Ben on 20" in served("game", "show", code).stdout


def test_no_command_shows_the_seed(desk: Desk) -> None:
    code = desk.new_game()
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        seed: bytes = database.execute("SELECT seed FROM games").fetchone()[0]
    for words in (("list",), ("show", code), ("show", code, "--as", "1"), ("show", code, "--spoil")):
        assert seed.hex() not in desk("game", *words, "--json").stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("show", "ZZZZ"), 1, "There is no game ZZZZ"),
        (("show", "CODE", "--as", "3"), 1, "has no seat 3"),
        (("show", "CODE", "--as", "1", "--spoil"), 2, "choose one"),
        (("adjudicate", "ZZZZ", "--draw", "--reason", "x"), 1, "There is no game ZZZZ"),
        (("adjudicate", "CODE", "--win", "3", "--reason", "x"), 1, "has no seat 3"),
        (("adjudicate", "CODE", "--win", "1", "--draw", "--reason", "x"), 2, "choose one of --win"),
        (("adjudicate", "CODE", "--reason", "x"), 2, "choose one of --win"),
        (("adjudicate", "CODE", "--draw"), 2, "--reason"),
        (("adjudicate", "CODE", "--draw", "--reason", " "), 2, "give a reason"),
        (("replay", "ZZZZ"), 1, "ZZZZ"),
        (("replay",), 2, "name one game, or all with --all"),
        (("replay", "CODE", "--all"), 2, "name one game, or all with --all"),
    ],
)
def test_what_is_asked_wrong_is_refused(desk: Desk, words: tuple[str, ...], status: int, said: str) -> None:
    code = desk.new_game()
    done = desk("game", *(code if word == "CODE" else word for word in words))
    assert done.exit_code == status
    assert said in done.stderr


@pytest.mark.parametrize(
    ("how", "status", "outcome"),
    [
        (("--win", "2"), "over", {"winners": [2], "reason": "adjudication"}),
        (("--draw",), "over", {"winners": [], "reason": "adjudication"}),
        (("--void",), "void", {"winners": [], "reason": "void"}),
    ],
)
def test_adjudicating_ends_a_game_and_tells_the_players_why(
    desk: Desk, how: tuple[str, ...], status: str, outcome: dict[str, object]
) -> None:
    code = desk.new_game()
    assert desk("game", "adjudicate", code, *how, "--reason", "Ben has moved away.").exit_code == 0
    game = desk.json("game", "show", code)
    assert (game["status"], game["outcome"]) == (status, outcome)
    assert "Ben has moved away." in text_of(desk.newest_letter("aoi@players.test"))
    assert desk("game", "replay", code).exit_code == 0
    again = desk("game", "adjudicate", code, *how, "--reason", "Twice.")
    assert (again.exit_code, again.stderr) == (1, f"The game {code} is not running.\n")


def test_replaying_tells_a_clean_game_from_one_whose_row_was_changed(desk: Desk) -> None:
    clean, changed = desk.new_game(), desk.new_game()
    assert desk("game", "replay", "--all").exit_code == 0
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE games SET phase_key = 'ply-9' WHERE code = ?", [changed])
    done = desk("game", "replay", "--all", "--json")
    assert done.exit_code == 1
    assert desk("game", "replay", clean).exit_code == 0
    one = desk("game", "replay", changed)
    assert one.exit_code == 1
    assert "stored as ply-9" in one.stdout


def test_a_game_whose_rules_are_not_installed_is_refused_by_name(desk: Desk) -> None:
    code = desk.new_game()
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE games SET rules = 'ukulele/99'")
    for words in (
        ("game", "show", code),
        ("game", "adjudicate", code, "--draw", "--reason", "x"),
        ("game", "replay", "--all"),
        ("once",),
        ("serve",),
    ):
        done = desk(*words)
        assert done.exit_code == 1, words
        assert "ukulele/99" in done.stderr
