"""What becomes of a letter when the server misbehaves at one phase."""

from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.mail.account import Security
from corr.mail.dialogue import on_the_wire
from corr.mail.embedded import EmbeddedServers
from corr.mail.errors import LoginRefused, Unreachable
from corr.mail.presets import Limits
from corr.mail.retries import Trouble
from corr.mail.smtp import Delivery, Envelope, SmtpPostman
from tests.mail.batches import ALONE, HASTY, PATIENT, PIPELINING, RAW, Run, account, letters, run
from tests.mail.scripted import Act, ScriptedSmtp

BOTH_WAYS = pytest.mark.parametrize("pipelining", [False, True], ids=["one by one", "in one go"])
DROPPED = repeat(Act.HANG_UP)
TABLE: list[tuple[str, Iterable[str | Act], str, int | None, list[int]]] = [
    # phase, what the server does, status, code, ids that started
    ("greeting", repeat("421 4.3.2 Busy"), "deferred", None, []),
    ("greeting", ["554 5.7.1 Go away"], "deferred", None, []),
    ("greeting", [Act.HANG_UP], "deferred", None, []),
    ("ehlo", [Act.HANG_UP], "deferred", None, []),
    ("mail", ["451 4.3.0 Try later"], "deferred", 451, []),
    ("mail", ["550 5.1.8 Your address is wrong"], "deferred", 550, []),
    ("mail", ["nonsense", "nonsense"], "deferred", -1, []),
    ("mail", DROPPED, "deferred", None, []),
    ("mail", repeat("421 4.3.2 Closing"), "deferred", 421, []),
    ("rcpt", ["450 4.2.0 Greylisted"], "deferred", 450, []),
    ("rcpt", ["550 5.1.1 No such user"], "failed", 550, []),
    ("rcpt", ["530 5.7.0 Log in first"], "deferred", 530, []),
    ("rcpt", ["550 5.4.5 Daily sending quota exceeded"], "deferred", 550, []),
    ("rcpt", DROPPED, "deferred", None, []),
    ("data", ["451 4.3.0 Try later"], "deferred", 451, []),
    ("data", ["554 5.6.0 No"], "failed", 554, []),
    ("data", ["nonsense", "nonsense"], "deferred", -1, []),
    ("data", [Act.HANG_UP], "sent", 250, [0]),
    ("data", DROPPED, "deferred", None, []),
    ("data", repeat("421 4.3.2 Closing"), "deferred", 421, []),
    ("text", ["452 4.3.1 Disk full"], "deferred", 452, [0]),
    ("text", ["554 5.7.1 Spam"], "failed", 554, [0]),
    ("text", repeat("421 4.3.2 Closing"), "deferred", 421, [0, 0]),
    ("text", ["nonsense"], "unknown", -1, [0]),
    ("text", [Act.HANG_UP], "unknown", None, [0]),
    ("quit", [Act.HANG_UP], "sent", 250, [0]),
]


@BOTH_WAYS
@pytest.mark.parametrize(("phase", "answers", "status", "code", "started"), TABLE)
def test_a_failure_before_the_text_is_tried_again_and_one_after_it_is_unknown(
    phase: str,
    answers: Iterable[str | Act],
    status: str,
    code: int | None,
    started: list[int],
    pipelining: bool,
) -> None:
    batch, server = run({phase: answers}, pipelining=pipelining)
    (delivery,) = batch.done
    assert (delivery.status, delivery.code) == (status, code)
    assert delivery.text
    assert batch.started == started
    assert len(server.letters) == (status == "sent")


@pytest.mark.parametrize(
    ("phase", "status"),
    [
        ("greeting", "deferred"),
        ("ehlo", "deferred"),
        ("mail", "deferred"),
        ("rcpt", "deferred"),
        ("data", "deferred"),
        ("text", "unknown"),
        ("quit", "sent"),
    ],
)
@BOTH_WAYS
def test_silence_is_waited_for_only_so_long(phase: str, status: str, pipelining: bool) -> None:
    batch, _ = run({phase: repeat(Act.SILENCE)}, timeout=HASTY, pipelining=pipelining)
    assert batch.statuses() == {0: status}


