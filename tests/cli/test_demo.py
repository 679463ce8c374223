"""``corr demo``: a whole game by mail, between bots or with whoever sits at the terminal."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from corr.demo.clients import CLIENTS, text_of
from corr.demo.player import MailHost, MailPlayer
from corr.render.catalogue import word
from engines.api import Phrase
from tests.cli.conftest import CORR
from tests.cli.terminals import Terminal, at_terminal


def demo(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the demo where no terminal is."""
    return subprocess.run(
        [CORR, "demo", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "shown"),
    [
        ("en", ("letter 1: ", " writes yes", "The last letter to Aoi", "clean.")),
        (
            "ja",
            (
                "1通目：",
                "「はい」と書きました",
                "Aoiさんへの最後のメール",
                "終わりました",
                "問題はありません",
            ),
        ),
    ],
)
def test_without_a_terminal_bots_play_to_the_end(lang: str, shown: tuple[str, ...]) -> None:
    done = demo("--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    for words in shown:
        assert words in done.stdout
    assert "\x1b" not in done.stdout
    assert word(Phrase("heading.record"), lang, {}) in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "3"), "players, not 3"),
        (("--game", "nosuch"), "There is no game called nosuch. Known: "),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_reason(words: tuple[str, ...], said: str) -> None:
    done = demo(*words)
    assert done.returncode == 1
    assert said in done.stderr
    assert not done.stdout


def test_a_demo_asked_wrong_ends_with_2() -> None:
    assert demo("--lang", "fr").returncode == 2
    assert demo("--players", "0").returncode == 2


def test_without_its_extra_the_demo_says_what_to_install(tmp_path: Path) -> None:
    """A package that is blocked stands for one that is not installed; the rest of corr works."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nfor name in ('aiosmtpd', 'pymap', 'psycopg'):\n    sys.modules[name] = None\n"
    )

    def corr(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
        command = [sys.executable, str(CORR), *words]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )

    done = corr("demo")
    assert done.returncode == 1
    assert done.stderr == "the demo needs its mail servers: pip install 'corr-games[demo]'\n"
    assert corr("--version").returncode == 0
    given = ("--address", "p@x.org", "--imap", "imaps://p@x.org", "--smtp", "smtp://p@x.org")
    done = corr("init", *given, "--database", "postgresql://corr@127.0.0.1:9/corr")
    assert done.returncode == 0
    assert "corr-games[postgres]" in done.stderr
    assert "Traceback" not in done.stderr


def host_shown(terminal: Terminal) -> MailHost:
    """Read the login from what the terminal shows, as a person does."""
    imap, smtp = (int(port) for port in re.findall(r"127\.0\.0\.1, port (\d+)", terminal.shown))
    password = re.search(r"password +(\S+)", terminal.shown)
    assert password is not None
    return MailHost(imap, smtp, password[1])


@pytest.mark.slow
def test_on_a_terminal_you_play_with_the_login_that_is_shown() -> None:
    with at_terminal("demo") as terminal:
        terminal.until("End the demo with Ctrl-C.")
        player = MailPlayer("Aoi", "aoi@players.test", host_shown(terminal), CLIENTS["en"][0])
        stop = threading.Event()
        for letter in player.arrivals(stop):
            if "Welcome to the game!" in text_of(letter):
                break
            player.reply(letter, "yes")
        terminal.until("Ben wrote: yes")
        terminal.interrupt()
        assert terminal.end() == 0
    assert "The demo is over; nothing is left behind." in terminal.shown
    assert "Traceback" not in terminal.shown
    assert "Exception" not in terminal.shown


@pytest.mark.slow
def test_the_terminal_is_told_what_runs_in_its_language() -> None:
    with at_terminal("demo", "--lang", "ja") as terminal:
        terminal.until("Ctrl-C でデモを終了します。")
        terminal.interrupt()
        assert terminal.end() == 0
    assert "このコンピューターの中だけで" in terminal.shown
    assert "デモを終了しました" in terminal.shown
    assert "Traceback" not in terminal.shown
