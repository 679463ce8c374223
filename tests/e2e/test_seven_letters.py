"""Seven ordinary letters that mail judges get wrong, in one game over real mail servers."""

from __future__ import annotations

import threading
from base64 import encodebytes
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from sqlmodel import col, select

from corr.bootstrap import Server
from corr.demo.clients import apple, gmail, reply_to, text_of
from corr.demo.player import MailHost
from corr.demo.table import server_at
from corr.service.lobby import Invited, Wish, new_game
from corr.store import games
from corr.store.tables import Event, Inbound, Outbox
from tests.e2e.players import Table, patience
from tests.e2e.proofs import moves_in_html
from tests.e2e.test_endings import Chair

EVE = "eve@players.test"


class Post:
    """The letters of one game, as its players' programs write them."""

    def __init__(self, mail: MailHost, server: Server, code: str, stop: threading.Event) -> None:
        self.mail, self.server, self.code, self._stop = mail, server, code, stop
        self._count = 0

    def send(self, sender: str, reply: EmailMessage, *, copies: int = 1) -> Sequence[Inbound]:
        """Hand in a letter, so many times, and wait until each copy has been dealt with."""
        self._count += 1
        if reply["Message-ID"] is None:
            reply["Message-ID"] = f"<{self._count}@{sender.rpartition('@')[2]}>"
        raw, to = reply.as_bytes(policy=SMTP), str(reply["To"]).rpartition("<")[2].rstrip(">")
        for _ in range(copies):
            self.mail.post(sender, to, raw)
        return self._until(lambda rows: len(rows) == copies, str(reply["Message-ID"]))

    def _until(self, enough: Callable[[Sequence[Inbound]], bool], message_id: str) -> Sequence[Inbound]:
        while not self._stop.wait(0.05):
            with self.server.office.database.session() as session:
                rows = session.exec(
                    select(Inbound)
                    .where(col(Inbound.message_id) == message_id, col(Inbound.status) != "new")
                    .order_by(col(Inbound.id))
                ).all()
            if enough(rows):
                return rows
        raise AssertionError("the letter was not dealt with")

    def facts(self) -> int:
        """Count the facts of the game so far."""
        with self.server.office.database.session() as session:
            game = games.game_by_code(session, self.code)
            assert game is not None
            return len(session.exec(select(Event).where(col(Event.game_id) == game.id)).all())

    def letters(self, address: str) -> Sequence[Outbox]:
        """Return what was written to somebody, the newest last."""
        with self.server.office.database.session() as session:
            query = select(Outbox).where(col(Outbox.address) == address)
            return session.exec(query.order_by(col(Outbox.id))).all()


def said(letter: EmailMessage) -> str:
    """Return the text of a letter with plain line ends."""
    return text_of(letter).replace("\r\n", "\n")


def answered(chair: Chair, letter: EmailMessage) -> EmailMessage:
    """Wait for the answer to a letter: it names it."""
    while (answer := chair.next())["In-Reply-To"] != letter["Message-ID"]:
        pass
    return answer


def to_move(chair: Chair, since: EmailMessage | None = None) -> str:
    """Read on until a letter newer than *since* offers moves; returns one."""
    while chair.player.letters[-1] is since or not moves_in_html(chair.player.letters[-1]):
        chair.next()
    return min(moves_in_html(chair.player.letters[-1]))


def reply(chair: Chair, words: str, client: Callable[[str, EmailMessage], EmailMessage]) -> EmailMessage:
    """Write a reply to the newest letter of a player."""
    return reply_to(chair.player.letters[-1], words, chair.player.address, client)


