"""``corr once``, and the daemon's loops in this process."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from itertools import repeat
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from corr.daemon import loop
from corr.daemon.lock import AlreadyServed, only_daemon
from corr.demo.player import MailPlayer
from corr.mail.embedded import EmbeddedServers
from corr.service import heartbeat
from corr.store.session import DatabaseUnavailable
from tests.cli.conftest import Desk
from tests.daemon.conftest import built, letter_to, running
from tests.mail.scripted import Act, ScriptedImap, ScriptedSmtp

Player = Callable[[str], MailPlayer]


# Once


def test_once_does_all_that_there_is_to_do_and_says_how_much(served: Desk, player: Player) -> None:
    served.new_game()
    assert served.json("once") == {"fetched": 0, "handled": 0, "deadlines": 0, "sent": 2, "not_sent": 0}
    aoi = player("Aoi")
    aoi.reply(letter_to(aoi, "59-26"), "59-26")
    assert served("once").stdout == "1 fetched, 1 handled, 0 deadlines, 2 sent, 0 not sent\n"
    assert served.json("once") == {"fetched": 0, "handled": 0, "deadlines": 0, "sent": 0, "not_sent": 0}


def test_once_handles_what_is_here_though_the_inbox_cannot_be_reached(served: Desk, player: Player) -> None:
    served.new_game()
    served("mail", "receive", "-", fed=served.reply("aoi@players.test", "59-26"))
    done = served("once", env={"CORR_IMAP": "imap://play@127.0.0.1:9"})
    assert done.exit_code == 1
    assert done.stdout == "0 fetched, 1 handled, 0 deadlines, 4 sent, 0 not sent\n"
    assert "imap://127.0.0.1:9: " in done.stderr
    assert "check that the server runs" in done.stderr
    letter_to(player("Aoi"), "Taken: 59-26")


def test_once_keeps_letters_that_cannot_be_sent_for_later(served: Desk) -> None:
    served.new_game()
    done = served("once", "--json", env={"CORR_SMTP": "smtp://127.0.0.1:9"})
    assert done.exit_code == 1
    assert '"not_sent": 2' in done.stdout
    assert "smtp://127.0.0.1:9: " in done.stderr
    assert [row["status"] for row in served.json("outbox", "list")] == ["deferred"] * 2


def test_a_letter_that_its_server_refuses_is_no_trouble_of_corr(served: Desk) -> None:
    served.new_game()
    with ScriptedSmtp({"rcpt": ["550 5.1.1 Who?"]}) as smtp:
        done = served("once", env={"CORR_SMTP": f"smtp://127.0.0.1:{smtp.port}"})
    assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(row["status"] for row in served.json("outbox", "list")) == ["failed", "sent"]


def test_once_tells_of_a_wrong_password(served: Desk) -> None:
    done = served("once", env={"CORR_IMAP_PASSWORD": "wrong"})
    assert done.exit_code == 1
    assert "check the user in the URL and the password" in done.stderr


# One daemon


def test_the_lock_is_held_once_and_let_go(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'corr.db'}"
    with only_daemon(url) as alone:
        assert alone
        with pytest.raises(AlreadyServed, match="stop it first"), only_daemon(url):
            pass
    with only_daemon(url):
        pass


def test_postgresql_takes_several_daemons() -> None:
    url = "postgresql://corr@localhost/corr"
    with only_daemon(url) as first, only_daemon(url) as second:
        assert not first
        assert not second


def test_a_lock_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "corr.db.lock").mkdir()
    url = f"sqlite:///{tmp_path / 'corr.db'}"
    with pytest.raises(DatabaseUnavailable, match=r"cannot write .*corr\.db\.lock"), only_daemon(url):
        pass


# Loops


def test_the_loops_wake_each_other(served: Desk, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """No loop looks by itself within the hour: the answer comes because each wakes the next."""
    monkeypatch.setattr(loop, "IDLE_SECONDS", 3600.0)
    served.new_game()
    aoi = player("Aoi")
    with built(served) as server:
        server.settings.poll = 3600
        with running(server):
            aoi.reply(letter_to(aoi, "59-26"), "59-26")
            letter_to(aoi, "Taken: 59-26")
            letter_to(player("Ben"), "59-26")


def test_a_locked_database_is_one_line_in_the_log_and_tried_again(
    served: Desk, player: Player, caplog: pytest.LogCaptureFixture
) -> None:
    served.new_game()
    aoi = player("Aoi")
    with built(served) as server, caplog.at_level(logging.INFO, "corr"):
        shorten_patience(server.office.database.engine)
        with running(server) as daemon:
            letter = letter_to(aoi, "59-26")
            letter_to(player("Ben"), "Aoi")
            with closing(sqlite3.connect(served.folder / "corr.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                aoi.reply(letter, "59-26")
                while "fetch: the database refuses: database is locked" not in caplog.text:
                    assert not daemon.stop.wait(0.05)
                other.execute("ROLLBACK")
            letter_to(aoi, "Taken: 59-26")
    assert "Traceback" not in caplog.text


def shorten_patience(engine: Engine) -> None:
    """Let connections give up at once where another holds the lock."""
    engine.dispose()
    event.listen(engine, "connect", hurry)


def hurry(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA busy_timeout = 50")


def test_failures_wait_longer_and_longer_but_never_beyond_a_minute() -> None:
    assert [loop.pause(failures) for failures in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert loop.pause(1_000_000) == 60


def test_after_a_success_the_next_failure_is_the_first_again(
    served: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that hangs up is called again after a second, however often it did so before."""
    with ScriptedImap({"IDLE": Act.HANG_UP}) as imap:
        served.environment["CORR_IMAP"] = f"imap://play@127.0.0.1:{imap.port}"
        with built(served) as server, running(server) as daemon:
            while imap.connections < 4:
                assert not daemon.stop.wait(0.05)
    lines = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(lines) >= 3
    assert all(line.endswith("tried again in 1 s") for line in lines)