@BOTH_WAYS
@pytest.mark.parametrize("phase", ["mail", "rcpt", "data", "text"])
def test_a_421_means_connect_again_and_the_letter_goes_out_once(phase: str, pipelining: bool) -> None:
    batch, server = run({phase: ["421 4.4.2 Idle too long"]}, pipelining=pipelining)
    assert batch.statuses() == {0: "sent"}
    assert (len(server.letters), server.connections) == (1, 2)


@BOTH_WAYS
@pytest.mark.parametrize("phase", ["mail", "rcpt", "data"])
def test_a_connection_lost_before_the_text_is_replaced_at_once(phase: str, pipelining: bool) -> None:
    batch, server = run({phase: [Act.HANG_UP]}, count=3, pipelining=pipelining)
    assert batch.started == [0, 1, 2]
    assert set(batch.statuses().values()) == {"sent"}
    assert (len(server.letters), server.connections) == (3, 2)


@BOTH_WAYS
@pytest.mark.parametrize("phase", ["rcpt", "data", "text"])
def test_a_refused_letter_does_not_hold_up_the_next_on_the_same_connection(
    phase: str, pipelining: bool
) -> None:
    batch, server = run({phase: ["550 5.1.1 No such user"]}, count=3, pipelining=pipelining)
    assert batch.statuses() == {0: "failed", 1: "sent", 2: "sent"}
    assert server.connections == 1
    assert server.commands.count("RSET") == 1


@BOTH_WAYS
def test_after_an_unknown_outcome_the_next_letter_takes_a_new_connection(pipelining: bool) -> None:
    batch, server = run({"text": [Act.HANG_UP]}, count=3, pipelining=pipelining)
    assert batch.statuses() == {0: "unknown", 1: "sent", 2: "sent"}
    assert server.connections == 2


@BOTH_WAYS
def test_a_server_that_drops_everything_is_left_in_peace(pipelining: bool) -> None:
    batch, server = run({"mail": repeat(Act.HANG_UP)}, count=50, pipelining=pipelining)
    assert batch.statuses() == dict.fromkeys(range(50), "deferred")
    assert server.connections == 5


def test_without_a_server_every_letter_comes_back_deferred() -> None:
    with ScriptedSmtp() as server:
        port = server.port
    batch = Run()
    batch.deliver(SmtpPostman(account(port), timeout=PATIENT), letters(5))
    assert batch.statuses() == dict.fromkeys(range(5), "deferred")
    assert batch.started == []


def test_what_one_connection_is_denied_another_delivers() -> None:
    """A server that allows one connection at a time gets one."""
    with ScriptedSmtp({"greeting": ["220 localhost", *["421 4.7.0 Too many connections"] * 9]}) as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port), timeout=PATIENT), letters(20))
    assert batch.statuses() == dict.fromkeys(range(20), "sent")
    assert len(server.letters) == 20


def test_a_connection_carries_a_hundred_letters() -> None:
    batch, server = run({}, count=201)
    assert set(batch.statuses().values()) == {"sent"}
    assert server.connections == 3


@BOTH_WAYS
def test_the_bytes_arrive_as_they_were_stored(pipelining: bool) -> None:
    """Only dots are doubled on the way (RFC 5321, 4.5.2)."""
    _, server = run({}, pipelining=pipelining)
    assert server.letters == [RAW.replace(b"\r\n.", b"\r\n..")]


@given(st.lists(st.sampled_from([b"a", b".", b"\r\n", b"\n", b"\r"]), max_size=12).map(b"".join))
def test_a_text_can_end_nowhere_but_at_its_end(text: bytes) -> None:
    """A bare CR or LF is none on the wire, and no line of the text is a lone full stop."""
    *lines, end, nothing = on_the_wire(text).split(b"\r\n")
    assert (end, nothing) == (b".", b"")
    assert not any(line == b"." or b"\r" in line or b"\n" in line for line in lines)
    assert [line[1:] if line.startswith(b".") else line for line in lines] == text.splitlines()


