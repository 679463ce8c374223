"""A round trip: corr writes to itself and to one person, and sees what becomes of it on the way.

What comes back proves the whole way of a reply: out over SMTP, through the domain's
own mail servers to a plus address, and in over IMAP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from time import monotonic
from typing import Literal

from corr.core.commands import LANGUAGES
from corr.core.letter import Letter, read_letter
from corr.mail.bounces import envelope_tag
from corr.mail.imap import Inbox
from corr.mail.smtp import Delivery, Envelope, Postman
from corr.render.environment import Reader, environment
from corr.service.own_letter import own_letter

PATIENCE = 60
"""Seconds in which a letter to oneself should be back."""

LOOK = 3.0
"""Seconds between looks at what a running daemon has fetched."""

Way = Literal["plain", "plus", "person"]
WAYS: tuple[Way, ...] = ("plain", "plus", "person")


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: well, or what to do."""

    check: str
    well: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Trial:
    """The letters of one round trip, known again by a word that nobody can guess."""

    address: str  # of corr
    name: str  # beside it
    person: str  # whom else to write to
    token: str
    now: datetime  # aware

    def recipient(self, way: Way) -> str:
        """Return where a letter goes."""
        return {"plain": self.address, "plus": self._tagged(f"doctor.{self.token}"), "person": self.person}[
            way
        ]

    def word(self, way: Way) -> str:
        """Return what stands in a letter and, if it bounces, in its bounce."""
        return f"{self.token}-{way}"

    def message_id(self, way: Way) -> str:
        """Return the id under which a letter goes out."""
        return f"<doctor.{self.word(way)}@{self.address.rpartition('@')[2]}>"

    def envelope(self, way: Way) -> Envelope:
        """Write a letter, from an address of its own that bounces come to."""
        sender = self._tagged(envelope_tag(f"doctor.{self.word(way)}"))
        return Envelope(WAYS.index(way), sender, self.recipient(way), self._raw(way))

    def _tagged(self, tag: str) -> str:
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{tag}@{domain}"

    def _raw(self, way: Way) -> bytes:
        """Write it as corr's own letter, which a running daemon does not answer."""
        subject, text = f"corr doctor {self.word(way)}", explanation(self.address)
        return own_letter(
            self.name, self.address, self.recipient(way), subject, self.message_id(way), self.now, text
        )


def explanation(address: str) -> str:
    """Say in both languages what the letter is, and how to see that letters arrive."""
    pieces = (
        environment().get_template(f"{lang}/doctor.txt").render(reader=Reader(lang, {}, reply_to=address))
        for lang in LANGUAGES
    )
    return "\n".join(pieces)


def round_trip(
    trial: Trial,
    postman: Postman,
    inbox: Inbox,
    stored: Callable[[], Iterable[bytes]],
    patience: float,
    waiting: Callable[[float], None],
) -> Iterator[Finding]:
    """Send the letters of a trial, wait for those to corr itself, and say what to mend.

    *stored* gives the letters that a running daemon has fetched since the trial began;
    *waiting* is told how many seconds are left.  Raises Unreachable and LoginRefused.
    """
    ends: dict[Way, Delivery] = {}

    def done(end: Delivery) -> None:
        ends[WAYS[end.id]] = end

    with inbox:
        postman.deliver([trial.envelope(way) for way in WAYS], lambda _: None, done)
        under_way: set[Way] = {way for way in WAYS[:2] if ends[way].status in {"sent", "unknown"}}
        back = _await(trial, under_way, inbox, stored, patience, waiting)
    yield _plain(trial, ends["plain"], back.get("plain"), patience)
    yield _plus(trial, ends["plus"], back)
    yield from _ids(trial, back)
    yield _person(trial, ends["person"], back.get("person"))


