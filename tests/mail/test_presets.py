"""Providers that corr knows, and what settings make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.mail.account import Account
from corr.mail.presets import PRESETS, UNKNOWN_SERVER, Limits
from corr.settings import BadSettings, Settings, check

OWN = {"imap": "imaps://play@mail.example.org", "smtp": "smtp://play@mail.example.org"}


def settings(**given: str | int) -> Settings:
    return check({"address": "play@example.org", **given}, Path("corr.toml"))


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_gives_both_accounts_with_the_address_as_their_user(name: str) -> None:
    made = settings(preset=name)
    imap, smtp = Account.parse(made.imap), Account.parse(made.smtp)
    assert imap.user == "play@example.org"
    assert smtp.user in {"play@example.org", None}
    assert made.limits == PRESETS[name].limits


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "postfix"])
def test_no_preset_sends_a_password_in_the_clear_or_without_a_limit(name: str) -> None:
    made = settings(preset=name)
    assert "plain" not in {Account.parse(made.imap).security, Account.parse(made.smtp).security}
    assert made.limits.per_minute
    assert made.limits.per_day


def test_what_is_given_wins_over_the_preset() -> None:
    made = settings(preset="gmail", imap=OWN["imap"], letters_per_day=100, letters_per_minute=0)
    assert made.imap == OWN["imap"]
    assert "smtp.gmail.com" in made.smtp
    assert made.limits == Limits(per_minute=None, per_day=100)


def test_an_unknown_preset_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BadSettings, match=r"preset: no such preset; known are gmail, workspace, .*postfix"):
        settings(preset="hotmail", **OWN)


def test_without_a_preset_accounts_must_be_named() -> None:
    with pytest.raises(
        BadSettings, match=r"imap: Field required \(imaps://user@host/INBOX, or name a preset"
    ):
        settings()


def test_an_unknown_server_gets_a_letter_a_second_and_one_on_this_machine_as_many_as_it_takes() -> None:
    assert settings(**OWN).limits == UNKNOWN_SERVER == Limits(per_minute=60)
    assert settings(imap=OWN["imap"], smtp="smtp://127.0.0.1:25").limits == Limits()
    assert settings(**OWN, letters_per_hour=200).limits == Limits(per_minute=60, per_hour=200)


def test_limits_are_told_in_words() -> None:
    assert str(PRESETS["gmail"].limits) == "at most 20 a minute, 450 a day"
    assert str(Limits()) == "as many as the server takes"
