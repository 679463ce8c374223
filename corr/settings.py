"""The settings of one server: a TOML file, and the environment above it.

Passwords come from the environment, from a file of their own or from systemd's
credentials, never from ``corr.toml``, which people copy and show.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from corr.core.addresses import is_plausible
from corr.mail.account import Account
from corr.mail.presets import PRESETS, UNKNOWN_SERVER, Limits

FILE = "corr.toml"
SECRETS = ("imap_password", "smtp_password")


class BadSettings(Exception):
    """The settings cannot be used; the message says what to mend."""


class Settings(BaseSettings):
    """All that an operator decides."""

    model_config = SettingsConfigDict(env_prefix="CORR_", extra="forbid")

    address: str = Field(description="where players write to, such as play@example.org")
    name: str = Field(default="corr", description="the name beside the address")
    preset: str | None = Field(default=None, description="the mail provider, where corr knows it")
    imap: str = Field(description="imaps://user@host/INBOX, or name a preset")
    smtp: str = Field(description="smtp://user@host:587 or smtps://user@host, or name a preset")
    letters_per_minute: int | None = Field(default=None, ge=0, description="most that go out; 0: no limit")
    letters_per_hour: int | None = Field(default=None, ge=0, description="most that go out; 0: no limit")
    letters_per_day: int | None = Field(default=None, ge=0, description="most that go out; 0: no limit")
    database: str = Field(default="sqlite:///corr.db", description="SQLite or PostgreSQL, as a URL")
    timezone: str = Field(default="UTC", description="IANA zone of players who have not named their own")
    imap_password: SecretStr | None = None
    smtp_password: SecretStr | None = Field(default=None, description="the IMAP password where it is not set")
    imap_password_file: Path | None = None
    smtp_password_file: Path | None = None
    authserv_id: str | None = Field(
        default=None, description="the name with which your mail server signs Authentication-Results"
    )
    dkim: bool = Field(
        default=False, description="corr checks DKIM signatures itself, with questions to the DNS"
    )
    poll: int = Field(default=60, ge=1, description="seconds between looks at an inbox that cannot call")
    operator: str | None = Field(default=None, description="who is told by mail when the inbox falls silent")
    heartbeat: int = Field(default=6, ge=1, description="hours between letters of corr to itself")

    @model_validator(mode="before")
    @classmethod
    def _provider(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Fill in the accounts of a preset; what is given itself wins."""
        name, address = given.get("preset"), given.get("address")
        if not isinstance(name, str) or name not in PRESETS or not isinstance(address, str):
            return given
        return PRESETS[name].accounts(address) | given

    @field_validator("preset")
    @classmethod
    def _known(cls, preset: str | None) -> str | None:
        if preset is not None and preset not in PRESETS:
            raise ValueError(f"no such preset; known are {', '.join(PRESETS)}")
        return preset

    @field_validator("address", "operator")
    @classmethod
    def _plausible(cls, address: str | None) -> str | None:
        if address is not None and not is_plausible(address):
            raise ValueError("not a mail address")
        return address

    @field_validator("imap", "smtp")
    @classmethod
    def _account(cls, url: str, info: ValidationInfo) -> str:
        scheme = str(info.field_name)
        if Account.parse(url).scheme not in {scheme, f"{scheme}s"}:
            raise ValueError(f"not an account of {scheme.upper()}")
        return url

    @field_validator("timezone")
    @classmethod
    def _zone(cls, zone: str) -> str:
        if zone not in available_timezones():
            raise ValueError("not an IANA time zone, such as Asia/Tokyo")
        return zone

    @property
    def limits(self) -> Limits:
        """How fast letters may go out: as it is set, else as the preset says."""
        known = PRESETS[self.preset].limits if self.preset else self._guessed
        return replace(
            known,
            per_minute=_chosen(self.letters_per_minute, known.per_minute),
            per_hour=_chosen(self.letters_per_hour, known.per_hour),
            per_day=_chosen(self.letters_per_day, known.per_day),
        )

    @property
    def _guessed(self) -> Limits:
        return Limits() if Account.parse(self.smtp).security == "plain" else UNKNOWN_SERVER

    @property
    def password_in(self) -> str:
        """The password for IMAP; empty where none is set."""
        return _secret(self.imap_password, self.imap_password_file)

    @property
    def password_out(self) -> str:
        """The password for SMTP: its own, or the one for IMAP."""
        return _secret(self.smtp_password, self.smtp_password_file) or self.password_in

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment win over the file."""
        return env_settings, init_settings


def _chosen(given: int | None, known: int | None) -> int | None:
    """Return a limit: the one that is given, where 0 means none, else the one that is known."""
    return known if given is None else given or None


def _secret(value: SecretStr | None, file: Path | None) -> str:
    """Return the value, or the first line of the file; raises BadSettings if that cannot be read."""
    if value is not None:
        return value.get_secret_value()
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError as error:
        raise BadSettings(f"cannot read the password file {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadSettings(f"the password file {file} is not UTF-8 text") from error


def find(given: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the settings file: the one given, that of ``CORR_CONFIG``, or ``corr.toml`` here.

    Raises BadSettings when it is not there.
    """
    path = given or Path(environment.get("CORR_CONFIG") or FILE)
    if not path.is_file():
        raise BadSettings(f"no settings file {path}: write one with `corr init`, or name it with --config")
    return path


def load(path: Path) -> Settings:
    """Read the settings; raises BadSettings, naming the line to mend.

    Paths in the file are read from the folder in which it stands.
    """
    try:
        given = TomlConfigSettingsSource(Settings, toml_file=path)()
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # bad TOML, with line and column; or not UTF-8
        raise BadSettings(f"{path} cannot be read: {error}") from error
    return check(given, path)


def check(given: Mapping[str, Any], path: Path) -> Settings:
    """Make settings of what *path* holds, or is to hold; raises BadSettings."""
    if secrets := [key for key in SECRETS if key in given]:
        raise BadSettings(
            f"{path} holds {secrets[0]}: take it out, and set CORR_{secrets[0].upper()} "
            f"or name a file with {secrets[0]}_file"
        )
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise BadSettings(f"{path}: {_first(error)}") from error
    return _at(settings, path.parent)


def _first(error: ValidationError) -> str:
    """Say in one line what is wrong with the first bad key."""
    problem = error.errors()[0]
    key = ".".join(str(part) for part in problem["loc"])
    wants = Settings.model_fields[key].description if key in Settings.model_fields else None
    said = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        said = f"no such setting; known are {', '.join(sorted(Settings.model_fields))}"
    return f"{key}: {said}" + (f" ({wants})" if wants else "")


def _credential(secret: str) -> Path | None:
    """Find a password that systemd hands over, under the name of its setting (systemd.exec(5))."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    file = Path(folder, secret) if folder else None
    return file if file and file.is_file() else None


def _at(settings: Settings, folder: Path) -> Settings:
    """Read relative paths from *folder*."""
    changes: dict[str, object] = {
        f"{secret}_file": folder / file
        for secret in SECRETS
        if (file := _credential(secret) or getattr(settings, f"{secret}_file")) is not None
    }
    scheme, separator, file = settings.database.partition(":///")
    if scheme == "sqlite" and separator and file:
        changes["database"] = f"sqlite:///{folder / file}"
    return settings.model_copy(update=changes)
