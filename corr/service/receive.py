"""A letter comes in: stored first, then read and answered in one transaction."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from sqlmodel import Session

from corr.core import authentication, marks
from corr.core.addresses import normal
from corr.core.intake import Case, Row, Standing, Verdict, judge
from corr.core.letter import Letter, read_letter
from corr.core.marks import Mark
from corr.core.reading import part_for
from corr.faults import fault
from corr.mail.addresses import wire_address
from corr.mail.bounces import Bounce, read_bounce, returned_to
from corr.mail.dkim import stamped
from corr.service import addresses, bounces, correspond, invitation, talk, waiting
from corr.service.office import Office
from corr.service.several import lock, play_all
from corr.store import chairs, letters
from corr.store.chairs import Chair
from corr.store.claim import lock_game, next_inbound
from corr.store.people import may_write, player_at
from corr.store.tables import Game, Inbound
from corr.store.types import InboundSource

ATTEMPTS = 3
"""How often a letter is tried before a human must look."""

LONGEST_ADDRESS = 320
"""Letters of an address (RFC 5321, 4.5.3.1); what is longer is none, and no index holds it."""

STRANGER_QUIET = timedelta(days=1)
"""A stranger gets one answer in this time."""

FLAW_QUIET = timedelta(hours=1)
"""Somebody whose letters cannot be read is told so once in this time."""

MOST_LETTERS = 500
"""Letters of one sender that are read in an hour; programs that answer each other write more."""

MOST_FRUITLESS = 20
"""Letters of one sender in an hour of which nothing is taken and that are answered all the same.