def html_only(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as programs do that write no text part."""
    both = gmail(words, letter)
    html = both.get_body(("html",))
    assert html is not None
    alone = EmailMessage()
    alone.set_content(html.get_content(), subtype="html")
    return alone


def in_base64(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply in base64, as Japanese programs do."""
    coded = EmailMessage()
    coded["Content-Type"] = 'text/plain; charset="UTF-8"'
    coded["Content-Transfer-Encoding"] = "base64"
    coded.set_payload(encodebytes(f"{words}\r\n\r\nよろしくお願いします。\r\n".encode()).decode())
    return coded


def absence(_words: str, letter: EmailMessage) -> EmailMessage:
    """Answer as a vacation program does, with what it answers under it."""
    note = EmailMessage()
    note["Auto-Submitted"] = "auto-replied"
    note.set_content(f"I am away until Monday.\n\n> {text_of(letter)}")
    return note


class Game:
    """A game of Aoi and Ben, and the seven letters in the order in which they come."""

    def __init__(self, post: Post, aoi: Chair, ben: Chair) -> None:
        self.post, self.aoi, self.ben = post, aoi, ben

    def _deal(self, chair: Chair, letter: EmailMessage) -> Inbound:
        (row,) = self.post.send(chair.player.address, letter)
        return row

    def quoted_with_a_footer(self) -> None:
        letter = reply(self.aoi, to_move(self.aoi), apple)
        assert "Sent from my iPhone" in said(letter)
        assert "\n> " in said(letter)
        assert self._deal(self.aoi, letter).status == "done"
        answer = said(answered(self.aoi, letter)).partition("== What has happened")[0]
        assert "Taken: " in answer
        assert "Not " not in answer, "neither the quote nor the footer was read"

    def html_alone(self) -> None:
        letter = reply(self.ben, to_move(self.ben), html_only)
        assert letter.get_content_type() == "text/html"
        assert self._deal(self.ben, letter).status == "done"

    def base64(self) -> None:
        letter = reply(self.aoi, to_move(self.aoi), in_base64)
        assert letter["Content-Transfer-Encoding"] == "base64"
        assert self._deal(self.aoi, letter).status == "done"

    def good_and_bad_lines(self) -> None:
        move = to_move(self.ben, self.ben.player.letters[-1])
        letter = reply(self.ben, f"Nice one!\n{move}\nresing", gmail)
        assert self._deal(self.ben, letter).status == "done"
        answer = said(answered(self.ben, letter))
        assert f"Taken: {move}" in answer
        assert "Not read as a move: Nice one!" in answer
        assert "Did you mean this? Then write it so:\n    resign\n" in answer

    def the_right_mark_from_a_stranger(self) -> None:
        """Ask the holder; the stranger learns nothing."""
        move = to_move(self.aoi, self.aoi.player.letters[-1])
        (row,) = self.post.send(EVE, reply_to(self.aoi.player.letters[-1], move, EVE, gmail))
        assert row.rules_hit == "not-holder"
        assert self.post.letters(EVE) == []
        self.aoi.until_asked()
        assert "Did you write this letter" in said(self.aoi.player.letters[-1])

    def an_absence(self) -> None:
        before = len(self.post.letters(self.aoi.player.address))
        row = self._deal(self.aoi, reply(self.aoi, "", absence))
        assert (row.status, row.rules_hit) == ("ignored", "automatic")
        assert len(self.post.letters(self.aoi.player.address)) == before, "a machine is not answered"

    def the_same_twice(self) -> None:
        """Have one effect; the one answer goes out again."""
        offer = next(letter for letter in reversed(self.aoi.player.letters) if moves_in_html(letter))
        address = self.aoi.player.address
        letter = reply_to(offer, min(moves_in_html(offer)), address, gmail)
        first, second = self.post.send(address, letter, copies=2)
        assert (first.status, second.status, second.rules_hit) == ("done", "ignored", "repeated")
        answers = [row for row in self.post.letters(address) if row.in_reply_to == letter["Message-ID"]]
        assert len(answers) == 1


def test_seven_letters_that_mail_judges_get_wrong(mail: MailHost, tmp_path: Path) -> None:
    """Each has just the effect that its writer meant, and nobody learns more than he may."""
    with ExitStack() as stack:
        server = stack.enter_context(server_at(mail, tmp_path))
        table = Table(server)
        players = [table.seat(mail, "Aoi", "en"), table.seat(mail, "Ben", "en")]
        guests = [Invited(player.name, player.address) for player in players]
        code = new_game(server.office, Wish("ukulele", guests, at_once=True, options={"first_player": "1"}))
        assert isinstance(code, str)
        stop = stack.enter_context(patience())
        aoi, ben = (Chair(seat, one, "en", one.arrivals(stop)) for seat, one in enumerate(players, 1))
        game = Game(Post(mail, server, code, stop), aoi, ben)
        aoi.next()
        ben.next()
        facts = list[int]()
        for letter in (
            game.quoted_with_a_footer,
            game.html_alone,
            game.base64,
            game.good_and_bad_lines,
            game.the_right_mark_from_a_stranger,
            game.an_absence,
            game.the_same_twice,
        ):
            letter()
            facts.append(game.post.facts())
        assert facts == [2, 3, 4, 5, 5, 5, 6]
