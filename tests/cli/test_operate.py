"""``corr doctor``, ``corr db``, where the settings file is found, and the language of refusals."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from corr import __version__
from tests.cli.conftest import SEATS, Desk, write_settings
from tests.mail.scripted import ScriptedImap, ScriptedSmtp


def test_version_is_that_of_the_package(desk: Desk) -> None:
    assert desk("--version").stdout == f"corr {__version__}\n"


def findings(desk: Desk, status: int, **env: str) -> dict[str, Any]:
    done = desk("doctor", "--json", env=env)
    assert (done.exit_code, done.stderr) == (status, "")
    return {finding["check"]: finding for finding in json.loads(done.stdout)}


def bad(found: dict[str, Any]) -> list[str]:
    return [check for check, finding in found.items() if not finding["well"]]


def test_the_doctor_finds_all_well(served: Desk) -> None:
    done = served("doctor")
    assert done.exit_code == 0, done.stdout
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["ok", f"{check}:"]
        for check in ("configuration", "database", "imap", "smtp", "sending", "letters", "addresses", "clock")
    ]


def test_the_doctor_names_servers_that_nobody_runs_and_looks_at_all_of_them(desk: Desk) -> None:
    found = findings(desk, 1)
    assert bad(found) == ["imap", "smtp"]
    for check in ("imap", "smtp"):
        assert "Connection refused" in found[check]["detail"] or "connect" in found[check]["detail"].lower()
        assert f"check `{check}` in the settings, and that the server runs" in found[check]["detail"]


def test_the_doctor_names_a_password_that_is_refused(served: Desk) -> None:
    found = findings(served, 1, CORR_IMAP_PASSWORD="wrong")
    assert bad(found) == ["imap"]
    assert "check the user in `imap` and CORR_IMAP_PASSWORD" in found["imap"]["detail"]
    assert "wrong" not in found["imap"]["detail"]


def test_the_doctor_names_a_password_that_is_missing(served: Desk) -> None:
    served.environment.clear()
    found = findings(served, 1)
    assert bad(found) == ["imap"]
    assert "set CORR_IMAP_PASSWORD, or name a file with imap_password_file" in found["imap"]["detail"]


def test_the_doctor_logs_in_where_letters_are_sent(served: Desk) -> None:
    with ScriptedSmtp({"ehlo": ["250-localhost\r\n250 AUTH PLAIN"], "auth": ["535 5.7.8 No"]}) as smtp:
        found = findings(served, 1, CORR_SMTP=f"smtp://play@127.0.0.1:{smtp.port}")
    assert bad(found) == ["smtp"]
    assert "CORR_SMTP_PASSWORD" in found["smtp"]["detail"]


def test_the_doctor_names_a_server_that_talks_no_imap(served: Desk) -> None:
    with ScriptedSmtp() as smtp:
        found = findings(served, 1, CORR_IMAP=f"imap://play@127.0.0.1:{smtp.port}")
    assert bad(found) == ["imap"]


def test_the_doctor_names_an_imap_server_that_refuses_the_login(served: Desk) -> None:
    with ScriptedImap({"LOGIN": "NO [AUTHENTICATIONFAILED] no"}) as imap:
        found = findings(served, 1, CORR_IMAP=f"imap://play@127.0.0.1:{imap.port}")
    assert bad(found) == ["imap"]
    assert "refuses the login of play" in found["imap"]["detail"]


def test_the_doctor_looks_at_the_mail_even_where_the_database_is_not_ready(served: Desk) -> None:
    (served.folder / "corr.db").unlink()
    found = findings(served, 1)
    assert bad(found) == ["database"]
    assert "run `corr db upgrade`" in found["database"]["detail"]


def test_the_doctor_names_settings_that_cannot_be_read(served: Desk) -> None:
    write_settings(served.folder, address="nowhere")
    found = findings(served, 1)
    assert bad(found) == ["configuration"]
    assert "address: not a mail address" in found["configuration"]["detail"]


def test_the_doctor_sees_a_clock_that_stands_before_the_last_letter(served: Desk) -> None:
    served("mail", "receive", "-", fed=b"From: a@players.test\n\nhello\n")
    with closing(sqlite3.connect(served.folder / "corr.db")) as database, database:
        database.execute("UPDATE inbound SET received_at = '2999' || substr(received_at, 5)")
    found = findings(served, 1)
    assert bad(found) == ["clock"]
    assert "set the clock" in found["clock"]["detail"]


# Tables


def test_upgrading_makes_the_tables_once(desk: Desk) -> None:
    (desk.folder / "corr.db").unlink()
    missing = desk("db", "check")
    assert missing.exit_code == 1
    assert "run `corr db upgrade`" in missing.stderr
    for _ in range(2):
        assert desk("db", "upgrade").stdout == "the tables are those of this corr\n"
    assert desk("db", "check").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("db", "upgrade"),
        ("db", "check"),
        ("game", "list"),
        ("serve",),
        ("once",),
        ("mail", "receive", "letter.eml"),
        ("game", "new", "ukulele", *SEATS),
    ],
)
def test_a_database_of_a_newer_version_is_refused_and_left_alone(desk: Desk, words: tuple[str, ...]) -> None:
    (desk.folder / "letter.eml").write_text("From: a@players.test\n\nhello\n")
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = 'fedcba987654'")
        before = list(database.iterdump())
    done = desk(*words)
    assert done.exit_code == 1
    assert "newer corr (revision fedcba987654): install that one" in done.stderr
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        assert list(database.iterdump()) == before


def test_tables_that_were_altered_are_named(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("DROP TABLE audit")
    done = desk("db", "check")
    assert done.exit_code == 1
    assert "audit" in done.stderr


# The settings file


def test_the_settings_file_is_named_before_or_after_the_command_or_by_a_variable(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, file = desk.new_game(), str(desk.folder / "corr.toml")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert "write one with `corr init`" in desk("game", "list").stderr
    for words in (("--config", file, "game", "list"), ("game", "list", "--config", file)):
        assert code in desk(*words).stdout
    assert code in desk("game", "list", env={"CORR_CONFIG": file}).stdout


def test_the_command_line_wins_over_the_variable(desk: Desk) -> None:
    assert "no settings file other.toml" in desk("--config", "other.toml", "game", "list").stderr
    done = desk("--config", "corr.toml", "game", "list", env={"CORR_CONFIG": "other.toml"})
    assert done.exit_code == 0


# The operator's language


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "対局 ZZZZ はありません。"),
        ({"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "en_US.UTF-8"}, "対局 ZZZZ はありません。"),
        ({"LC_ALL": "C", "LC_MESSAGES": "ja_JP", "LANG": "ja_JP.UTF-8"}, "There is no game ZZZZ."),
        ({"LC_ALL": "", "LANG": "fr_FR.UTF-8"}, "There is no game ZZZZ."),
        ({}, "There is no game ZZZZ."),
    ],
)
def test_refusals_are_worded_in_the_language_of_the_terminal(
    desk: Desk, environment: dict[str, str], said: str
) -> None:
    assert desk("game", "show", "ZZZZ", env=environment).stderr == f"{said}\n"


def test_a_game_is_shown_in_the_language_of_the_terminal(desk: Desk) -> None:
    assert "Aoiさん" in desk("game", "show", desk.new_game(), env={"LANG": "ja_JP.UTF-8"}).stdout


# Help


@pytest.mark.parametrize("words", [(), ("game",), ("mail",), ("outbox",), ("engine",), ("db",)])
def test_help_fits_a_terminal_of_80_columns(desk: Desk, words: tuple[str, ...]) -> None:
    done = desk(*words, "--help", env={"COLUMNS": "80"})
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
