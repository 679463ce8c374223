import pytest

from corr.mail.account import Account


@pytest.mark.parametrize(
    ("url", "account"),
    [
        (
            "imaps://play@mail.example.org",
            Account("imaps", "mail.example.org", 993, "play", "INBOX", "tls"),
        ),
        (
            "imap://play%40example.org@mail.example.org/Games",
            Account("imap", "mail.example.org", 143, "play@example.org", "Games", "starttls"),
        ),
        (
            "imap://play@example.org@127.0.0.1:1143/%E7%9B%A4",
            Account("imap", "127.0.0.1", 1143, "play@example.org", "盤", "plain"),
        ),
        ("smtps://mail.example.org", Account("smtps", "mail.example.org", 465, None, "", "tls")),
        ("smtp://play@mail.example.org/", Account("smtp", "mail.example.org", 587, "play", "", "starttls")),
        ("smtp://localhost:25", Account("smtp", "localhost", 25, None, "", "plain")),
        ("smtp://[::1]:2525", Account("smtp", "::1", 2525, None, "", "plain")),
    ],
)
def test_a_url_names_server_user_folder_and_security(url: str, account: Account) -> None:
    assert Account.parse(url) == account


def test_plain_text_is_for_loopback_alone() -> None:
    """A host that only sounds local is encrypted."""
    for host in ("localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "[fe80::1]"):
        assert Account.parse(f"imap://play@{host}").security == "starttls"


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="password out of the URL") as refused:
        Account.parse("imaps://play:hunter2@example.org")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("pop3://play@example.org", "starts with imaps://"),
        ("imaps://example.org", "Write the user"),
        ("imaps:///INBOX", "is written"),
        ("smtp://example.org?x=1", "is written"),
        ("smtp://example.org/INBOX", "no folder"),
        ("smtp://example.org:99999", "port"),
        ("smtp://example.org:mail", "port"),
    ],
)
def test_what_is_wrong_with_a_url_is_said(url: str, advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        Account.parse(url)