Further ones are read, but a program that does not say that it is one hears nothing more.
"""

FLOOD_SPAN = timedelta(hours=1)

MOST_STRANGERS = 60
"""Letters to strangers in an hour; whoever makes senders up must not let corr write to them all."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a letter was found."""

    source: InboundSource
    mailbox: str | None = None
    uidvalidity: int | None = None
    uid: int | None = None


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a letter, as far as its mark and its sender tell."""

    standing: Standing
    mark: Mark | None = None
    chair: Chair | None = None  # the seat that the mark names, if its game knows the writer


@dataclass(frozen=True, slots=True)
class Found:
    """A letter as it was found."""

    raw: bytes
    origin: Origin
    received_at: datetime


def store_letter(office: Office, raw: bytes, origin: Origin, received_at: datetime) -> int | None:
    """Keep a letter as it came, with what was found out on top; None if it is there already."""
    return store_letters(office, [Found(raw, origin, received_at)])[0]


def store_letters(office: Office, found: Sequence[Found]) -> list[int | None]:
    """Keep letters as they came, all of them together; returns their numbers, None for one that is there."""
    return _stored(office, [_row(office, one) for one in found])


def _stored(office: Office, rows: Sequence[dict[str, Any]]) -> list[int | None]:
    """Write letters together; where the database refuses one, each by itself, as far as that one."""
    try:
        return _kept(office, rows)
    except (IntegrityError, DataError):
        if len(rows) > 1:
            return [number for row in rows for number in _stored(office, [row])]
        if not _is_stored(office, rows[0]):
            raise
        return [None]  # it was fetched before: the key of mailbox and UID refuses it


def _kept(office: Office, rows: Sequence[dict[str, Any]]) -> list[int | None]:
    with office.database.session() as session:
        numbers: list[int | None] = [letters.keep(session, row) for row in rows]
        fault("fetch.inserted")
    return numbers


def _row(office: Office, found: Found) -> dict[str, Any]:
    raw = _with_findings(office, found.raw)
    letter = read_letter(raw)
    return {
        "source": found.origin.source,
        "mailbox": found.origin.mailbox,
        "uidvalidity": found.origin.uidvalidity,
        "uid": found.origin.uid,
        "message_id": letter.message_id,
        "content_key": letter.content_key,
        "lane": lane(letter),
        "sender": letter.sender[:LONGEST_ADDRESS],
        "raw": raw,
        "received_at": found.received_at,
    }


def _with_findings(office: Office, raw: bytes) -> bytes:
    """Write on top whose signature a letter carries, where corr looks itself; DNS may take seconds."""
    return stamped(raw, read_letter(raw), office.key_lookup) if office.key_lookup else raw


def _is_stored(office: Office, row: dict[str, Any]) -> bool:
    mailbox, uidvalidity, uid = row["mailbox"], row["uidvalidity"], row["uid"]
    if mailbox is None or uidvalidity is None or uid is None:
        return False
    with office.database.session() as session:
        return letters.is_stored(session, mailbox, uidvalidity, uid)


def lane(letter: Letter) -> str:
    """Return what keeps letters in order: the game that a mark names, or the sender."""
    first = next(marks.find((*letter.recipients, *letter.references)), None)
    return first.mark.code if first else normal(letter.sender)[:LONGEST_ADDRESS]


def work(office: Office) -> bool:
    """Handle the oldest letter that may be handled; false when there is none."""
    claimed: int | None = None
    try:
        with office.database.session() as session:
            inbound = next_inbound(session)
            if inbound is None:
                return False
            claimed = inbound.id
            fault("work.claimed")
            _handle(session, office, inbound)
            letters.settle(session, inbound)
            session.flush()
            fault("work.written")
        fault("work.done")
    except OperationalError:
        raise  # the database, not the letter
    except Exception:
        if claimed is None:
            raise
        _log.exception("letter %s was not handled", claimed)
        fault("work.raised")
        _fail(office, claimed, traceback.format_exc())
    return True


def _handle(session: Session, office: Office, inbound: Inbound) -> None:
    letter = read_letter(inbound.raw)
    writer = find_writer(session, letter)
    case = _case(session, office, inbound, letter, writer)
    row = judge(case)
    inbound.rules_hit, inbound.done_at = row.name, office.clock.now()
    if row.verdict is Verdict.IGNORE:
        _ignore(session, inbound, letter, writer)
    elif row.verdict is Verdict.RETURN:
        bounce = _bounce(inbound, letter)
        assert bounce is not None, "the intake table saw it"
        bounces.hear(session, office, inbound, bounce)
    else:
        _answer(session, office, inbound, letter, writer, row, proven=case.proven)
        if case.fruitless and inbound.status == "refused":
            _hush(session, inbound)


def _answer(
    session: Session,
    office: Office,
    inbound: Inbound,
    letter: Letter,
    writer: Writer,
    row: Row,
    *,
    proven: bool,
) -> None:
    """Do with a letter of a person what the table says."""
    if row.verdict is Verdict.REPEAT:
        inbound.status = "ignored"
        correspond.repeat(session, office, inbound)
    elif row.verdict is Verdict.PLAY:
        _play(session, office, inbound, letter, writer)
    elif row.verdict is Verdict.ASK:
        _ask(session, office, inbound, letter, writer)
    elif row.verdict is Verdict.VERIFY:
        _verify(session, office, inbound, letter, writer)
    elif row.verdict is Verdict.SERVE:
        correspond.serve(session, office, inbound, letter, proven=proven)
    else:
        _refuse(session, office, inbound, letter, writer, row.name)


def _refuse(
    session: Session, office: Office, inbound: Inbound, letter: Letter, writer: Writer, rule: str
) -> None:
    """Say why a letter was not read, to the seat for which it speaks, or to its writer."""
    game = seat = None
    if writer.standing is Standing.HOLDER:
        mark, chair = _named(writer)
        game, seat = session.get_one(Game, chair.game_id), mark.seat
    correspond.refuse(session, office, inbound, letter, rule, game, seat)


def _ignore(session: Session, inbound: Inbound, letter: Letter, writer: Writer) -> None:
    """Say nothing; of what a holder's own machines or lists sent, note whose it is, by its mark.

    A notice of absence is known by where it went, too.
    """
    inbound.status = "ignored"
    if inbound.rules_hit not in {"automatic", "list"}:
        return
    if writer.standing in {Standing.HOLDER, Standing.STRANGER}:
        mark, chair = _named(writer)
        inbound.game_id, inbound.seat, inbound.player_id = chair.game_id, mark.seat, chair.player_id
    elif inbound.rules_hit == "automatic":
        bounces.note_absence(session, inbound, letter.recipients)


def _hush(session: Session, inbound: Inbound) -> None:
    """Keep the answer back: two programs may be talking to each other."""
    answer = letters.answer_to(session, inbound)
    if answer is not None and answer.status == "queued":
        answer.status = "dropped"
        session.add(answer)
    inbound.rules_hit = "hushed"
    _log.warning("letter %d and others of its sender made no sense: no answer", inbound.id)


def judged(office: Office, raw: bytes) -> tuple[Standing, str, Verdict]:
    """Say what would become of a letter that came now: who wrote it, and the rule of the table."""
    raw = _with_findings(office, raw)
    letter = read_letter(raw)
    inbound = Inbound(
        source="cli",
        content_key=letter.content_key,
        lane="",
        sender=letter.sender,
        raw=raw,
        received_at=office.clock.now(),
    )
    with office.database.session() as session:
        inbound.id = letters.newest(session) + 1
        writer = find_writer(session, letter)
        row = judge(_case(session, office, inbound, letter, writer))
    return writer.standing, row.name, row.verdict


def answered_text(office: Office, raw: bytes) -> str:
    """Return the text of the letter to a seat that a letter answers; empty where its mark names none."""
    with office.database.session() as session:
        writer = find_writer(session, read_letter(raw))
        if writer.chair is None or writer.mark is None:
            return ""
        return talk.own_text(session, session.get_one(Game, writer.chair.game_id), writer.mark)


def _bounce(inbound: Inbound, letter: Letter) -> Bounce | None:
    """Read a letter as a bounce, if it can be one: nobody sent it, or it came to where only bounces go."""
    report = letter.return_path == "" or letter.content_type == "multipart/report"
    if report or returned_to(letter.recipients):
        return read_bounce(inbound.raw, letter.recipients)
    return None


def _case(session: Session, office: Office, inbound: Inbound, letter: Letter, writer: Writer) -> Case:
    known = _is_known(session, letter, writer)
    earlier = letters.earlier(session, inbound, FLOOD_SPAN)
    answers_game = writer.standing in {Standing.HOLDER, Standing.STRANGER, Standing.NEWCOMER}
    return Case(
        letter=letter,
        own_address=office.address,
        repeated=earlier.same,
        known=known,
        proven=_is_proven(office, letter),
        reachable=_is_reachable(letter.sender),
        standing=writer.standing,
        returned=_bounce(inbound, letter) is not None,
        told_lately=not known and not answers_game and _told_lately(session, office, letter),
        crowded=not known and not answers_game and _crowded(session, office),
        flooding=earlier.all > MOST_LETTERS,
        fruitless=earlier.fruitless >= MOST_FRUITLESS,
        flawed_lately=letter.flaw is not None and letters.refused_lately(session, inbound, FLAW_QUIET),
    )


def _is_known(session: Session, letter: Letter, writer: Writer) -> bool:
    """Tell whether the sender is somebody's verified address; whose seat it is, is known already."""
    sender = normal(letter.sender)
    if writer.chair is not None and sender in writer.chair.verified:
        return True
    return bool(sender) and player_at(session, sender) is not None


