"""``corr serve`` as a process: what it does with letters, signals and trouble."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from corr.demo.player import MailPlayer
from corr.demo.table import Bot
from corr.mail.embedded import EmbeddedServers
from engines.api import Seat
from tests.cli.conftest import Desk
from tests.daemon.conftest import built, letter_to, serving
from tests.daemon.relay import Relay
from tests.mail.scripted import Act, ScriptedImap, ScriptedSmtp

pytestmark = pytest.mark.slow
Player = Callable[[str], MailPlayer]


def outbox(desk: Desk) -> list[str]:
    return [row["status"] for row in desk.json("outbox", "list")]


def test_a_letter_is_played_and_sigterm_ends_the_daemon_in_peace(served: Desk, player: Player) -> None:
    code = served.new_game()
    aoi = player("Aoi")
    with serving(served) as daemon:
        aoi.reply(letter_to(aoi, "59-26"), "59-26")
        letter_to(aoi, "Taken: 59-26")
        letter_to(player("Ben"), "59-26")
        assert daemon.terminate() == 0
    assert daemon.lines[-1].endswith("stopped; nothing was left half done")
    assert served.json("game", "show", code)["waiting"] == [2]


def test_the_log_tells_what_corr_does_and_nothing_of_its_libraries(served: Desk, player: Player) -> None:
    served.new_game()
    aoi = player("Aoi")
    with serving(served) as daemon:
        aoi.reply(letter_to(aoi, "59-26"), "59-26")
        letter_to(aoi, "Taken: 59-26")
        daemon.says("fetch: 1 new")
        daemon.terminate()
    assert {line.split()[3].rstrip(":") for line in daemon.lines} == {"corr.daemon.loop"}


def test_no_second_daemon_serves_the_same_file(served: Desk) -> None:
    with serving(served) as daemon:
        for words in (("once",), ("serve",)):
            done = served.apart(*words)
            assert done.returncode == 1
            assert "another corr already serves" in done.stderr
            assert "stop it first, or use PostgreSQL" in done.stderr
            assert len(done.stderr.splitlines()) == 1
        daemon.terminate()
    assert served.apart("once").returncode == 0


def test_commands_work_beside_the_daemon(served: Desk, player: Player) -> None:
    with serving(served):
        code = served.new_game()
        letter_to(player("Ben"), code)
        assert served("game", "adjudicate", code, "--draw", "--reason", "It rains.").exit_code == 0
        letter_to(player("Ben"), "It rains.")


def test_a_letter_in_the_hands_of_a_daemon_that_was_killed_is_sent_by_the_next(
    served: Desk, player: Player
) -> None:
    """Its text had not begun to flow, so it is sent again at once."""
    served.new_game()
    with (
        ScriptedSmtp({"rcpt": itertools.repeat(Act.SILENCE)}) as smtp,
        serving(served, CORR_SMTP=f"smtp://127.0.0.1:{smtp.port}") as daemon,
    ):
        while not any(command.startswith("RCPT") for command in smtp.commands):
            smtp.over.wait(0.05)
        daemon.kill()
    assert outbox(served) == ["sending", "sending"]
    with serving(served):
        letter_to(player("Aoi"), "59-26")
        letter_to(player("Ben"), "Aoi")


def test_a_letter_whose_text_was_flowing_when_the_daemon_was_killed_is_not_forgotten(served: Desk) -> None:
    """Nobody knows whether it arrived; so it is sent once more, later."""
    served.new_game()
    with (
        ScriptedSmtp({"text": itertools.repeat(Act.SILENCE)}) as smtp,
        serving(served, CORR_SMTP=f"smtp://127.0.0.1:{smtp.port}") as daemon,
    ):
        while len(smtp.texts) < 2:
            smtp.over.wait(0.05)
        daemon.kill()
    assert served("once").exit_code == 0
    assert outbox(served) == ["unknown", "unknown"]


def test_a_game_survives_a_daemon_that_is_killed_again_and_again(served: Desk, player: Player) -> None:
    """Whatever it was doing: no letter is lost, none counts twice, and the log is clean."""
    code = served.new_game()
    kills, stop = iter(range(4)), threading.Event()
    written = threading.Semaphore(0)
    players = [player("Aoi"), player("Ben")]
    with built(served) as server:
        bots = [Bot(server, code, Seat(number), who, "en") for number, who in enumerate(players, 1)]

        def count(_player: MailPlayer, _words: str) -> None:
            written.release()

        threads = [threading.Thread(target=bot.play, args=(stop, count)) for bot in bots]
        for thread in threads:
            thread.start()
        try:
            for _ in kills:
                with serving(served) as daemon:
                    for _ in range(5):
                        assert written.acquire(timeout=60)
                    daemon.kill()
                let_ten_minutes_pass(served)
            with serving(served):
                for thread in threads:
                    thread.join(120)
                assert not any(thread.is_alive() for thread in threads)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert served.json("game", "show", code)["status"] == "over"
    assert served("game", "replay", code).exit_code == 0
    assert {row["status"] for row in served.json("mail", "list")} <= {"done", "refused", "ignored"}


def let_ten_minutes_pass(desk: Desk) -> None:
    """Let letters of which nobody knows whether they arrived be due again."""
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute(
            "UPDATE outbox SET status = 'deferred', leased_by = NULL, leased_until = NULL "
            "WHERE status IN ('sending', 'unknown')"
        )


def test_a_wrong_password_is_reported_once_and_letters_still_go_out(served: Desk, player: Player) -> None:
    served.new_game()
    with (
        ScriptedImap({"LOGIN": "NO [AUTHENTICATIONFAILED] no"}) as imap,
        serving(served, CORR_IMAP=f"imap://play@127.0.0.1:{imap.port}") as daemon,
    ):
        assert "check the user in the URL and the password" in daemon.says("refuses the login of play")
        letter_to(player("Aoi"), "59-26")
        letter_to(player("Ben"), "Aoi")
        assert sum(command.startswith("LOGIN") for command in imap.commands) == 1
        assert daemon.terminate() == 0
    assert sum("refuses the login" in line for line in daemon.lines) == 1


def test_the_daemon_comes_back_when_the_imap_server_does(
    served: Desk, servers: EmbeddedServers, player: Player
) -> None:
    served.new_game()
    relay = Relay(servers.imap_port)
    relay.open()
    try:
        with serving(served, CORR_IMAP=f"imap://play%40corr.test@127.0.0.1:{relay.port}") as daemon:
            aoi = player("Aoi")
            letter = letter_to(aoi, "59-26")
            relay.shut()
            daemon.says("fetch: imap://127.0.0.1")
            aoi.reply(letter, "59-26")
            relay.open()
            letter_to(aoi, "Taken: 59-26")
            assert daemon.terminate() == 0
    finally:
        relay.shut()
    assert not any("Traceback" in line for line in daemon.lines)


def test_a_full_disk_is_one_line_in_the_log_and_nothing_is_lost(served: Desk, player: Player) -> None:
    """A limit on the size of files stands for the disk: the database can write no more."""
    served.new_game()
    aoi = player("Aoi")
    with serving(served) as daemon:
        letter = letter_to(aoi, "59-26")
        letter_to(player("Ben"), "Aoi")
        daemon.limit_files(0)
        aoi.reply(letter, "59-26")
        assert "tried again in" in daemon.says("fetch: the database refuses: ")
        daemon.limit_files(2**40)
        letter_to(aoi, "Taken: 59-26")
        assert daemon.terminate() == 0
    assert not any("Traceback" in line for line in daemon.lines)


@pytest.mark.parametrize("environment", [{"CORR_IMAP_PASSWORD": ""}, {"CORR_SMTP": "smtp://u@127.0.0.1:9"}])
def test_a_password_that_is_missing_is_said_at_once(served: Desk, environment: dict[str, str]) -> None:
    served.environment = {"CORR_IMAP_PASSWORD": ""}
    for command in ("serve", "once"):
        done = served.apart(command, env=environment)
        assert done.returncode == 1
        assert "no password for" in done.stderr
        assert len(done.stderr.splitlines()) == 1