def _await(
    trial: Trial,
    under_way: set[Way],
    inbox: Inbox,
    stored: Callable[[], Iterable[bytes]],
    patience: float,
    waiting: Callable[[float], None],
) -> dict[Way, Letter]:
    """Look into the inbox, and at what a daemon took from it, until all is back or time is up."""
    back: dict[Way, Letter] = {}
    seen, end = 0, monotonic() + patience
    while True:
        for batch in inbox.arrivals(seen):
            own = {arrival.uid: _known(trial, arrival.raw) for arrival in batch}
            inbox.file([uid for uid, found in own.items() if found])  # the others are the daemon's
            back.update(found for found in own.values() if found)
            seen = max(own)
        back.update(found for raw in stored() if (found := _known(trial, raw)))
        left = end - monotonic()
        if under_way <= back.keys() or left <= 0:
            return back
        waiting(left)
        inbox.wait(min(left, LOOK), Event())


def _known(trial: Trial, raw: bytes) -> tuple[Way, Letter] | None:
    """Recognise a letter of the trial, or its bounce, which quotes it."""
    way: Way | None = next((way for way in WAYS if trial.word(way).encode() in raw), None)
    return (way, read_letter(raw)) if way else None


def _bounced(letter: Letter | None) -> bool:
    return letter is not None and (letter.return_path == "" or letter.content_type == "multipart/report")


def _refused(end: Delivery) -> str | None:
    """Say how the server refused a letter; None where it took it."""
    if end.status in {"sent", "unknown"}:
        return None
    return f"{end.code} {end.text}" if end.code else end.text


def _plain(trial: Trial, end: Delivery, letter: Letter | None, patience: float) -> Finding:
    if said := _refused(end):
        detail = f"the SMTP server does not take letters to {trial.address}: {said}: see to the account"
        return Finding("delivery", False, detail)
    if _bounced(letter):
        return Finding("delivery", False, f"the letter to {trial.address} bounced: see to the mailbox")
    if letter is None:
        detail = (
            f"no letter to {trial.address} came within {patience:.0f} s: check that mail for its domain "
            "comes to this mailbox (MX), and that no filter puts it into another folder"
        )
        return Finding("delivery", False, detail)
    return Finding("delivery", True, f"a letter to {trial.address} came back")


def _plus(trial: Trial, end: Delivery, back: dict[Way, Letter]) -> Finding:
    """Judge the letter to a plus address, to which replies come: it must arrive, and say where it went."""
    address, letter = trial.recipient("plus"), back.get("plus")
    mend = "turn plus addresses on (Postfix: recipient_delimiter = +), or choose a provider that has them"
    if said := _refused(end):
        return Finding("plus address", False, f"the SMTP server does not take {address}: {said}: {mend}")
    if _bounced(letter):
        return Finding("plus address", False, f"the letter to {address} bounced: {mend}")
    if letter is None:
        mend = mend if "plain" in back else "mend delivery first"
        return Finding("plus address", False, f"the letter to {address} did not come: {mend}")
    if address.lower() not in {recipient.lower() for recipient in letter.recipients}:
        detail = (
            f"{address} came without the part after the plus: let the server keep it in To, or write it into "
            "Delivered-To or X-Original-To; until then replies are known by their References alone"
        )
        return Finding("plus address", False, detail)
    return Finding("plus address", True, f"a letter to {address} came back, and says where it went")


def _ids(trial: Trial, back: dict[Way, Letter]) -> Iterator[Finding]:
    """Threads hang on the ids that letters went out with."""
    for way, letter in back.items():
        if way != "person" and not _bounced(letter):
            sent, well = trial.message_id(way), letter.message_id == trial.message_id(way)
            mend = "let the SMTP server keep Message-IDs; until then replies are known by their address alone"
            yield Finding("message-id", well, sent if well else f"{sent} came as {letter.message_id}: {mend}")
            return


def _person(trial: Trial, end: Delivery, letter: Letter | None) -> Finding:
    check = f"letter to {trial.person}"
    if said := _refused(end):
        detail = f"not taken: {said}: check the address, and that the account may write to other domains"
        return Finding(check, False, detail)
    if _bounced(letter):
        return Finding(check, False, "it bounced: check the address; the inbox has the bounce's reasons")
    detail = (
        "taken by the SMTP server: ask whether it lies in the inbox; from a spam folder take it out there, "
        "and see to SPF, DKIM and DMARC of your domain; the letter says what else may hold it up"
    )
    return Finding(check, True, detail)