def _told_lately(session: Session, office: Office, letter: Letter) -> bool:
    return letters.told_lately(session, normal(letter.sender), office.clock.now(), STRANGER_QUIET)


def _crowded(session: Session, office: Office) -> bool:
    return letters.strangers_told(session, office.clock.now() - FLOOD_SPAN) >= MOST_STRANGERS


def _is_proven(office: Office, letter: Letter) -> bool:
    """Tell whether our own mail server or, where it says nothing, corr itself has proof of the sender."""
    by_server = authentication.proven(letter, office.authserv_id, office.address)
    signed = office.key_lookup is not None and authentication.proven_by_signature(letter, office.address)
    return by_server or signed


def _is_reachable(address: str) -> bool:
    try:
        return len(wire_address(normal(address))) <= LONGEST_ADDRESS
    except ValueError:
        return False


def find_writer(session: Session, letter: Letter) -> Writer:
    """Find the seat for which a letter speaks; a holder's mark wins over any other."""
    best = Writer(Standing.NO_MARK)
    for signed in marks.find((*letter.recipients, *letter.references)):
        found = _writer(session, letter, signed)
        if found.standing is Standing.HOLDER:
            return found
        if best.standing in {Standing.NO_MARK, Standing.UNKNOWN_GAME, Standing.FORGED}:
            best = found
    return best


