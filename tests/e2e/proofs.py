"""What must be true when a game by mail is over, whoever played it and how it ended."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from email.message import EmailMessage
from functools import reduce
from typing import Any

from sqlmodel import Session, col, select

from corr.core import marks
from corr.core.chance import SeededChance
from corr.core.commands import word
from corr.core.fold import fold
from corr.core.turn import AnyEngine, Luck
from corr.demo.clients import text_of
from corr.demo.player import MailPlayer, offered
from corr.registry import game_of
from corr.service import admin
from corr.service.sitting import Sitting
from corr.store import games
from corr.store.tables import Event, Inbound, Outbox
from engines.api import Phase, Problem, Seat
from tests.e2e.players import Table, Written

GROUPED = frozenset({"naishi"})
"""Games whose text part tells like orders in one line, with the columns that each can name."""


def moves_in_html(letter: EmailMessage) -> set[str]:
    """Return the moves that one tap writes."""
    return {words for words in offered(letter) if word(fold(words)) is None}


def moves_in_text(engine: AnyEngine, state: Any, seat: Seat, letter: EmailMessage) -> set[str]:
    """Return what the text part lists in lines that stand in by two columns, as far as it is an order."""
    lines = [line for line in text_of(letter).splitlines() if re.match(r"  \S", line)]
    listed = {words for line in lines for words in line.strip().split("   ")}
    return {words for words in listed if not isinstance(engine.parse(state, seat, fold(words)), Problem)}


def orders(written: Iterable[Written]) -> Iterator[Written]:
    """Yield the replies that are orders of the game, in order."""
    return (reply for reply in written if word(fold(reply.words)) is None)


def folded(engine: AnyEngine, seed: bytes, code: str, table: Table) -> Any:
    """Play what the players wrote by the engine alone, from the seed that the last letter shows.

    On the way, each letter must have offered just the legal orders, in both of its parts.
    """

    def luck(phase: str) -> SeededChance:
        return SeededChance(seed, f"{code}/{phase}")

    setup = _good(engine.setup(len(table.players), {}, luck("setup")))
    state = _rested(engine, reduce(engine.evolve, setup, None), luck)
    for reply in orders(table.written):
        seat, phase = reply.seat, engine.phase(state)
        assert isinstance(phase, Phase)
        lang = table.langs[seat - 1]
        legal = {engine.spell(state, seat, order, lang) for order in engine.orders(state, seat)}
        assert moves_in_html(reply.letter) == legal
        if game_of(engine) not in GROUPED:
            assert moves_in_text(engine, state, seat, reply.letter) == legal
        (order,) = _good(engine.parse(state, seat, fold(reply.words)))
        facts = _good(engine.decide(state, seat, order, luck(phase.key)))
        state = _rested(engine, reduce(engine.evolve, facts, state), luck)
    return state


def _good(judged: Sequence[Any] | Problem) -> Sequence[Any]:
    assert not isinstance(judged, Problem), judged
    return judged


def _rested(engine: AnyEngine, state: Any, luck: Luck) -> Any:
    """Close what waits for nobody: let pass whoever must pass."""
    while isinstance(phase := engine.phase(state), Phase) and not phase.waiting:
        state = reduce(engine.evolve, engine.close(state, luck(phase.key)), state)
    return state


def seed_shown(letter: EmailMessage) -> bytes:
    """Return the seed that the result shows above its digest."""
    seed, _digest = (line for line in text_of(letter).splitlines() if re.fullmatch(r"[0-9a-f]{64}", line))
    return bytes.fromhex(seed)


def record_shown(letter: EmailMessage) -> list[str]:
    """Return the squares of each numbered line of the record: the same in every language."""
    lines = [line for line in text_of(letter).splitlines() if re.match(r"\d+\. ", line)]
    kanji = str.maketrans("一二三四五六七八九", "123456789")
    return [" ".join(re.findall(r"\d\d", line.partition(". ")[2].translate(kanji))) for line in lines]


def same_end_for_all(players: Iterable[MailPlayer]) -> None:
    """Every player's last letter is the result, with the same record and the same seed."""
    last = [player.letters[-1] for player in players]
    assert len({seed_shown(letter) for letter in last}) == 1
    records = [record_shown(letter) for letter in last]
    assert all(record == records[0] for record in records)


def all_sent(table: Table) -> None:
    """Wait until the server has noted that its letters were taken: they may be read before that."""
    for _ in range(100):
        with table.server.office.database.session() as session:
            if not session.exec(select(Outbox.id).where(col(Outbox.status) != "sent")).first():
                return
        threading.Event().wait(0.1)
    raise AssertionError("some letters were never sent")


def each_to_its_own_address(session: Session, table: Table) -> None:
    """Let every letter that left lie in the mailbox of its seat, once, and in no other."""
    sent = session.exec(select(Outbox).order_by(col(Outbox.id))).all()
    for seat, player in enumerate(table.players, 1):
        meant = [row.message_id for row in sent if row.seat == seat]
        assert [row.address for row in sent if row.seat == seat] == [player.address] * len(meant)
        assert Counter(str(letter["Message-ID"]).strip() for letter in player.letters) == Counter(meant)
        assert {signed.mark.seat for letter in player.letters for signed in _marks(letter)} == {seat}


def _marks(letter: EmailMessage) -> Iterator[marks.Signed]:
    return marks.find([str(letter["Message-ID"]), str(letter["Reply-To"])])


def one_effect_each(session: Session, table: Table) -> None:
    """Every reply was stored once and answered once, and an order became one entry."""
    letters = session.exec(select(Inbound)).all()
    assert len(letters) == len(table.written)
    assert {letter.status for letter in letters} == {"done"}
    answers = Counter(session.exec(select(Outbox.in_reply_to).where(col(Outbox.in_reply_to).is_not(None))))
    assert answers == Counter(letter.message_id for letter in letters)
    entries = set(
        session.exec(
            select(Event.inbound_id, Event.entry).where(
                col(Event.seat).is_not(None), col(Event.cause) == "order"
            )
        )
    )
    ended = session.exec(select(Event).where(col(Event.kind) == "corr.ended")).all()
    assert len(entries) == len({inbound for inbound, _ in entries})
    assert len(entries) == len(list(orders(table.written))) + len(ended)


def replays_clean(table: Table, code: str) -> None:
    """Fold the stored log: it and the game row agree."""
    assert [(done.code, done.problem) for done in admin.replay(table.server.office)] == [(code, None)]


def all_well(table: Table, code: str) -> None:
    """All of it; and the final position is that of the moves in the players' letters."""
    same_end_for_all(table.players)
    all_sent(table)
    replays_clean(table, code)
    with table.server.office.database.session() as session:
        each_to_its_own_address(session, table)
        one_effect_each(session, table)
        game = games.game_by_code(session, code)
        assert game is not None
        sitting = Sitting(session, table.server.office, game)
        seed = seed_shown(table.players[0].letters[-1])
        assert folded(sitting.engine, seed, code, table) == sitting.position.state
