"""What must be true when corr has come back, wherever it was killed."""

from __future__ import annotations

from collections import Counter

from corr.service import admin
from corr.store.tables import Inbound, Outbox
from tests.kill.house import House


def all_is_well(house: House) -> None:
    """All of it."""
    every_letter_was_stored_once_and_moved(house)
    every_letter_has_one_answer(house)
    no_letter_had_a_second_effect(house)
    every_answer_arrived(house)
    the_log_is_clean(house)


def every_letter_was_stored_once_and_moved(house: House) -> None:
    assert house.mailbox(house.server.settings.address) == []
    stored = Counter((row.sender, row.message_id) for row in house.rows(Inbound))
    assert stored == Counter(house.written)


def every_letter_has_one_answer(house: House) -> None:
    """And none waits."""
    assert {row.status for row in house.rows(Inbound)} <= {"done", "refused", "failed"}
    answers = Counter((row.address, row.in_reply_to) for row in house.rows(Outbox) if row.in_reply_to)
    assert answers == Counter(house.written)


def no_letter_had_a_second_effect(house: House) -> None:
    """Look for one entry of each letter that was taken, for each holds one order; and for no other."""
    taken = {row.id for row in house.rows(Inbound) if row.status == "done"}
    entries = house.entries()
    assert {letter: len(words) for letter, words in entries.items()} == dict.fromkeys(taken, 1)


def every_answer_arrived(house: House) -> None:
    """Each letter of the outbox lies in its reader's mailbox, and corr knows it; two copies at most."""
    assert {row.status for row in house.rows(Outbox)} == {"sent"}
    assert set(house.copies().values()) <= {1, 2}


def the_log_is_clean(house: House) -> None:
    replayed = list(admin.replay(house.server.office))
    assert replayed
    assert [done.problem for done in replayed if done.problem] == []
