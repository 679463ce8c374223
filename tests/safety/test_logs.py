"""Nothing that corr logs or prints holds a password, a seed, a key or a mark, whatever goes wrong."""

from __future__ import annotations

import logging
import re
import sqlite3
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from sqlmodel import select

from corr.core import marks
from corr.demo.player import MailPlayer, offered
from corr.store.tables import Game, Outbox, Tenure
from tests.cli.conftest import SEATS, Desk
from tests.daemon.conftest import built, letter_to, running, serving
from tests.safety.conftest import PASSWORD

pytestmark = pytest.mark.slow
WRONG, OUT = "Pa55-that-is-wrong", "Pa55-of-smtp"
SERVERS = {"pymap", "mail"}  # loggers of the mail servers in this process, which must be told the password
Player = Callable[[str], MailPlayer]


def secrets_of(desk: Desk) -> dict[str, str]:
    """Return all that must not show, by what it is: in every form in which bytes are printed."""
    found = {"password": PASSWORD, "wrong password": WRONG, "password of SMTP": OUT}
    found |= {f"{name} in base64": b64encode(word.encode()).decode() for name, word in found.items()}
    with built(desk) as server, server.office.database.session() as session:
        for game in session.exec(select(Game)):
            found |= printed(f"seed of {game.code}", game.seed or b"")
        for tenure in session.exec(select(Tenure)):
            found |= printed(f"key of tenure {tenure.id}", tenure.key)
        for row in session.exec(select(Outbox)):
            for signed in marks.find([row.message_id]):
                found[f"mark of letter {row.id}"] = signed.hash
    return found


def printed(what: str, secret: bytes) -> Mapping[str, str]:
    """Show bytes in every form in which a program prints them."""
    assert len(secret) >= 16
    return {
        f"{what} as hex": secret.hex(),
        f"{what} in base64": b64encode(secret).decode().rstrip("="),
        f"{what} in base64 for URLs": urlsafe_b64encode(secret).decode().rstrip("="),
        f"{what} as Python writes it": repr(secret)[2:-1],
        f"{what} as a list": str(list(secret))[1:-1],
    }


def shown_in(said: str, desk: Desk) -> list[str]:
    """Name the secrets that stand in what was said."""
    folded = said.casefold()
    return [what for what, secret in secrets_of(desk).items() if secret.casefold() in folded]


def have_trouble(desk: Desk, player: Player, says: Callable[[str], object]) -> None:
    """Play a move, write to an address that is refused, and break a game under its players."""
    code = desk.new_game()
    desk("game", "new", "ukulele", *SEATS[:3], "Eve=eve@elsewhere.test", "--now")
    says("550 5.1.2 No such domain here")
    aoi, ben = player("Aoi"), player("Ben")
    aoi.reply(letter_to(aoi, code), "59-26")
    letter = letter_to(ben, "59-26")
    with closing(sqlite3.connect(desk.folder / "corr.db")) as database, database:
        database.execute("UPDATE games SET paces = '{}' WHERE code = ?", (code,))
    ben.reply(letter, offered(letter)[0])
    letter_to(ben, "Your letter could not be handled")
    says("was not handled")


def test_a_daemon_in_trouble_logs_no_secret(served: Desk, player: Player) -> None:
    with serving(served, "--verbose") as daemon:
        have_trouble(served, player, daemon.says)
        assert daemon.terminate() == 0
    said = "\n".join(daemon.lines)
    for words in ("Traceback", "KeyError", "550 5.1.2"):
        assert words in said
    assert shown_in(said, served) == []


@pytest.mark.parametrize("words", [("once", "--verbose"), ("doctor",), ("doctor", "--json"), ("serve",)])
def test_a_command_that_cannot_log_in_prints_no_secret(served: Desk, words: tuple[str, ...]) -> None:
    served.new_game()
    smtp = re.sub("smtp://", "smtp://play@", _smtp(served.folder))
    given = {"CORR_IMAP_PASSWORD": WRONG, "CORR_SMTP_PASSWORD": OUT, "CORR_SMTP": smtp}
    if words == ("serve",):
        with serving(served, **given) as daemon:
            said = daemon.says("refuses the login of")
            daemon.terminate()
        said += "\n".join(daemon.lines)
    else:
        done = served.apart(*words, env=given)
        assert done.returncode == 1
        said = done.stdout + done.stderr
    assert "refuses the login" in said
    assert shown_in(said, served) == []


def _smtp(folder: Path) -> str:
    found = re.search(r'smtp = "([^"]+)"', (folder / "corr.toml").read_text())
    assert found is not None
    return found[1]


def test_what_all_loggers_say_at_their_most_talkative_holds_no_secret_of_the_server(
    served: Desk, player: Player, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of libraries, too, which corr never lets talk so much: they show whole letters, with their marks."""
    with caplog.at_level(logging.DEBUG), built(served) as server, running(server):
        have_trouble(served, player, lambda _: None)
    records = [record for record in caplog.records if record.name.partition(".")[0] not in SERVERS]
    assert {record.levelno for record in records} >= {logging.DEBUG, logging.INFO, logging.ERROR}
    said = "".join((*map(caplog.handler.format, records), *capfd.readouterr()))
    own = [what for what in shown_in(said, served) if not what.startswith("mark")]
    assert own == []


@pytest.mark.parametrize("form", ["hex", "base64", "repr", "list"])
def test_a_key_that_is_logged_is_caught(served: Desk, form: str) -> None:
    served.new_game()
    with built(served) as server, server.office.database.session() as session:
        key = session.exec(select(Tenure)).first()
        assert key is not None
        said = {
            "hex": key.key.hex(),
            "base64": b64encode(key.key).decode(),
            "repr": f"{key.key!r}",
            "list": f"{[*key.key]}",
        }[form]
    assert len(shown_in(said, served)) >= 1
