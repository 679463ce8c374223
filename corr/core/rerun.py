"""A record played again: the same header and the same moves give the same facts."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from corr.core import notation
from corr.core.commands import word
from corr.core.endings import adjudicated, agreed, out_of_time, resigned, voided
from corr.core.fold import fold
from corr.core.notation import Move, wrong
from corr.core.record import WORDS_OF_END, Header, Record, compact
from corr.core.turn import AnyEngine, Luck, Position, Turn, end, joined, run_out, start, status, take
from engines.api import Outcome, Phase, Problem, Seat


def fitted(engine: AnyEngine, record: Record) -> Record:
    """Return a record with its options as ``corr game new`` stores them, however they were broken."""
    header = record.header
    options = {key: _option(engine, key, value) for key, value in header.options.items()}
    return replace(record, header=replace(header, options=options))


def _option(engine: AnyEngine, key: str, value: str) -> str:
    """Put together a file that was broken into lines, and fold one of a few words."""
    if key in engine.info.files:
        with suppress(ValueError):  # what is no JSON is for the rules to refuse
            return compact(json.loads("".join(value.split())))
    return fold(value) if engine.info.options.get(key) else value


def played(engine: AnyEngine, record: Record, luck: Luck) -> Turn | Problem:
    """Play a record from its start; says which line is no legal move, or that the end is another one."""
    header = record.header
    facts = engine.setup(len(header.names), header.options, luck("setup"))
    if isinstance(facts, Problem):
        return Problem("record.setup", {"reason": facts})
    turns, position = [start(engine, facts, luck)], 0
    for move in record.moves:
        position += turns[-1].opened
        turn = _played(_Table(engine, header, luck, turns[-1].after), move, position)
        if isinstance(turn, Problem):
            return wrong(move.line, f"{move.position}. {move.text}", turn)
        turns.append(turn)
    return _mismatch(status(engine, turns[-1].after), record) or joined(turns)


def _mismatch(now: Phase | Outcome, record: Record) -> Problem | None:
    """Compare the end with the one that is written."""
    noted = record.result
    if isinstance(now, Phase):
        return None if noted is None else Problem("record.goes-on", {"noted": noted})
    results = [notation.result(now, record.header.names, lang) for lang in ("en", "ja")]
    if noted is None:
        return Problem("record.no-result", {"result": results[0]})
    if any(notation.same(noted, result) for result in results):
        return None
    return Problem("record.other-result", {"noted": noted, "result": results[0]})


class _Table(NamedTuple):
    """The game as it stands before a move."""

    engine: AnyEngine
    header: Header
    luck: Luck
    now: Position


def _played(table: _Table, move: Move, position: int) -> Turn | Problem:
    """Do what one move says; it must be one of this position."""
    phase = status(table.engine, table.now)
    if isinstance(phase, Outcome):
        return Problem("timing.over")
    if move.position != position:
        return Problem("record.position", {"now": position})
    if said := notation.by_name(move.text, table.header.names):
        return _said(table, phase, *said)
    for text, meaning, seat in notation.marks(table.header.names):
        if notation.same(text, move.text):
            return _happened(table, phase, meaning, seat)
    return Problem("record.unread")


def _said(table: _Table, phase: Phase, seat: Seat, words: str) -> Turn | Problem:
    """Take an order, or a word that ends the game."""
    known, seats = word(words), table.header.names
    if known is None or known.name not in WORDS_OF_END.values():
        return _ordered(table, seat, words)
    if known.name == "claim" and (table.header.timeout != "claim" or seat in phase.waiting):
        return Problem("claim.not-allowed")
    ended = {"resign": resigned(seats, seat), "draw": agreed(), "claim": out_of_time(seats, phase)}
    return end(table.engine, table.now, ended[known.name], seat, "order")


def _ordered(table: _Table, seat: Seat, words: str) -> Turn | Problem:
    """Take an order.  Only what nobody can do closes by itself; when else a phase closed is written."""
    turn = take(table.engine, table.now, seat, [words], table.luck, lang="en", early=False)
    reason = turn.lines[0].reason
    if turn.entries:
        return turn
    return reason if isinstance(reason, Problem) else Problem("record.unread")


def _happened(table: _Table, phase: Phase, meaning: str, seat: Seat | None) -> Turn | Problem:
    """Let time run out, close what all have done, or end the game by a master's word."""
    engine, header, now, early = table.engine, table.header, table.now, meaning == "early"
    if meaning in notation.NOBODY_WINS:
        ended = voided() if meaning == "void" else adjudicated(seat)
        return end(engine, now, ended, None, "master")
    if early and phase.waiting:
        return Problem("record.not-done")
    closed = run_out(engine, now, table.luck, early=False, cause="early" if early else "close")
    if meaning != "lost":
        return closed or Problem("record.no-lapse")
    if closed is not None or header.timeout != "loss":
        return Problem("record.no-loss")
    return end(engine, now, out_of_time(header.names, phase), None, "close")
