"""Where the settings come from, and what is said of bad ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corr.settings import BadSettings, find, load

GOOD = {
    "address": '"play@example.org"',
    "imap": '"imaps://play@mail.example.org/INBOX"',
    "smtp": '"smtp://play@mail.example.org:587"',
}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [name for name in os.environ if name.startswith("CORR_")]:
        monkeypatch.delenv(variable)


def written(folder: Path, **lines: str) -> Path:
    path = folder / "corr.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in (GOOD | lines).items()))
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadSettings) as refused:
        load(path)
    return str(refused.value)


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORR_ADDRESS", "other@example.org")
    assert load(written(tmp_path)).address == "other@example.org"


def test_paths_are_read_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2\n")
    settings = load(written(tmp_path, imap_password_file='"secret"', database='"sqlite:///data/corr.db"'))
    assert settings.password_in == "hunter2"
    assert settings.database == f"sqlite:///{tmp_path / 'data/corr.db'}"


def test_a_password_is_found_among_the_credentials_that_systemd_hands_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They win over a file that the unprivileged service may not read; the environment wins over both."""
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    path = written(tmp_path, imap_password_file='"missing"')
    with pytest.raises(BadSettings, match="cannot read the password file"):
        _ = load(path).password_in
    (credentials / "imap_password").write_text("in\n")
    assert (load(path).password_in, load(path).password_out) == ("in", "in")
    (credentials / "smtp_password").write_text("out\n")
    assert (load(path).password_in, load(path).password_out) == ("in", "out")
    monkeypatch.setenv("CORR_IMAP_PASSWORD", "set")
    assert load(path).password_in == "set"


def test_smtp_takes_the_password_of_imap_unless_it_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORR_IMAP_PASSWORD", "in")
    assert load(written(tmp_path)).password_out == "in"
    monkeypatch.setenv("CORR_SMTP_PASSWORD", "out")
    assert load(written(tmp_path)).password_out == "out"


def test_no_secret_shows_when_settings_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORR_IMAP_PASSWORD", "hunter2")
    assert "hunter2" not in repr(load(written(tmp_path)))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("address", '"nowhere"', "address: not a mail address"),
        ("address", "7", "address: Input should be a valid string"),
        ("imap", '"smtp://u@mail.example.org"', "imap: not an account of IMAP"),
        ("imap", '"imaps://mail.example.org"', "imap: Whose mail?"),
        ("imap", '"mail.example.org"', "imap: A mail account starts with imaps://"),
        ("smtp", '"smtp://u@mail.example.org:high"', "smtp: The port of a mail account"),
        ("timezone", '"Tokyo"', "timezone: not an IANA time zone, such as Asia/Tokyo"),
        ("poll", "0", "poll: Input should be greater than or equal to 1"),
        (
            "adress",
            '"play@example.org"',
            "adress: no such setting; known are address, authserv_id, database,",
        ),
    ],
)
def test_a_bad_value_is_named_with_what_is_wanted(tmp_path: Path, key: str, value: str, said: str) -> None:
    path = written(tmp_path, **{key: value})
    message = refusal(path)
    assert message.startswith(f"{path}: {said}")
    assert "\n" not in message


def test_a_missing_value_is_named(tmp_path: Path) -> None:
    path = tmp_path / "corr.toml"
    path.write_text("")
    assert (
        refusal(path) == f"{path}: address: Field required (where players write to, such as play@example.org)"
    )


def test_a_password_inside_the_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, imap_password='"hunter2"'))
    assert "take it out, and set CORR_IMAP_PASSWORD" in message
    assert "hunter2" not in message


def test_a_password_inside_a_url_is_refused_and_not_repeated(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, imap='"imaps://play:hunter2@mail.example.org"'))
    assert "Take the password out of the URL" in message
    assert "hunter2" not in message


@pytest.mark.parametrize("content", [b"address = \n", b"address = 'a", b"\xff\xfe", b"= 3\n"])
def test_a_file_that_is_no_toml_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "corr.toml"
    path.write_bytes(content)
    message = refusal(path)
    assert message.startswith(f"{path} cannot be read: ")
    assert "\n" not in message


@pytest.mark.parametrize("content", [None, b"\xff\xfe\n"])
def test_a_password_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    settings = load(written(tmp_path, imap_password_file='"secret"'))
    with pytest.raises(BadSettings, match=r"password file .*secret"):
        _ = settings.password_in


def test_the_file_given_wins_over_the_variable_and_that_over_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given, named = tmp_path / "given.toml", tmp_path / "named.toml"
    for path in (given, named, Path("corr.toml")):
        path.touch()
    assert find(given, {"CORR_CONFIG": str(named)}) == given
    assert find(None, {"CORR_CONFIG": str(named)}) == named
    assert find(None, {}) == Path("corr.toml")


def test_a_file_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"no settings file .*corr\.toml: write one with `corr init`"):
        find(tmp_path / "corr.toml", {})
