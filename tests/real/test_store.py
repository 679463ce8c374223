"""From Dovecot into the database: each letter once, whatever happens on the way."""

from __future__ import annotations

import threading
from email.policy import SMTP
from signal import SIGKILL
from typing import Any

import pytest
from sqlmodel import col, select

from corr.mail.errors import Unreachable
from corr.service.fetch import fetch
from corr.store.tables import Inbound
from tests.real.letters import open_inbox, written
from tests.real.stack import RealServers
from tests.service.world import AOI, World

LETTERS = 300
KILLS = 12


def stored(world: World) -> list[Inbound]:
    with world.office.database.session() as session:
        return list(session.exec(select(Inbound).order_by(col(Inbound.id))))


def test_a_mailbox_that_was_made_anew_brings_everything_again_and_nothing_happens_twice(
    world: World, real_servers: RealServers, address: str, other: Any
) -> None:
    """All letters have other numbers and are stored again; the content tells what has had its effect."""
    code = world.game()
    old, new = (world.written(AOI, words).as_bytes(policy=SMTP) for words in ("5", "help"))
    other.append("INBOX", old)
    with open_inbox(real_servers, address) as inbox:
        before = inbox.uidvalidity
        assert fetch(world.office, inbox, address) == 1
    world.settle()
    other.unselect_folder()
    real_servers.doveadm("mailbox", "update", "--uid-validity", str(before + 1), "-u", address, "INBOX")
    other.append("INBOX", old)
    other.append("INBOX", new)
    with open_inbox(real_servers, address) as inbox:
        assert fetch(world.office, inbox, address) == 2
    world.settle()
    rows = [(row.uidvalidity, row.status) for row in stored(world)]
    assert rows == [(before, "done"), (before + 1, "ignored"), (before + 1, "done")]
    assert len(world.events(code)) == 2


def kill_again_and_again(servers: RealServers, address: str) -> None:
    """Kill the processes that serve *address*, each time a little later: a slow machine gets on too."""
    for n in range(KILLS):
        threading.Event().wait(0.03 * 1.4**n)
        servers.signal(address, SIGKILL)


@pytest.mark.slow
def test_every_letter_is_stored_once_however_often_the_connection_is_lost(
    world: World, real_servers: RealServers, address: str, other: Any
) -> None:
    """Killed while reading, storing and filing: nothing is lost, nothing is there twice."""
    names = [f"letter {number}" for number in range(LETTERS)]
    other.multiappend("INBOX", [written(name, 3000) for name in names])
    other.logout()
    killer = threading.Thread(target=kill_again_and_again, args=(real_servers, address))
    killer.start()
    losses, quiet = 0, False
    while not quiet:
        alive = killer.is_alive()
        try:
            with open_inbox(real_servers, address) as inbox:
                new = fetch(world.office, inbox, address)
                quiet = not alive and new == 0 and list(inbox.leftovers()) == []
        except Unreachable:  # a lock of the killed one may keep the next out for a while
            losses += 1
    begun = sorted(row.raw.decode().partition("\r\n")[0] for row in stored(world))
    assert begun == sorted(f"Subject: {name}" for name in names)
    assert losses