@BOTH_WAYS
def test_each_letter_is_started_just_before_its_text_and_done_just_after(pipelining: bool) -> None:
    heard: list[str] = []
    with ScriptedSmtp({"ehlo": [PIPELINING]} if pipelining else {}) as server:
        SmtpPostman(account(server.port), timeout=PATIENT, limits=ALONE).deliver(
            letters(2),
            lambda n: heard.append(f"start {n} after {server.commands[-1]}, {len(server.letters)} arrived"),
            lambda delivery: heard.append(f"done {delivery.id}"),
        )
    assert heard == ["start 0 after DATA, 0 arrived", "done 0", "start 1 after DATA, 1 arrived", "done 1"]


@BOTH_WAYS
def test_an_error_in_a_callback_ends_the_run_as_it_is(pipelining: bool) -> None:
    """The database is gone: nothing more may be sent, and no goodbye where a text is awaited."""
    heard: list[Delivery] = []

    def broken(letter: int) -> None:
        raise LookupError(letter)

    with ScriptedSmtp({"ehlo": [PIPELINING]} if pipelining else {}) as server:
        postman = SmtpPostman(account(server.port), timeout=PATIENT, limits=ALONE)
        with pytest.raises(LookupError):
            postman.deliver(letters(5), broken, heard.append)
    assert (server.letters, server.unended, heard) == ([], [b""], [])


@pytest.mark.parametrize(
    "recipient", ["葵@players.test", "a b@players.test", "a@b.test>\r\nRCPT TO:<x@y.test", "nobody", ""]
)
def test_an_address_that_smtp_cannot_carry_fails_with_a_reason(recipient: str) -> None:
    batch = Run()
    with ScriptedSmtp() as server:
        wrong = Envelope(0, "bounce@game.test", recipient, RAW)
        batch.deliver(
            SmtpPostman(account(server.port), timeout=PATIENT, limits=ALONE), [wrong, *letters(2)[1:]]
        )
    assert batch.statuses() == {0: "failed", 1: "sent"}
    assert batch.done[0].text


def test_a_domain_beyond_ascii_goes_out_in_idna() -> None:
    with ScriptedSmtp() as server:
        Run().deliver(
            SmtpPostman(account(server.port), timeout=PATIENT, limits=ALONE),
            [Envelope(0, "bounce@game.test", "aoi@日本語.jp", RAW)],
        )
    assert "RCPT TO:<aoi@xn--wgv71a119e.jp>" in server.commands


AUTH = ["250-localhost\r\n250 AUTH PLAIN"]


@pytest.mark.parametrize(
    ("answer", "error"), [("535 5.7.8 Wrong password", LoginRefused), ("454 4.7.0 Not now", Unreachable)]
)
def test_a_wrong_password_is_told_from_a_server_in_trouble(answer: str, error: type[Exception]) -> None:
    with ScriptedSmtp({"ehlo": repeat(AUTH[0]), "auth": repeat(answer)}) as server:
        postman = SmtpPostman(account(server.port, "play"), "wrong", PATIENT, ALONE)
        with pytest.raises(error, match=answer[:3]):
            postman.check()
        batch = Run()
        batch.deliver(postman, letters(3))
    assert batch.statuses() == dict.fromkeys(range(3), "deferred")
    assert answer in batch.done[0].text


def test_check_says_that_nobody_answers() -> None:
    with ScriptedSmtp({"greeting": [Act.SILENCE]}) as server:
        postman = SmtpPostman(account(server.port), timeout=HASTY, limits=ALONE)
        with pytest.raises(Unreachable, match=str(server.port)):
            postman.check()


def test_no_password_goes_to_a_server_without_starttls() -> None:
    with ScriptedSmtp({"ehlo": repeat(AUTH[0])}) as server, pytest.raises(Unreachable, match="STARTTLS"):
        SmtpPostman(account(server.port, "play", "starttls"), "secret", 1.0).check()
    assert not any(command.startswith("AUTH") for command in server.commands)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_letters_go_out_over_tls(security: Security, certificate: Path) -> None:
    offer = ["250-localhost\r\n250 STARTTLS"] if security == "starttls" else AUTH
    with ScriptedSmtp({"ehlo": [*offer, *AUTH]}, certificate, tls_at_once=security == "tls") as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port, "play", security), "secret", PATIENT), letters(1))
    assert batch.statuses() == {0: "sent"}
    assert any(command.startswith("AUTH PLAIN") for command in server.commands)