def _writer(session: Session, letter: Letter, signed: marks.Signed) -> Writer:
    mark = signed.mark
    chair = chairs.chair(session, mark.code, mark.seat, mark.letter)
    if chair is None:
        return Writer(Standing.UNKNOWN_GAME)
    if chair.key is not None and marks.genuine(chair.key, signed):
        holds = invitation.may_answer(session, chair, mark.seat, letter.sender)
        return Writer(Standing.HOLDER if holds else Standing.STRANGER, mark, chair)
    if chair.key is not None and marks.genuine(chair.key, signed, normal(letter.sender)):
        return Writer(Standing.NEWCOMER, mark, chair)
    return _former(session, letter, signed, chair)


def _former(session: Session, letter: Letter, signed: marks.Signed, chair: Chair) -> Writer:
    """Tell one who held the seat when the mark was made from one who made the mark up."""
    mark = signed.mark
    held = chairs.tenures(session, chair.game_id, mark.seat)
    ended = (tenure for tenure in held if tenure.to_at is not None)
    tenure = next((tenure for tenure in ended if marks.genuine(tenure.key, signed)), None)
    if tenure is None or (chair.key is not None and tenure.player_id == chair.player_id):
        return Writer(Standing.FORGED)
    known = may_write(session, tenure.player_id, letter.sender)
    return Writer(Standing.FORMER, mark, chair) if known else Writer(Standing.FORGED)


def _named(writer: Writer) -> tuple[Mark, Chair]:
    """Return the mark and the seat of a writer whom a game knows."""
    assert writer.mark is not None
    assert writer.chair is not None
    return writer.mark, writer.chair


def _play(session: Session, office: Office, inbound: Inbound, letter: Letter, writer: Writer) -> None:
    """Take the lock of the game, and let the letter be judged under it."""
    mark, chair = _named(writer)
    locked = lock(session, chair, letter)
    game = locked[mark.code]
    fault("work.locked")
    if normal(letter.sender) in chair.doubtful:
        bounces.alive(session, office, letter.sender)
    if game.status == "open":
        invitation.answer(session, office, game, mark.seat, mark, letter, inbound)
    elif game.status == "void" and game.started_at is None:
        correspond.refuse(session, office, inbound, letter, "closed", game, mark.seat)
    else:
        play_all(session, office, locked, mark.seat, mark, letter, inbound)


def _ask(session: Session, office: Office, inbound: Inbound, letter: Letter, writer: Writer) -> None:
    """Take the lock of the game, and let its holder say whether the letter is his."""
    mark, chair = _named(writer)
    game = lock_game(session, chair.game_id)
    part = part_for(letter, game.code, answers=True)
    waiting.strange(session, office, game, mark.seat, mark, part, inbound)


def _verify(session: Session, office: Office, inbound: Inbound, letter: Letter, writer: Writer) -> None:
    """Take the lock of the game from which the address was added, and hear the answer."""
    mark, chair = _named(writer)
    game = lock_game(session, chair.game_id)
    addresses.verify(session, office, game, mark.seat, letter, inbound)


def _fail(office: Office, number: int, error: str) -> None:
    """Count a failed attempt; after three a human must look, and the lane is free again.

    The writer is told in the same transaction: a process that ends here owes no apology.
    """
    with office.database.session() as session:
        inbound = session.get_one(Inbound, number, with_for_update=True)
        if inbound.status != "new":
            return  # another worker has handled it since
        inbound.attempts += 1
        inbound.last_error = error
        if inbound.attempts % ATTEMPTS == 0:
            inbound.status, inbound.done_at = "failed", office.clock.now()
        session.add(inbound)
        if inbound.attempts == ATTEMPTS:
            _apologise(session, office, inbound)
    fault("work.counted")


def _apologise(session: Session, office: Office, inbound: Inbound) -> None:
    """Tell the writer, if that can be done: where even this fails, the letter is not tried for ever."""
    try:
        with session.begin_nested():
            correspond.apologise(session, office, inbound)
    except OperationalError:
        raise  # the database, not the letter
    except Exception:
        _log.exception("the writer of letter %s was not told", inbound.id)
