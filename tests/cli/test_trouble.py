"""What a person can mend is one clear message and exit code 1, never a traceback."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import CORR, SEATS, Desk, write_settings

EVERY = (
    ("game", "list"),
    ("game", "show", "ZZZZ"),
    ("game", "new", "ukulele", *SEATS),
    ("game", "adjudicate", "ZZZZ", "--draw", "--reason", "x"),
    ("game", "replay", "--all"),
    ("mail", "list"),
    ("mail", "show", "1"),
    ("mail", "retry", "1"),
    ("mail", "receive", "letter.eml"),
    ("outbox", "list"),
    ("outbox", "show", "1"),
    ("db", "check"),
    ("db", "upgrade"),
    ("once",),
    ("serve",),
)


def unreadable(folder: Path) -> str:
    (folder / "corr.toml").write_text("address = \n")
    return "corr.toml cannot be read: "


def missing(folder: Path) -> str:
    (folder / "corr.toml").unlink()
    return "no settings file corr.toml: write one with `corr init`"


def unknown_key(folder: Path) -> str:
    write_settings(folder, adress="play@corr.test")
    return "adress: no such setting"


def no_database(folder: Path) -> str:
    write_settings(folder, database="sqlite:///nosuch/corr.db")
    return "The database cannot be opened: unable to open database file"


def no_server(folder: Path) -> str:
    write_settings(folder, database="postgresql://corr@127.0.0.1:9/corr")
    return "The database cannot be opened: "


def other_kind(folder: Path) -> str:
    write_settings(folder, database="mysql://corr@127.0.0.1/corr")
    return "mysql is neither sqlite nor postgresql"


def no_url(folder: Path) -> str:
    write_settings(folder, database="corr.db")
    return "The database cannot be opened: "


def no_sqlite_file(folder: Path) -> str:
    (folder / "corr.db").write_bytes(b"This is a letter, not a database.\n" * 100)
    return "file is not a database"


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
@pytest.mark.parametrize(
    "spoil",
    [unreadable, missing, unknown_key, no_database, no_server, other_kind, no_url, no_sqlite_file],
    ids=lambda spoil: spoil.__name__,
)
def test_every_command_says_what_is_wrong_with_the_settings_or_the_database(
    desk: Desk, words: tuple[str, ...], spoil: Callable[[Path], str]
) -> None:
    (desk.folder / "letter.eml").write_text("From: a@players.test\n\nhello\n")
    said = spoil(desk.folder)
    done = desk(*words)
    assert done.exit_code == 1
    assert said in done.stderr
    assert not done.stdout


@pytest.fixture
def read_only(desk: Desk) -> Iterator[Desk]:
    """Give a server whose database nobody may write: mounted so, since root may write anything."""
    place = desk.folder / "read-only"
    place.mkdir()
    shutil.copy(desk.folder / "corr.db", place)
    mount = ["mount", "--bind", "-o", "ro", str(place), str(place)]
    if os.geteuid() == 0:
        done = subprocess.run(mount, capture_output=True, check=False)
        if done.returncode:
            pytest.skip("nothing can be mounted here")
    else:
        place.chmod(0o500)
    write_settings(desk.folder, database="sqlite:///read-only/corr.db")
    yield desk
    if os.geteuid() == 0:
        subprocess.run(["umount", str(place)], check=True)
    else:
        place.chmod(0o700)


@pytest.mark.parametrize(
    "words",
    [("game", "list"), ("game", "new", "ukulele", *SEATS), ("db", "upgrade"), ("once",), ("serve",)],
    ids=" ".join,
)
def test_a_database_that_cannot_be_written_is_refused(read_only: Desk, words: tuple[str, ...]) -> None:
    done = read_only.apart(*words)
    assert done.returncode == 1
    assert "database" in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def on_a_full_disk(desk: Desk, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that can write to no file: a limit on their size stands for the disk."""

    def fill() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))

    return subprocess.run(
        [str(CORR), *words],
        cwd=desk.folder,
        env={**os.environ, **desk.environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=fill,
    )


@pytest.mark.parametrize(
    "words",
    [("game", "new", "ukulele", *SEATS, "--now"), ("mail", "receive", "letter.eml"), ("once",)],
    ids=" ".join,
)
def test_a_full_disk_is_one_clear_line_and_changes_nothing(desk: Desk, words: tuple[str, ...]) -> None:
    """A letter waits to be worked on, so that each of these has something to write."""
    (desk.folder / "letter.eml").write_text("From: a@players.test\n\nhello\n")
    assert desk("mail", "receive", "letter.eml").exit_code == 0
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        before = list(database.iterdump())
        done = on_a_full_disk(desk, *words)
        assert done.returncode == 1
        assert "database" in done.stderr
        assert "Traceback" not in done.stderr
        assert list(database.iterdump()) == before


def test_init_on_a_full_disk_leaves_no_file(desk: Desk) -> None:
    (desk.folder / "corr.toml").unlink()
    given = ("--address", "p@x.org", "--imap", "imaps://p@x.org", "--smtp", "smtp://p@x.org")
    done = on_a_full_disk(desk, "init", *given)
    assert done.returncode == 1
    assert "cannot write corr.toml: File too large" in done.stderr
    assert not (desk.folder / "corr.toml").exists()


def test_a_reader_that_goes_away_is_no_error(desk: Desk) -> None:
    """Such as ``head`` in ``corr outbox list --json | head -1``."""
    for _ in range(8):
        desk.new_game()
    with subprocess.Popen(
        [str(CORR), "outbox", "list", "--json"],
        cwd=desk.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert b"Traceback" not in child.stderr.read()
