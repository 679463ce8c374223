"""``corr game history`` and ``corr game import``: a record goes out to a file, and comes back."""

from __future__ import annotations

import pytest

from corr.demo.clients import text_of
from tests.cli.conftest import SEATS, Desk

NEW = ("--seat", "Carol=carol@players.test", "--seat", "Dave=dave@players.test")


def saved(desk: Desk, text: str, name: str = "record.txt") -> str:
    path = desk.folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def finished(desk: Desk, *words: str) -> str:
    code = desk.new_game(*words)
    assert desk("game", "adjudicate", code, "--win", "2", "--reason", "Aoi has moved.").exit_code == 0
    return code


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_finished_game_goes_out_and_comes_back(desk: Desk, lang: str) -> None:
    code = finished(desk)
    text = desk("game", "history", code, "--lang", lang).stdout
    done = desk("game", "import", saved(desk, text))
    assert done.exit_code == 0, done.stderr
    copy = done.stdout.partition(":")[0]
    assert done.stdout == f"{copy}: kept as it ended (over)\n"
    shown, first = desk.json("game", "show", copy), desk.json("game", "show", code)
    for key in ("game", "status", "players", "position", "seats", "view", "outcome"):
        assert shown[key] == first[key], key
    assert "Aoi, Ben" in desk("game", "show", copy).stdout
    assert desk("game", "show", copy, "--as", "Ben").exit_code == 0
    assert desk("game", "replay", "--all").exit_code == 0


def test_a_running_game_comes_back_with_its_players(desk: Desk) -> None:
    code = desk.new_game("--pace", "5d")
    file = saved(desk, desk("game", "history", code, "--spoil").stdout)
    done = desk.json("game", "import", file, *NEW, "--lang", "ja")
    assert (done["status"], done["position"]) == ("running", 1)
    assert desk.json("game", "show", done["code"])["seats"] == {"1": "Carol", "2": "Dave"}
    assert "対局" in text_of(desk.newest_letter("carol@players.test"))
    assert "goes on at position 1" in desk("game", "import", file, *SEATS).stdout


def test_a_record_is_read_from_a_pipe(desk: Desk) -> None:
    text = desk("game", "history", finished(desk)).stdout
    quoted = "".join(f"> {line}\r\n" for line in text.splitlines())
    assert desk("game", "import", "-", fed=quoted).exit_code == 0


def test_the_record_of_a_game_that_goes_on_keeps_its_secrets(desk: Desk) -> None:
    code = desk.new_game()
    public = desk.json("game", "history", code)["record"]
    assert "Shown to: everybody" in public
    assert not [line for line in public if line.startswith("Seed")]
    assert "Shown to: Ben" in desk.json("game", "history", code, "--as", "Ben")["record"]
    assert [
        line for line in desk.json("game", "history", code, "--spoil")["record"] if line.startswith("Seed")
    ]
    done = desk("game", "import", saved(desk, "\n".join(public)), *NEW)
    assert done.exit_code == 1
    assert "not complete" in done.stderr
    assert "--spoil" in done.stderr


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("[corr record 1]", "[record]"), "There is no record in this text"),
        (("[end of record]", ""), "[end of record], is missing"),
        (("Seat 2: Ben", "Seat 2: Ben\nSeat 2: Eve"), "“Seat 2: Eve”: This has been said before."),
        (("1. (adjudicated", "1. Aoi: 88-67\n1. (adjudicated"), "“1. Aoi: 88-67”: "),
        (("1. (adjudicated", "1. Eve: 88-66\n1. (adjudicated"), "“1. Eve: 88-66”: This cannot be read."),
        (("Result: Ben", "Result: Aoi"), "another result (Ben (adjudication))"),
    ],
)
def test_a_record_that_is_wrong_is_refused_and_nothing_is_made(
    desk: Desk, change: tuple[str, str], said: str
) -> None:
    text = desk("game", "history", finished(desk)).stdout
    assert change[0] in text
    done = desk("game", "import", saved(desk, text.replace(*change)))
    assert (done.exit_code, done.stdout) == (1, "")
    assert said in done.stderr
    assert len(desk.json("game", "list")) == 1


def test_it_is_refused_in_japanese_too(desk: Desk) -> None:
    done = desk("game", "import", saved(desk, "なし"), env={"LANG": "ja_JP.UTF-8"})
    assert "この文書には棋譜がありません" in done.stderr


def test_what_is_no_text_is_refused(desk: Desk) -> None:
    path = desk.folder / "board.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    assert "save the record as text in UTF-8" in desk("game", "import", str(path)).stderr
    assert desk("game", "import", "nosuch.txt").exit_code != 0
    assert "No such file" in desk("game", "import", "nosuch.txt").stderr
    path.write_bytes(b" " * (2 << 20))
    assert "larger than 1 MB" in desk("game", "import", str(path)).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("history",), "code"),
        (("history", "K7QX", "--as", "1", "--spoil"), "choose one"),
        (("history", "K7QX", "--lang", "fr"), "'fr'"),
        (("import",), "file"),
        (("import", "-", "--seat", "Aoi"), "'Aoi' is not of the form NAME=ADDRESS"),
    ],
)
def test_a_command_that_is_mistyped_explains_itself(desk: Desk, words: tuple[str, ...], said: str) -> None:
    done = desk("game", *words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_there_is_no_record_of_what_is_not_there(desk: Desk) -> None:
    assert "There is no game ZZZZ" in desk("game", "history", "ZZZZ").stderr
    code = desk.json("game", "new", "ukulele", *SEATS)["code"]
    done = desk("game", "history", code)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "has not begun" in done.stderr
    assert "no seat Eve" in desk("game", "history", code, "--as", "Eve").stderr
