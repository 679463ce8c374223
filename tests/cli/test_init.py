"""``corr init``: the settings of a new server."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from corr.settings import load
from tests.cli.conftest import Desk
from tests.cli.terminals import at_terminal

GIVEN = (
    *("--address", "play@corr.test"),
    *("--imap", "imaps://play@mail.corr.test/INBOX"),
    *("--smtp", "smtp://play@mail.corr.test:587"),
)


@pytest.fixture
def nothing(folder: Path) -> Desk:
    """Give a folder without settings."""
    return Desk(folder)


def test_init_writes_settings_for_the_owner_alone_and_makes_the_tables(nothing: Desk) -> None:
    done = nothing("init", *GIVEN)
    assert done.exit_code == 0, done.stderr
    path = nothing.folder / "corr.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings = load(path)
    assert (settings.address, settings.imap) == ("play@corr.test", "imaps://play@mail.corr.test/INBOX")
    assert nothing("db", "check").exit_code == 0


def test_a_preset_answers_where_the_servers_are(nothing: Desk) -> None:
    done = nothing("init", "--address", "play@corr.test", "--preset", "gmail")
    assert done.exit_code == 0, done.stderr
    assert "gmail: the password is an app password" in done.stdout
    path = nothing.folder / "corr.toml"
    assert 'preset = "gmail"' in path.read_text()
    assert "imap =" not in path.read_text()
    assert load(path).smtp == "smtps://play%40corr.test@smtp.gmail.com:465"


def test_an_unknown_preset_is_named_and_no_file_is_left(nothing: Desk) -> None:
    done = nothing("init", "--address", "play@corr.test", "--preset", "hotmail")
    assert done.exit_code == 1
    assert "no such preset; known are gmail, workspace" in done.stderr
    assert not list(nothing.folder.iterdir())


def test_init_says_what_comes_next(nothing: Desk) -> None:
    said = nothing("init", *GIVEN).stdout
    assert "set CORR_IMAP_PASSWORD" in said
    assert "`corr doctor`" in said


def test_init_makes_the_folder_that_it_is_given(nothing: Desk) -> None:
    assert nothing("init", "new/server", *GIVEN).exit_code == 0
    assert (nothing.folder / "new/server/corr.toml").is_file()
    assert (nothing.folder / "new/server/corr.db").is_file()


def test_init_overwrites_nothing(nothing: Desk) -> None:
    path = nothing.folder / "corr.toml"
    path.write_text("mine")
    done = nothing("init", *GIVEN)
    assert done.exit_code == 1
    assert "is there already" in done.stderr
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--address", "nowhere", "address: not a mail address"),
        ("--imap", "pop3://u@h", "imap: A mail account starts with"),
        ("--smtp", "imap://u@h", "smtp: not an account of SMTP"),
        ("--timezone", "Tokyo", "timezone: not an IANA time zone"),
    ],
)
def test_a_bad_value_is_named_and_no_file_is_left(nothing: Desk, option: str, value: str, said: str) -> None:
    done = nothing("init", *GIVEN, option, value)
    assert done.exit_code == 1
    assert said in done.stderr
    assert not list(nothing.folder.iterdir())


def test_a_missing_option_is_named_where_nobody_can_be_asked(nothing: Desk) -> None:
    done = nothing("init", *GIVEN[:4])
    assert done.exit_code == 2
    assert "--smtp" in done.stderr


def test_a_database_that_cannot_be_opened_leaves_the_settings_and_says_what_to_do(nothing: Desk) -> None:
    done = nothing("init", *GIVEN, "--database", "sqlite:///no/such/folder/corr.db")
    assert done.exit_code == 0
    assert "run `corr db upgrade`" in done.stderr
    assert load(nothing.folder / "corr.toml").database.endswith("no/such/folder/corr.db")


def test_a_folder_that_cannot_be_made_is_named(nothing: Desk) -> None:
    (nothing.folder / "file").touch()
    done = nothing("init", "file", *GIVEN)
    assert done.exit_code == 1
    assert "cannot make file: File exists" in done.stderr


def test_values_are_kept_whatever_letters_they_hold(nothing: Desk) -> None:
    (nothing.folder / 'a "b"\\c').write_text("hunter2")
    assert nothing("init", *GIVEN, "--password-file", 'a "b"\\c').exit_code == 0
    assert load(nothing.folder / "corr.toml").password_in == "hunter2"


def test_on_a_terminal_init_asks_for_what_is_not_given(nothing: Desk) -> None:
    with at_terminal("init", folder=nothing.folder) as terminal:
        terminal.until("Address that players write to:")
        terminal.write("play@corr.test")
        terminal.until("IMAP account (imaps://user@host/INBOX):")
        terminal.write("imaps://play@mail.corr.test")
        terminal.until("SMTP account (smtp://user@host:587):")
        terminal.write("smtp://play@mail.corr.test")
        assert terminal.end() == 0, terminal.shown
    settings = load(nothing.folder / "corr.toml")
    assert (settings.address, settings.smtp) == ("play@corr.test", "smtp://play@mail.corr.test")
