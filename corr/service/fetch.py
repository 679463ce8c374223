"""The inbox is emptied: each letter stored and committed, and only then moved."""

from __future__ import annotations

from collections.abc import Iterable

from corr.faults import fault
from corr.mail.imap import Arrival, Inbox
from corr.service.office import Office
from corr.service.receive import Origin, store_letter


def fetch(office: Office, inbox: Inbox, mailbox: str) -> int:
    """Store everything that lies in the inbox, and move it away; returns how many were new.

    What lies there counts, not what is unseen: other programs set and clear that
    flag.  A letter that was stored before a crash is only moved now.
    """
    return sum(_store(office, inbox, mailbox, batch) for batch in inbox.leftovers())


def _store(office: Office, inbox: Inbox, mailbox: str, batch: Iterable[Arrival]) -> int:
    new = 0
    uids: list[int] = []
    fault("fetch.listed")
    for arrival in batch:
        origin = Origin("imap", mailbox, arrival.uidvalidity, arrival.uid)
        new += store_letter(office, arrival.raw, origin, arrival.received_at) is not None
        fault("fetch.stored")
        uids.append(arrival.uid)
    inbox.file(uids)
    fault("fetch.moved")
    return new
