"""MAIL, RCPT and DATA in one go (RFC 2920): what all three answers mean together."""

import logging
from pathlib import Path
from time import monotonic

import pytest

from corr.mail.account import Security
from corr.mail.embedded import EmbeddedServers
from corr.mail.retries import Trouble
from corr.mail.smtp import SmtpPostman
from tests.mail.batches import ALONE, HASTY, PATIENT, PIPELINING, Run, account, letters, run
from tests.mail.scripted import Act, ForgetfulSmtp, Late, ScriptedSmtp, Slow

RECEIVED = b"Subject: your move\r\n\r\nA line.\r\n..a line with a dot\r\n"
Script = dict[str, list[str | Act]]
NO_USER = "550 5.1.1 No such user"


def of_letter(server: ScriptedSmtp, number: int) -> list[str]:
    """Return the commands that were given for a letter."""
    first = next(n for n, command in enumerate(server.commands) if f"bounce+{number}@" in command)
    return [command.split()[0] for command in server.commands[first : first + 3]]


def test_commands_go_out_before_any_of_them_is_answered() -> None:
    """The server keeps its answers back until it has heard DATA."""
    batch, server = run({"mail": [Late("250 OK")] * 3, "rcpt": [Late("250 OK")] * 3}, 3, pipelining=True)
    assert batch.statuses() == dict.fromkeys(range(3), "sent")
    assert server.letters == [RECEIVED] * 3


def test_without_the_offer_a_refused_command_is_followed_by_none() -> None:
    _, server = run({"mail": ["550 5.7.1 Not you"]}, 2)
    assert server.commands[1:4] == [
        "MAIL FROM:<bounce+0@game.test>",
        "RSET",
        "MAIL FROM:<bounce+1@game.test>",
    ]


@pytest.mark.parametrize("kind", [Late, Slow])
def test_answers_may_come_in_one_piece_or_byte_by_byte(kind: type[Late | Slow]) -> None:
    said: Script = {
        "mail": [kind("250-2.1.0 Sender\r\n250 2.1.0 OK")] * 2,
        "rcpt": [kind("250-2.1.5 Recipient\r\n250-is\r\n250 OK")] * 2,
        "data": [Slow("354-Go\r\n354 ahead")] * 2,
        "text": [Slow("250-2.0.0 Queued\r\n250 as 7")] * 2,
    }
    batch, server = run(said, 2, pipelining=True)
    assert [(end.code, end.text) for end in batch.done] == [(250, "2.0.0 Queued\nas 7")] * 2
    assert server.letters == [RECEIVED] * 2


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_commands_go_out_in_one_go_over_tls_too(security: Security, certificate: Path) -> None:
    at_once = security == "tls"
    said: Script = {"ehlo": [PIPELINING], "mail": [Late("250 OK")], "rcpt": [Late("250 OK")]}
    if not at_once:
        said["ehlo"] = ["250-localhost\r\n250 STARTTLS", PIPELINING]
    with ScriptedSmtp(said, certificate, tls_at_once=at_once) as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port, security=security), timeout=PATIENT), letters(1))
    assert batch.statuses() == {0: "sent"}
    assert server.letters == [RECEIVED]


def test_a_refused_sender_is_told_by_the_first_answer_and_the_others_are_read() -> None:
    batch, server = run({"mail": ["550 5.7.1 Not your address"]}, 2, pipelining=True)
    assert of_letter(server, 0) == ["MAIL", "RCPT", "DATA"]
    assert [(end.trouble, end.code) for end in batch.done] == [(Trouble.SENDER, 550), (None, 250)]
    assert (batch.started, server.letters, server.connections) == ([1], [RECEIVED], 1)


@pytest.mark.parametrize("then", ["503 5.5.1 Need RCPT", "554 5.5.1 No valid recipients", "250 What?"])
@pytest.mark.parametrize(("refusal", "status"), [(NO_USER, "failed"), ("450 4.2.0 Later", "deferred")])
def test_a_refused_recipient_is_told_by_its_own_answer_whatever_data_gets(
    refusal: str, status: str, then: str
) -> None:
    batch, server = run({"rcpt": [refusal], "data": [then]}, 2, pipelining=True)
    assert batch.statuses() == {0: status, 1: "sent"}
    assert batch.done[0].code == int(refusal[:3])
    assert (batch.started, server.letters, server.connections) == ([1], [RECEIVED], 1)


