"""TLS with Dovecot and Postfix: only with a server that proves its name, and never without."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from corr.mail.account import Account, Security
from corr.mail.errors import Unreachable
from corr.mail.imap import ImapInbox
from corr.mail.smtp import SmtpPostman
from tests.real.letters import open_inbox, postman, send
from tests.real.stack import HOST, PASSWORD, RealServers
from tests.real.stripping import Tamper, declined, man_in_the_middle, unoffered

SECURED: list[Security] = ["tls", "starttls"]
NAME = "localhost"  # as the certificate says

secured = pytest.mark.parametrize("security", SECURED)


def visit_imap(servers: RealServers, address: str, host: str, security: Security) -> None:
    with open_inbox(servers, address, host=host, security=security) as inbox:
        list(inbox.leftovers())


def visit_smtp(servers: RealServers, address: str, host: str, security: Security) -> None:
    postman(servers, user=address, host=host, security=security).check()


both = pytest.mark.parametrize("visit", [visit_imap, visit_smtp])
Visit = Callable[[RealServers, str, str, Security], None]


@pytest.fixture
def trusted(real_servers: RealServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the certificate of the servers among those of the system."""
    monkeypatch.setenv("SSL_CERT_FILE", str(real_servers.certificate))


@secured
@pytest.mark.usefixtures("trusted")
def test_letters_go_out_and_come_in_over_tls(
    real_servers: RealServers, address: str, security: Security
) -> None:
    carrier = postman(real_servers, user=address, host=NAME, security=security)
    assert [end.status for end in send(carrier, ["ben@players.test"])] == ["sent"]
    with open_inbox(real_servers, address, host=NAME, security=security) as inbox:
        assert list(inbox.leftovers()) == []
    lines = [line for line in real_servers.log().splitlines() if f"user=<{address}>" in line]
    assert lines
    assert all(", TLS, " in line for line in lines)


@both
@secured
def test_a_certificate_that_nobody_vouches_for_is_refused(
    real_servers: RealServers, address: str, visit: Visit, security: Security
) -> None:
    with pytest.raises(Unreachable, match="certificate verify failed"):
        visit(real_servers, address, NAME, security)


@both
@secured
@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_another_name_is_refused(
    real_servers: RealServers, address: str, visit: Visit, security: Security
) -> None:
    with pytest.raises(Unreachable, match=f"certificate is not valid for '{HOST}'"):
        visit(real_servers, address, HOST, security)


@pytest.mark.parametrize("tamper", [unoffered, declined])
@pytest.mark.usefixtures("trusted")
def test_no_password_is_read_by_who_strips_starttls(
    real_servers: RealServers, address: str, tamper: Tamper
) -> None:
    """Neither program falls back to plain text, whether TLS is hidden or seems to be declined."""
    with man_in_the_middle(real_servers.imap_port, tamper) as imap:
        account = Account("imap", NAME, imap.port, address, "INBOX", "starttls")
        with pytest.raises(Unreachable, match="TLS"), ImapInbox(account, PASSWORD, timeout=10):
            pass
    with man_in_the_middle(real_servers.smtp_port, tamper) as smtp:
        account = Account("smtp", NAME, smtp.port, address, "", "starttls")
        with pytest.raises(Unreachable, match="TLS"):
            SmtpPostman(account, PASSWORD, 10).check()
    assert imap.heard
    assert smtp.heard
    for heard in (bytes(imap.heard), bytes(smtp.heard)):
        assert PASSWORD.encode() not in heard
        assert base64.b64encode(f"\0{address}\0{PASSWORD}".encode()) not in heard
        assert not any(word in heard for word in (b"LOGIN", b"AUTH"))
