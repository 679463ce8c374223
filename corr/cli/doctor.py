"""``corr doctor``: does all that a server needs work, and what to mend."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from sqlmodel import col, select

from corr.bootstrap import inbox, postman
from corr.cli.common import AsJson, ConfigFile, load_settings, show
from corr.core.clock import SystemClock
from corr.mail.addresses import wire_address
from corr.mail.errors import LoginRefused, Unreachable
from corr.service.checkup import checkup
from corr.service.roundtrip import PATIENCE, Finding, Trial, round_trip
from corr.settings import BadSettings, Settings
from corr.store.letters import newest
from corr.store.migrate import check
from corr.store.session import Database, DatabaseUnusable, open_database
from corr.store.tables import Inbound

RELEASED = datetime(2026, 11, 30, tzinfo=UTC)
"""No clock can be right that stands before this."""


def _written(address: str | None) -> str | None:
    """Refuse what no letter can be written to."""
    try:
        return address and wire_address(address)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def doctor_command(
    ctx: typer.Context,
    send: Annotated[
        str | None,
        typer.Option(
            "--send",
            metavar="ADDRESS",
            callback=_written,
            help="Send letters to corr itself and to ADDRESS.",
        ),
    ] = None,
    wait: Annotated[int, typer.Option(min=1, help="Seconds for a letter to come back.")] = PATIENCE,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Check the settings, the database, IMAP, SMTP and the clock; say what to mend.

    With --send, letters make a round trip: to corr's own address and to a plus address
    of it, and one to a person, who sees whether it lies in the inbox.
    """
    findings = _examine(ctx)
    if send is not None:
        findings += _travel(ctx, send, wait, findings)
    if as_json:
        show([asdict(finding) for finding in findings])
    else:
        _print(findings)
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


def _examine(ctx: typer.Context) -> list[Finding]:
    try:
        settings = load_settings(ctx)
    except BadSettings as error:
        return [Finding("configuration", False, str(error)), _clock()]
    found = [Finding("configuration", True, settings.address)]
    last, mail = RELEASED, list[Finding]()
    try:
        database = open_database(settings.database)
        try:
            check(database)
            last = max(_last_letter(database), last)
            mail = _mail(database, settings)
        finally:
            database.close()
        found.append(Finding("database", True, "the tables are those of this corr"))
    except DatabaseUnusable as error:
        found.append(Finding("database", False, str(error)))
    found.append(_try("imap", settings.imap, lambda: _log_in(settings)))
    found.append(_try("smtp", settings.smtp, lambda: postman(settings).check()))
    return [*found, *mail, _clock(last)]


def _mail(database: Database, settings: Settings) -> list[Finding]:
    domain = settings.address.rpartition("@")[2]
    with database.session() as session:
        return checkup(session, settings.preset, settings.limits, domain, SystemClock().now())


def _travel(ctx: typer.Context, person: str, patience: int, findings: Sequence[Finding]) -> list[Finding]:
    """Make the round trip, where the servers can be used at all."""
    bad = [finding.check for finding in findings if not finding.well and finding.check != "clock"]
    if bad:
        return [Finding("delivery", False, f"not tried: mend {', '.join(bad)} first")]
    settings = load_settings(ctx)
    trial = Trial(settings.address, settings.name, person, secrets.token_hex(8), SystemClock().now())
    screen = Console(stderr=True)
    with closing(open_database(settings.database)) as database, screen.status("sending") as status:
        with database.session() as session:
            last = newest(session)
        try:
            return list(
                round_trip(
                    trial,
                    postman(settings),
                    inbox(settings),
                    lambda: _stored_after(database, last),
                    patience,
                    lambda left: status.update(f"waiting for the letters to come back, {left:.0f} s at most"),
                )
            )
        except (Unreachable, LoginRefused) as error:
            return [Finding("delivery", False, f"{error}: run this again when the server is well")]


def _stored_after(database: Database, last: int) -> Sequence[bytes]:
    """Return the letters that a running daemon has fetched since."""
    with database.session() as session:
        return session.exec(select(Inbound.raw).where(col(Inbound.id) > last)).all()


def _log_in(settings: Settings) -> None:
    with inbox(settings):
        pass


def _try(check: str, account: str, attempt: Callable[[], None]) -> Finding:
    try:
        attempt()
    except BadSettings as error:
        return Finding(check, False, str(error))
    except LoginRefused as error:
        return Finding(
            check, False, f"{error}: check the user in `{check}` and CORR_{check.upper()}_PASSWORD"
        )
    except Unreachable as error:
        return Finding(check, False, f"{error}: check `{check}` in the settings, and that the server runs")
    return Finding(check, True, f"{account}: login and logout")


def _last_letter(database: Database) -> datetime:
    with database.session() as session:
        query = select(Inbound.received_at).order_by(col(Inbound.received_at).desc()).limit(1)
        return session.exec(query).first() or RELEASED


def _clock(last: datetime = RELEASED) -> Finding:
    """Compare with the last letter and with corr's own day: no clock can stand before them."""
    now = SystemClock().now()
    if now < last:
        return Finding("clock", False, f"it is {now:%Y-%m-%d %H:%M} UTC here: set the clock (timedatectl)")
    return Finding("clock", True, f"{now:%Y-%m-%d %H:%M} UTC")


def _print(findings: list[Finding]) -> None:
    console = Console()
    for finding in findings:
        mark = "[green]ok  [/green]" if finding.well else "[red]BAD [/red]"
        console.print(f"{mark} [bold]{finding.check}[/bold]: ", end="")
        console.print(finding.detail, markup=False, highlight=False)
