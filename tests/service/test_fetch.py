"""Letters come in over real IMAP: stored, committed, and only then moved."""

from __future__ import annotations

import imaplib
import smtplib
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from sqlmodel import select

from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.imap import ImapInbox
from corr.service.fetch import fetch, found
from corr.service.receive import store_letters
from corr.store.tables import Inbound
from tests.mail.scripted import ScriptedImap
from tests.service.world import ADDRESS, AOI, World

PASSWORD = "secret"
MAILBOX = f"{ADDRESS}@127.0.0.1/INBOX"


@pytest.fixture
def servers() -> Iterator[EmbeddedServers]:
    with EmbeddedServers({"corr.test"}, PASSWORD) as running:
        yield running


def inbox(servers: EmbeddedServers, folder: str = "INBOX") -> ImapInbox:
    user = ADDRESS.replace("@", "%40")
    return ImapInbox(Account.parse(f"imap://{user}@127.0.0.1:{servers.imap_port}/{folder}"), PASSWORD)


def post(servers: EmbeddedServers, letter: EmailMessage) -> None:
    """Send a letter over SMTP, as its writer's program does."""
    recipient = str(letter["To"]).rpartition("<")[2].rstrip(">")
    with smtplib.SMTP("127.0.0.1", servers.smtp_port) as client:
        client.sendmail(AOI, [recipient], letter.as_bytes(policy=SMTP))


def left(servers: EmbeddedServers, folder: str = "INBOX") -> int:
    with inbox(servers, folder) as opened:
        return sum(len(batch) for batch in opened.leftovers())


def stored(world: World) -> Sequence[Inbound]:
    with world.office.database.session() as session:
        return session.exec(select(Inbound)).all()


def test_letters_of_which_some_were_stored_before_are_all_moved_and_stored_once(
    world: World, servers: EmbeddedServers
) -> None:
    """The last round ended between storing and moving; more has come since."""
    world.game()
    for words in ("5", "6"):
        post(servers, world.written(AOI, words))
    with inbox(servers) as opened:
        (batch,) = opened.leftovers()
        store_letters(world.office, [found(MAILBOX, arrival) for arrival in batch])
        for words in ("7", "8"):
            post(servers, world.written(AOI, words))
        assert fetch(world.office, opened, MAILBOX) == 2
    assert len(stored(world)) == 4
    assert (left(servers), left(servers, "Processed")) == (0, 4)


def test_a_letter_is_stored_and_then_moved(world: World, servers: EmbeddedServers) -> None:
    world.game()
    post(servers, world.written(AOI, "5"))
    with inbox(servers) as opened:
        assert fetch(world.office, opened, MAILBOX) == 1
        assert fetch(world.office, opened, MAILBOX) == 0
    assert (left(servers), left(servers, "Processed")) == (0, 1)
    world.settle()
    (row,) = stored(world)
    assert (row.status, row.source, row.mailbox) == ("done", "imap", MAILBOX)
    assert row.uid is not None
    assert "Taken: 5" in world.text(AOI)


def test_the_tag_of_the_address_survives_the_way(world: World, servers: EmbeddedServers) -> None:
    world.game()
    letter = world.plain(AOI, "5")
    letter.replace_header("To", str(world.newest(AOI)["Reply-To"]))
    post(servers, letter)
    with inbox(servers) as opened:
        fetch(world.office, opened, MAILBOX)
    world.settle()
    assert stored(world)[0].rules_hit == "holder"


def test_a_crash_between_storing_and_moving_has_no_second_effect(
    world: World, servers: EmbeddedServers
) -> None:
    code = world.game()
    post(servers, world.written(AOI, "5"))

    class Crashes(ImapInbox):
        def file(self, uids: Sequence[int], folder: str = "Processed") -> None:
            raise KeyboardInterrupt

    user = ADDRESS.replace("@", "%40")
    account = Account.parse(f"imap://{user}@127.0.0.1:{servers.imap_port}/INBOX")
    with pytest.raises(KeyboardInterrupt), Crashes(account, PASSWORD) as crashing:
        fetch(world.office, crashing, MAILBOX)
    world.settle()
    assert (left(servers), len(stored(world))) == (1, 1)
    with inbox(servers) as opened:
        assert fetch(world.office, opened, MAILBOX) == 0
    world.settle()
    assert (left(servers), len(stored(world))) == (0, 1)
    assert len(world.events(code)) == 2


def test_the_seen_flag_says_nothing(world: World, servers: EmbeddedServers) -> None:
    """Another program may have looked at the letter."""
    world.game()
    post(servers, world.written(AOI, "5"))
    with imaplib.IMAP4("127.0.0.1", servers.imap_port) as other:
        other.login(ADDRESS, PASSWORD)
        assert other.select() == ("OK", [b"1"])
        assert other.store("1", "+FLAGS", r"(\Seen)")[0] == "OK"
    with inbox(servers) as opened:
        assert fetch(world.office, opened, MAILBOX) == 1


def test_after_a_change_of_uidvalidity_the_same_uid_is_another_letter(world: World) -> None:
    world.game()
    first, second = (world.written(AOI, words).as_bytes(policy=SMTP) for words in ("help", "5"))
    for validity, raw in ((7, first), (8, second), (8, second)):
        with ScriptedImap(imap_script(validity, raw)) as server:
            account = Account.parse(f"imap://play@127.0.0.1:{server.port}/INBOX")
            with ImapInbox(account, PASSWORD) as opened:
                fetch(world.office, opened, MAILBOX)
    world.settle()
    assert [(row.uidvalidity, row.uid) for row in stored(world)] == [(7, 1), (8, 1)]
    assert "Taken: 5" in world.text(AOI)


def test_a_letter_that_a_new_uidvalidity_brings_again_has_no_second_effect(world: World) -> None:
    """The server was rebuilt: everything has another number, and the content tells."""
    code = world.game()
    raw = world.written(AOI, "5").as_bytes(policy=SMTP)
    for validity in (7, 8):
        with ScriptedImap(imap_script(validity, raw)) as server:
            account = Account.parse(f"imap://play@127.0.0.1:{server.port}/INBOX")
            with ImapInbox(account, PASSWORD) as opened:
                assert fetch(world.office, opened, MAILBOX) == 1
        world.settle()
    assert [row.status for row in stored(world)] == ["done", "ignored"]
    assert len(world.events(code)) == 2


def imap_script(validity: int, raw: bytes) -> dict[str, str]:
    """Return what a server says whose inbox holds one letter."""
    text = raw.decode("ascii")
    head = f'RFC822.SIZE {len(raw)} INTERNALDATE "02-Mar-2026 11:59:00 +0000"'
    return {
        "SELECT": f"* 1 EXISTS\r\n* OK [UIDVALIDITY {validity}] valid\r\n* OK [UIDNEXT 2] next",
        "UID SEARCH": "* SEARCH 1",
        "UID FETCH 1 (RFC822.SIZE INTERNALDATE)": f"* 1 FETCH (UID 1 {head})",
        "UID FETCH 1 (BODY.PEEK[])": f"* 1 FETCH (UID 1 BODY[] {{{len(raw)}}}\r\n{text})",
    }
