"""Games by real mail that end before the board says so: a resignation, an agreed draw."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from corr.demo.clients import text_of
from corr.demo.player import MailHost, MailPlayer, offered
from corr.demo.table import invite, server_at
from corr.store import games
from engines.api import Problem
from tests.e2e.players import Table, patience
from tests.e2e.proofs import all_well, moves_in_html


@dataclass(slots=True)
class Chair:
    """A player whose letters are read one by one."""

    seat: int
    player: MailPlayer
    lang: str
    arrivals: Iterator[EmailMessage]

    def next(self) -> EmailMessage:
        """Wait for the next letter; fails when none comes."""
        letter = next(self.arrivals, None)
        assert letter is not None, f"no letter came to {self.player.name}"
        return letter

    def reply(self, en: str, ja: str) -> None:
        """Answer the newest letter in the language of this seat."""
        self.player.reply(self.player.letters[-1], ja if self.lang == "ja" else en)

    def move(self) -> None:
        """Make a move that the newest letter offers."""
        move = min(moves_in_html(self.player.letters[-1]))
        self.reply(move, move)

    def until_asked(self) -> None:
        """Read on until a letter asks for a yes or a no."""
        while not {"yes", "はい"} & set(offered(self.next())):
            pass

    def until_its_turn(self) -> None:
        """Read on until a letter offers moves."""
        while not moves_in_html(self.next()):
            pass

    def until_over(self) -> None:
        """Read on until the result has come."""
        while not re.search(r"is over|終局しました", text_of(self.next())):
            pass


@contextmanager
def begun(mail: MailHost, folder: Path) -> Generator[tuple[Table, str, Chair, Chair]]:
    """Seat Aoi (Japanese) and Ben (English), let both say yes; gives who moves first, then who waits."""
    with ExitStack() as stack:
        server = stack.enter_context(server_at(mail, folder))
        table = Table(server)
        players = [table.seat(mail, "Aoi", "ja"), table.seat(mail, "Ben", "en")]
        with server.office.database.session() as session:
            table.know(session)
        code = invite(server, "ukulele", players, "en")
        assert not isinstance(code, Problem)
        stop = stack.enter_context(patience())
        aoi = Chair(1, players[0], "ja", players[0].arrivals(stop))
        ben = Chair(2, players[1], "en", players[1].arrivals(stop))
        aoi.until_asked()
        aoi.reply("yes", "はい")
        aoi.next()  # thanks, and wait for the others; only then can no letter overtake hers
        ben.until_asked()
        ben.reply("yes", "はい")
        begins = {bool(moves_in_html(chair.next())): chair for chair in (aoi, ben)}
        yield table, code, begins[True], begins[False]


def outcome(table: Table, code: str) -> tuple[list[int], str]:
    """Return who won and why, as stored."""
    with table.server.office.database.session() as session:
        game = games.game_by_code(session, code)
        assert game is not None
        assert game.outcome is not None
        return game.outcome["winners"], game.outcome["reason"]


def still_runs(table: Table, code: str) -> bool:
    """Tell whether the game goes on."""
    with table.server.office.database.session() as session:
        game = games.game_by_code(session, code)
        return game is not None and game.status == "running"


def test_who_resigns_is_asked_once_and_loses(mail: MailHost, tmp_path: Path) -> None:
    """A resignation ends the game after a yes to just that question; the other seat wins."""
    with begun(mail, tmp_path) as (table, code, first, second):
        first.move()
        second.until_its_turn()
        second.move()
        first.until_its_turn()
        first.reply("resign", "投了")
        first.until_asked()
        assert still_runs(table, code)
        first.reply("yes", "はい")
        first.until_over()
        second.until_over()
        assert outcome(table, code) == ([second.seat], "resignation")
        all_well(table, code)


def test_a_draw_is_offered_and_agreed(mail: MailHost, tmp_path: Path) -> None:
    """A player offers a draw instead of moving; the other's yes ends the game without a winner."""
    with begun(mail, tmp_path) as (table, code, first, second):
        first.reply("draw", "引分")
        second.until_asked()
        assert still_runs(table, code)
        second.reply("yes", "はい")
        first.until_over()
        second.until_over()
        assert outcome(table, code) == ([], "agreement")
        all_well(table, code)
