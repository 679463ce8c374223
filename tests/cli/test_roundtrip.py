"""``corr doctor --send``: letters make a round trip, and what goes wrong on the way is named."""

from __future__ import annotations

import json
import re
import smtplib
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, Envelope

from corr.demo.clients import text_of
from corr.demo.player import MailPlayer
from corr.mail.account import Account
from corr.mail.embedded import EmbeddedServers
from corr.mail.imap import ImapInbox
from tests.cli.conftest import DOMAINS, PASSWORD, Desk, write_settings
from tests.daemon.conftest import letter_to, player, serving

__all__ = ["player"]

PERSON = "aoi@players.test"
Change = Callable[[str, bytes], tuple[str, bytes] | None]


class Crooked(EmbeddedServers):
    """Servers that do something to letters on their way; None: they are lost."""

    def __init__(self, change: Change) -> None:
        super().__init__(DOMAINS, PASSWORD)
        self._change = change

    async def handle_DATA(self, server: SMTP, session: object, envelope: Envelope) -> str:  # noqa: N802
        for recipient in envelope.rcpt_tos:
            if changed := self._change(recipient, envelope.original_content or b""):
                await self._mailboxes.put(changed[0], envelope.mail_from or "", changed[1])
        return "250 2.0.0 OK"


class NoPlus(EmbeddedServers):
    """Servers that know no plus addresses."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: object, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if "+" in address:
            return "550 5.1.1 No such user"
        return await super().handle_RCPT(server, session, envelope, address, options)


def travelled(desk: Desk, status: int, *words: str, person: str = PERSON) -> dict[str, Any]:
    """Make the round trip; return what was found of it."""
    done = desk("doctor", "--send", person, "--json", *words)
    assert (done.exit_code, done.stderr) == (status, "")
    return {finding["check"]: finding for finding in json.loads(done.stdout)[8:]}


def bad(found: dict[str, Any]) -> list[str]:
    return [check for check, finding in found.items() if not finding["well"]]


def left_behind(servers: EmbeddedServers) -> list[bytes]:
    """Return what lies in corr's inbox."""
    account = Account.parse(f"imap://play%40corr.test@127.0.0.1:{servers.imap_port}/INBOX")
    with ImapInbox(account, PASSWORD) as inbox:
        return [arrival.raw for batch in inbox.leftovers() for arrival in batch]


def test_letters_come_back_to_a_server_that_is_well(served: Desk, servers: EmbeddedServers) -> None:
    found = travelled(served, 0)
    assert list(found) == ["delivery", "plus address", "message-id", f"letter to {PERSON}"]
    assert "SPF, DKIM and DMARC" in found[f"letter to {PERSON}"]["detail"]
    assert left_behind(servers) == []
    assert served.json("once")["fetched"] == 0


def test_the_person_reads_in_both_languages_what_the_letter_is(
    served: Desk, player: Callable[[str], MailPlayer]
) -> None:
    travelled(served, 0)
    letter = letter_to(player("Aoi"), "trial letter")
    for words in ("mark it as no spam", "受信拒否設定", "play@corr.test"):
        assert words in text_of(letter)
    assert letter["Auto-Submitted"] == "auto-generated"


def test_letters_of_others_stay_in_the_inbox(served: Desk, servers: EmbeddedServers) -> None:
    other = EmailMessage(policy=WIRE)
    other["From"], other["To"], other["Subject"] = PERSON, "play@corr.test", "help"
    other.set_content("help")
    write_settings(served.folder, servers)
    _hand_in(servers, other)
    assert bad(travelled(served, 0)) == []
    assert len(left_behind(servers)) == 1
    assert served.json("once")["fetched"] == 1


def _hand_in(servers: EmbeddedServers, letter: EmailMessage) -> None:
    with smtplib.SMTP("127.0.0.1", servers.smtp_port) as line:
        line.send_message(letter)