@pytest.mark.parametrize(
    ("answer", "connections"),
    [
        ("554 5.5.1 No valid recipients", 1),
        ("250 2.0.0 Queued", 1),
        ("421 4.3.2 Closing", 2),
        ("nonsense", 1),
        (Act.HANG_UP, 2),
    ],
)
def test_a_text_that_nobody_would_get_is_a_lone_full_stop(answer: str | Act, connections: int) -> None:
    """The letter is refused whatever the server says to that; it has neither started nor gone."""
    said: Script = {"rcpt": [NO_USER], "data": ["354 Go ahead"], "text": [answer]}
    batch, server = run(said, 2, pipelining=True)
    assert batch.statuses() == {0: "failed", 1: "sent"}
    assert batch.done[0].code == 550
    assert batch.started == [1]
    assert server.letters == [*([b""] if answer == "250 2.0.0 Queued" else []), RECEIVED]
    assert server.connections == connections


def test_no_empty_letter_goes_to_a_recipient_whom_a_server_took_without_a_sender() -> None:
    said: Script = {"mail": ["550 5.7.1 Not you"], "rcpt": ["250 OK"], "data": ["354 Go ahead"]}
    batch, server = run(said, 2, pipelining=True)
    assert [end.trouble for end in batch.done] == [Trouble.SENDER, None]
    assert (batch.started, server.letters, server.unended) == ([1], [RECEIVED], [b""])


@pytest.mark.parametrize("odd", ["252 2.1.5 I shall try", "25x Yes"])
def test_no_empty_letter_goes_to_a_recipient_of_whom_a_server_speaks_oddly(odd: str) -> None:
    """It may have taken him: a lone full stop would be a letter to it."""
    said: Script = {"rcpt": [odd], "data": ["354 Go ahead"]}
    batch, server = run(said, 1, pipelining=True)
    assert batch.statuses() == {0: "sent"}
    assert (batch.started, server.letters, server.unended) == ([0], [RECEIVED], [b""])


def test_a_server_that_loses_what_comes_together_is_given_one_command_at_a_time() -> None:
    with ForgetfulSmtp({"ehlo": [PIPELINING] * 2}) as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port), timeout=HASTY, limits=ALONE), letters(3))
    assert batch.statuses() == dict.fromkeys(range(3), "sent")
    assert (server.letters, server.connections) == ([RECEIVED] * 3, 2)


@pytest.mark.parametrize(
    ("phase", "refusal", "trouble"),
    [
        ("mail", "550 5.7.1 Not your address", Trouble.SENDER),
        ("rcpt", NO_USER, Trouble.ADDRESS),
        ("rcpt", "450 4.2.0 Later", Trouble.BUSY),
    ],
)
def test_a_refusal_counts_though_the_connection_ends_before_the_last_answer(
    phase: str, refusal: str, trouble: Trouble
) -> None:
    batch, server = run({phase: [refusal], "data": [Act.HANG_UP]}, 2, pipelining=True)
    assert [end.trouble for end in batch.done] == [trouble, None]
    assert (batch.started, server.connections) == ([1], 2)


def test_nothing_is_waited_for_after_a_goodbye() -> None:
    begun = monotonic()
    said: Script = {"rcpt": ["421 4.7.0 Too many messages"], "data": [Act.SILENCE]}
    batch, _ = run(said, 2, pipelining=True)
    assert monotonic() - begun < PATIENT / 2
    assert [(end.trouble, end.code) for end in batch.done] == [(Trouble.RATE, 421)] * 2
    assert batch.started == []


def test_what_comes_unasked_before_the_text_is_no_answer_to_it() -> None:
    """The server answers DATA twice, then hangs up: nobody knows whether the letter has arrived."""
    said: Script = {"data": ["354 Go ahead\r\n250 2.0.0 Queued"], "text": [Act.HANG_UP]}
    batch, _ = run(said, pipelining=True)
    assert batch.statuses() == {0: "unknown"}


def test_an_answer_without_an_end_is_not_waited_for() -> None:
    batch, _ = run({"rcpt": ["250-and so on\r\n" * 3_000 + "250-more"] * 2}, pipelining=True)
    assert [(end.status, end.text) for end in batch.done] == [("deferred", "Connection lost")]


def test_a_real_server_gets_nothing_of_a_letter_that_could_not_be_started(
    embedded: EmbeddedServers, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(letter: int) -> None:
        raise LookupError(letter)

    with pytest.raises(LookupError), caplog.at_level(logging.WARNING, "corr"):
        SmtpPostman(account(embedded.smtp_port), timeout=PATIENT).deliver(
            letters(3), broken, Run().done.append
        )
    assert embedded.counts == {"accepted": 0, "refused": 0}