def test_a_server_that_names_a_time_is_not_called_before(
    served: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """Exchange throttles whoever asks too much, and says for how long."""
    throttled = "NO Request is throttled. Suggested Backoff Time: 45000 milliseconds"
    with ScriptedImap({"SELECT": throttled}) as imap:
        served.environment["CORR_IMAP"] = f"imap://play@127.0.0.1:{imap.port}"
        with built(served) as server, running(server) as daemon:
            while "throttled" not in caplog.text:
                assert not daemon.stop.wait(0.05)
    assert imap.connections == 1
    assert "tried again in 45 s" in caplog.text


def test_the_daemon_tells_the_operator_when_its_own_letters_do_not_come_back(
    served: Desk, servers: EmbeddedServers, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail for corr goes astray: what the daemon writes to itself lies where it does not look."""
    monkeypatch.setattr(loop, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(heartbeat, "PATIENCE", timedelta(seconds=1))
    served.environment |= {
        "CORR_IMAP": f"imap://other%40corr.test@127.0.0.1:{servers.imap_port}/INBOX",
        "CORR_OPERATOR": "ops@players.test",
    }
    with built(served) as server, running(server):
        letter = letter_to(player("Ops"), "has not come back")
    assert letter["Subject"].startswith("corr: letters do not come in")


def test_a_wrong_password_for_sending_is_one_line_and_tried_again_after_minutes(
    served: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """Many servers shut out who tries a wrong password often."""
    served.new_game()
    refusing = {"ehlo": repeat("250-localhost\r\n250 AUTH PLAIN"), "auth": repeat("535 5.7.8 No")}
    with ScriptedSmtp(refusing) as smtp:
        served.environment["CORR_SMTP"] = f"smtp://play@127.0.0.1:{smtp.port}"
        with built(served) as server, running(server) as daemon:
            while "send: " not in caplog.text or "check the user in the URL" not in caplog.text:
                assert not daemon.stop.wait(0.05)
            assert not daemon.stop.wait(1.5)
    assert sum(command.startswith("AUTH") for command in smtp.commands) <= 2  # one for each connection


def spoil_a_deadline(desk: Desk) -> None:
    """Let a deadline of a game between Aoi and Ben be due that raises when it has its effect."""
    desk.new_game()
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE deadlines SET due_at = '2020' || substr(due_at, 5)")
        database.execute("UPDATE games SET policy = '[]'")


def test_a_deadline_that_raises_is_logged_and_holds_up_no_letter(
    served: Desk, player: Player, caplog: pytest.LogCaptureFixture
) -> None:
    spoil_a_deadline(served)
    with built(served) as server, running(server) as daemon:
        while "time failed; it goes on" not in caplog.text:
            assert not daemon.stop.wait(0.05)
        chika = player("Chika")
        seats = ("--seat", "Chika=chika@players.test", "--seat", "Dan=dan@players.test")
        assert served("game", "new", "ukulele", *seats, "--now", "--first", "1").exit_code == 0
        chika.reply(letter_to(chika, "59-26"), "59-26")
        letter_to(chika, "Taken: 59-26")
    assert "Traceback" in caplog.text


def test_once_sends_letters_although_a_deadline_raises(served: Desk, player: Player) -> None:
    spoil_a_deadline(served)
    done = served("once")
    assert done.exit_code == 1
    assert "2 sent" in done.stdout
    assert "a deadline could not have its effect" in done.stderr
    letter_to(player("Aoi"), "59-26")