@pytest.mark.slow
def test_a_running_daemon_may_fetch_the_letters_first_and_answers_none_of_them(served: Desk) -> None:
    with serving(served) as daemon:
        assert bad(travelled(served, 0)) == []
        daemon.terminate()
    assert {row["status"] for row in served.json("mail", "list")} <= {"ignored", "new"}
    assert served.json("outbox", "list") == []


def test_it_prints_for_people_too(served: Desk) -> None:
    done = served("doctor", "--send", PERSON)
    assert done.exit_code == 0
    assert "ok   plus address: a letter to play+doctor." in done.stdout


def _plain(address: str) -> str:
    return re.sub(r"\+[^@]*", "", address)


def _bounce(raw: bytes) -> bytes:
    """Report that a letter could not be delivered (RFC 3464), quoting it."""
    head = b'From: MAILER-DAEMON@relay.test\r\nContent-Type: multipart/report; boundary="b"\r\n\r\n'
    return head + b"--b\r\nContent-Type: message/rfc822\r\n\r\n" + raw + b"\r\n--b--\r\n"


def drop_all(to: str, raw: bytes) -> None:
    return None


def drop_plus(to: str, raw: bytes) -> tuple[str, bytes] | None:
    return None if "+" in to else (to, raw)


def strip_plus(to: str, raw: bytes) -> tuple[str, bytes]:
    return _plain(to), raw.replace(to.encode(), _plain(to).encode())


def rewrite_id(to: str, raw: bytes) -> tuple[str, bytes]:
    return to, re.sub(rb"Message-ID: <[^>]+>", b"Message-ID: <new@relay.test>", raw)


def bounce_plus(to: str, raw: bytes) -> tuple[str, bytes]:
    return (_plain(to), _bounce(raw)) if "+" in to else (to, raw)


def bounce_person(to: str, raw: bytes) -> tuple[str, bytes]:
    return ("play@corr.test", _bounce(raw)) if to == PERSON else (to, raw)


@pytest.mark.parametrize(
    ("change", "named", "mend"),
    [
        (drop_all, ["delivery", "plus address"], "(MX)"),
        (drop_plus, ["plus address"], "recipient_delimiter = +"),
        (strip_plus, ["plus address"], "Delivered-To or X-Original-To"),
        (rewrite_id, ["message-id"], "came as <new@relay.test>"),
        (bounce_plus, ["plus address"], "bounced"),
        (bounce_person, [f"letter to {PERSON}"], "bounced"),
    ],
)
def test_what_becomes_of_letters_on_the_way_is_named(
    desk: Desk, change: Change, named: list[str], mend: str
) -> None:
    with Crooked(change) as servers:
        write_settings(desk.folder, servers)
        found = travelled(desk, 1, "--wait", "2")
    assert bad(found) == named
    assert mend in found[named[0]]["detail"]


def test_a_server_without_plus_addresses_is_named(desk: Desk) -> None:
    with NoPlus(DOMAINS, PASSWORD) as servers:
        write_settings(desk.folder, servers)
        found = travelled(desk, 1)
    assert bad(found) == ["plus address"]
    assert "550 5.1.1 No such user: turn plus addresses on" in found["plus address"]["detail"]


def test_an_address_that_is_refused_is_named(served: Desk) -> None:
    found = travelled(served, 1, person="aoi@elsewhere.test")
    assert bad(found) == ["letter to aoi@elsewhere.test"]
    assert (
        "550 5.1.2 No such domain here: check the address" in found["letter to aoi@elsewhere.test"]["detail"]
    )


def test_what_is_no_address_is_refused_at_once(served: Desk, servers: EmbeddedServers) -> None:
    done = served("doctor", "--send", "no address")
    assert done.exit_code == 2
    assert "Not a mail address: 'no address'" in done.stderr
    assert servers.counts["accepted"] == 0


def test_nothing_is_sent_before_the_servers_can_be_used(served: Desk, servers: EmbeddedServers) -> None:
    done = served("doctor", "--send", PERSON, "--json", env={"CORR_IMAP_PASSWORD": "wrong"})
    assert done.exit_code == 1
    assert json.loads(done.stdout)[-1]["detail"] == "not tried: mend imap first"
    assert servers.counts["accepted"] == 0
