"""The inbox is emptied: letters are stored and committed, a handful at a time, and only then moved."""

from __future__ import annotations

from collections.abc import Sequence

from corr.faults import fault
from corr.mail.imap import Arrival, Inbox
from corr.service.office import Office
from corr.service.receive import Found, Origin, store_letters


def fetch(office: Office, inbox: Inbox, mailbox: str) -> int:
    """Store everything that lies in the inbox, and move it away; returns how many were new.

    What lies there counts, not what is unseen: other programs set and clear that
    flag.  A letter that was stored before a crash is only moved now.
    """
    return sum(_store(office, inbox, mailbox, batch) for batch in inbox.leftovers())


def _store(office: Office, inbox: Inbox, mailbox: str, batch: Sequence[Arrival]) -> int:
    fault("fetch.listed")
    numbers = store_letters(office, [found(mailbox, arrival) for arrival in batch])
    fault("fetch.stored")
    inbox.file([arrival.uid for arrival in batch])
    fault("fetch.moved")
    return sum(number is not None for number in numbers)


def found(mailbox: str, arrival: Arrival) -> Found:
    """Return a letter as it was found in a mailbox."""
    origin = Origin("imap", mailbox, arrival.uidvalidity, arrival.uid)
    return Found(arrival.raw, origin, arrival.received_at)
