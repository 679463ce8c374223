"""``corr mail`` and ``corr outbox``: letters in and out."""

from __future__ import annotations

import gc
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Desk

HOSTILE = (
    b"From: \x1b[31mAoi <aoi@players.test>\r\nSubject: =?utf-8?q?=1B]0;owned=07_=ED=A0=80?=\r\n"
    b"Message-ID: <x\xff@players.test>\r\n\r\n\x1b[2J\xff\xfe [/b] \x00 \xed\xa0\x80 end\r\n"
)


def test_a_letter_from_a_file_is_played_as_if_it_had_been_fetched(served: Desk) -> None:
    served.new_game()
    file = served.folder / "reply.eml"
    file.write_bytes(served.reply("aoi@players.test", "59-26"))
    assert served("mail", "receive", str(file)).stdout.startswith("stored as letter 1;")
    assert served.json("mail", "list", "--status", "new")[0]["sender"] == "aoi@players.test"
    assert served("once").exit_code == 0
    assert gc.get_freeze_count() > 0  # what is here to stay is no work for the collector
    (letter,) = served.json("mail", "list")
    code = served.json("game", "list")[0]["code"]
    assert (letter["status"], letter["rule"], letter["game"], letter["seat"]) == ("done", "holder", code, 1)
    assert served.json("game", "show", code)["waiting"] == [2]


def test_an_order_that_came_over_a_list_is_dropped_and_the_operator_sees_whose_it_was(served: Desk) -> None:
    """Nobody is answered over a list, so nothing may happen in silence; its good mark tells the seat."""
    code = served.new_game()
    over_a_list = b"List-Id: <ukulele.lists.test>\r\n" + served.reply("aoi@players.test", "59-26")
    before = len(served.json("outbox", "list"))
    served("mail", "receive", "-", fed=over_a_list)
    assert served("once").exit_code == 0
    (letter,) = served.json("mail", "list", "--status", "ignored")
    assert (letter["rule"], letter["game"], letter["seat"]) == ("list", code, 1)
    assert served.json("game", "show", code)["waiting"] == [1]
    assert len(served.json("outbox", "list")) == before


def test_a_letter_comes_from_standard_input_byte_for_byte(desk: Desk) -> None:
    assert desk("mail", "receive", "-", fed=HOSTILE).exit_code == 0
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        assert database.execute("SELECT raw FROM inbound").fetchone() == (HOSTILE,)


@pytest.mark.parametrize("content", [b"", b" \r\n\r\n"])
def test_an_empty_letter_is_refused(desk: Desk, content: bytes) -> None:
    done = desk("mail", "receive", "-", fed=content)
    assert (done.exit_code, done.stderr) == (1, "- is empty: a letter has at least a line\n")
    assert desk.json("mail", "list") == []


@pytest.mark.parametrize(("file", "said"), [("nosuch.eml", "No such file"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_named(desk: Desk, file: str, said: str) -> None:
    done = desk("mail", "receive", file)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"cannot read {file}: {said}")


def test_nothing_that_a_letter_holds_steers_the_terminal(desk: Desk) -> None:
    desk("mail", "receive", "-", fed=HOSTILE)
    for words in (("mail", "list"), ("mail", "show", "1")):
        done = desk.apart(*words)
        assert done.returncode == 0, done.stderr
        assert not [char for char in done.stdout if ord(char) < 32 and char != "\n"]
    assert "[/b]" in desk("mail", "show", "1").stdout


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "euc-jp"])
def test_any_letter_is_shown_as_json_in_any_encoding_of_the_terminal(desk: Desk, encoding: str) -> None:
    desk("mail", "receive", "-", fed=HOSTILE + "番".encode())
    for words in (("mail", "list"), ("mail", "show", "1")):
        done = desk.apart(*words, "--json", env={"PYTHONIOENCODING": encoding})
        assert (done.returncode, done.stderr) == (0, "")
        json.loads(done.stdout)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(min_size=1, max_size=400).filter(lambda raw: raw.strip() != b""))
def test_no_bytes_are_too_strange_to_be_stored_listed_and_shown(desk: Desk, raw: bytes) -> None:
    done = desk("mail", "receive", "-", fed=raw)
    assert done.exit_code == 0, done.stderr
    number = done.stdout.split()[3].rstrip(";")
    assert desk.json("mail", "show", number)["id"] == int(number)
    assert desk("mail", "show", number).exit_code == 0
    assert desk("mail", "list").exit_code == 0


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("mail", "show", "7"), 1, "There is no letter 7."),
        (("mail", "retry", "7"), 1, "There is no letter 7."),
        (("outbox", "show", "7"), 1, "There is no letter 7."),
        (("mail", "show", "seven"), 2, "valid integer"),
        (("mail", "list", "--status", "lost"), 2, "'lost'"),
        (("outbox", "list", "--status", "lost"), 2, "'lost'"),
        (("outbox", "show", "1", "--raw", "--json"), 2, "choose one"),
    ],
)
def test_what_is_asked_wrong_is_refused(desk: Desk, words: tuple[str, ...], status: int, said: str) -> None:
    done = desk(*words)
    assert done.exit_code == status
    assert said in done.stderr
    assert not done.stdout


def test_only_a_failed_letter_is_tried_again(desk: Desk) -> None:
    desk("mail", "receive", "-", fed=HOSTILE)
    refused = desk("mail", "retry", "1")
    assert (refused.exit_code, refused.stderr) == (1, "Letter 1 has not failed; its status is new.\n")
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE inbound SET status = 'failed', attempts = 3, last_error = 'Traceback …'")
    assert desk.json("mail", "show", "1")["error"] == "Traceback …"
    assert desk("mail", "retry", "1").stdout == "letter 1 is new again\n"
    (letter,) = desk.json("mail", "list", "--status", "new")
    assert letter["id"] == 1


def test_the_outbox_shows_a_letter_as_its_reader_sees_it_and_as_it_is_sent(desk: Desk) -> None:
    code = desk.new_game()
    (first, _) = desk.json("outbox", "list", "--status", "queued")
    number = str(first["id"])
    shown = desk("outbox", "show", number).stdout
    assert "address: aoi@players.test" in shown
    assert f"[{code}] Ukulele: Aoi – Ben" in shown
    assert "59-26" in desk.json("outbox", "show", number)["text"]
    raw = desk("outbox", "show", number, "--raw").stdout_bytes
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database:
        (packed,) = database.execute("SELECT raw FROM outbox_texts WHERE id = ?", [number]).fetchone()
    assert zlib.decompress(packed) == raw
    assert len(packed) < len(raw) / 4


def test_a_list_that_no_terminal_shows_has_one_line_for_each_letter(desk: Desk, tmp_path: Path) -> None:
    """However narrow COLUMNS says that the terminal is."""
    desk.new_game()
    done = desk.apart("outbox", "list", env={"COLUMNS": "20"})
    assert len(done.stdout.splitlines()) == 3