def test_an_unknown_certificate_is_refused(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with ScriptedSmtp(certificate=certificate, tls_at_once=True) as server:
        postman = SmtpPostman(account(server.port, "play", "tls"), "secret", PATIENT)
        with pytest.raises(Unreachable, match="certificate"):
            postman.check()
    assert server.commands == []


def test_a_batch_reaches_a_real_server_with_and_without_login(embedded: EmbeddedServers) -> None:
    for user in (None, "play@game.test"):
        batch = Run()
        postman = SmtpPostman(account(embedded.smtp_port, user), "secret" if user else "", PATIENT)
        postman.check()
        batch.deliver(postman, letters(10))
        assert set(batch.statuses().values()) == {"sent"}
    assert embedded.counts == {"accepted": 20, "refused": 0}
    with pytest.raises(LoginRefused, match="535"):
        SmtpPostman(account(embedded.smtp_port, "play@game.test"), "wrong", PATIENT).check()


def test_a_real_server_refuses_a_recipient_elsewhere(embedded: EmbeddedServers) -> None:
    batch = Run()
    batch.deliver(
        SmtpPostman(account(embedded.smtp_port), timeout=5.0), [Envelope(7, "a@b.test", "c@d.test", RAW)]
    )
    assert [(d.id, d.status, d.code) for d in batch.done] == [(7, "failed", 550)]


HALTS = [
    ("mail", "550 5.1.8 Access denied, bad outbound sender", "quota"),
    ("rcpt", "550 5.4.5 Daily user sending limit exceeded", "quota"),
    ("data", "421 4.7.0 Try again later, closing connection", "rate"),
    ("text", "554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException", "quota"),
    ("rcpt", "530 5.7.0 Log in first", "login"),
]


@pytest.mark.parametrize(("phase", "answer", "trouble"), HALTS)
def test_what_concerns_the_account_halts_every_letter_and_none_is_tried_in_vain(
    phase: str, answer: str, trouble: str
) -> None:
    batch, server = run({phase: ["250 OK" if phase in {"mail", "rcpt"} else "354 Go", *repeat(answer, 9)]}, 5)
    assert {delivery.trouble and delivery.trouble.value for delivery in batch.done[1:]} == {trouble}
    assert sum(command.startswith("MAIL") for command in server.commands) <= 2


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [("535 5.7.8 Wrong password", "login"), ("454 4.7.0 Too many login attempts", "rate")],
)
def test_a_login_that_fails_says_whose_matter_it_is(answer: str, trouble: str) -> None:
    with ScriptedSmtp({"ehlo": repeat(AUTH[0]), "auth": repeat(answer)}) as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port, "play"), "wrong", PATIENT, ALONE), letters(2))
    assert {delivery.trouble and delivery.trouble.value for delivery in batch.done} == {trouble}


def test_trouble_with_tls_is_told_from_a_server_that_is_down(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with ScriptedSmtp(certificate=certificate, tls_at_once=True) as server:
        safe, down = Run(), Run()
        safe.deliver(SmtpPostman(account(server.port, "play", "tls"), "secret", PATIENT), letters(1))
    down.deliver(SmtpPostman(account(server.port), timeout=PATIENT), letters(1))
    assert [run.done[0].trouble for run in (safe, down)] == [Trouble.TLS, Trouble.UNREACHABLE]


def test_letters_keep_the_pace_of_the_account_whatever_the_number_of_connections() -> None:
    """At twenty a second, five letters take a fifth of a second: there is no burst at the beginning."""
    with ScriptedSmtp() as server:
        batch, start = Run(), monotonic()
        paced = SmtpPostman(account(server.port), timeout=PATIENT, limits=Limits(per_minute=20 * 60))
        batch.deliver(paced, letters(5))
    assert monotonic() - start >= 0.19
    assert batch.statuses() == dict.fromkeys(range(5), "sent")


def test_no_more_letters_and_connections_are_used_than_the_provider_allows() -> None:
    with ScriptedSmtp() as server:
        batch = Run()
        limits = Limits(per_connection=2, connections=1)
        batch.deliver(SmtpPostman(account(server.port), timeout=PATIENT, limits=limits), letters(6))
    assert batch.statuses() == dict.fromkeys(range(6), "sent")
    assert server.connections == 3
