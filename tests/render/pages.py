"""Sample pages: every kind of letter about games of Ukulele, and boards of others, all really played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from corr.core.carriers import CARRIERS
from corr.core.chance import Forced
from corr.core.commands import TOPICS
from corr.core.mailing import Readers
from corr.core.mailing import situation as seen
from corr.core.page import Ending, Fate, Kind, Line, Page, Question, Said, Situation, Stored, Table
from corr.core.turn import AnyEngine, Position
from corr.registry import game_of
from engines.api import Outcome, Phase, Phrase, Problem, Seat, Watcher, name
from engines.bakenushi import ENGINE as BAKENUSHI
from engines.naishi import ENGINE as NAISHI
from engines.ukulele import ENGINE
from engines.ukulele.facts import Fact
from engines.ukulele.state import State
from tests.laws.play import play

AOI, BEN = Seat(1), Seat(2)
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
DEADLINE = NOW + timedelta(days=2, hours=4)
REPLY_TO = "play+K7QX.14.3.5.h4nd2abcdefgh2345672@corr.example.org"
TABLE = Table("K7QX", "ukulele", {AOI: "Aoi", BEN: "Ben"}, "3d")
LUCK = Forced({})
SEED = 5
"""Of the random games: they are played to their end."""


def played(plies: int, options: Mapping[str, str] | None = None) -> tuple[State, tuple[Phrase, ...]]:
    """Play the middle legal move so many times from the start; return what was told, too."""
    opening = ENGINE.setup(2, {"first_player": "1"} | dict(options or {}), LUCK)
    assert not isinstance(opening, Problem)
    state, story = _believed(None, opening)
    for _ in range(plies):
        phase = ENGINE.phase(state)
        assert isinstance(phase, Phase)
        (mover,) = phase.waiting
        legal = list(ENGINE.orders(state, mover))
        facts = ENGINE.decide(state, mover, legal[len(legal) // 2], LUCK)
        assert not isinstance(facts, Problem)
        state, told = _believed(state, facts)
        story += told
    return state, story


def _believed(state: State | None, facts: Iterable[Fact]) -> tuple[State, tuple[Phrase, ...]]:
    story: tuple[Phrase, ...] = ()
    for fact in facts:
        state = ENGINE.evolve(state, fact)
        story += tuple(ENGINE.tell(state, fact, Watcher.PUBLIC))
    assert state is not None
    return state, story


def situation(state: State, seat: Seat, lang: str) -> Situation:
    """Show a running game to one seat."""
    phase = ENGINE.phase(state)
    assert isinstance(phase, Phase)
    legal = list(ENGINE.orders(state, seat)) if seat in phase.open else []
    return Situation(
        view=ENGINE.view(state, seat),
        waiting=phase.waiting,
        may_act=seat in phase.open,
        deadline=DEADLINE,
        orders=tuple(ENGINE.spell(state, seat, order, lang) for order in legal[:12]),
        order_count=len(legal),
    )


def pages(lang: str, table: Table = TABLE) -> Iterator[tuple[str, Page]]:
    """Yield a page of every kind and state, each with a name of its own."""
    state, story = played(12)
    mine, theirs = (situation(state, seat, lang) for seat in (AOI, BEN))
    turn = Page(kind=Kind.TURN, seat=AOI, table=table, story=story[-2:], situation=mine)
    yield "turn-mine", turn
    yield "turn-theirs", replace(turn, seat=BEN, situation=theirs)
    yield "turn-no-clock", replace(turn, situation=replace(mine, deadline=None))
    yield "turn-nothing-lost", replace(turn, table=replace(table, timeout="nothing"))
    yield "turn-may-think-again", replace(turn, seat=BEN, situation=replace(theirs, may_act=True))
    yield "turn-nobody", replace(turn, situation=replace(theirs, waiting=frozenset()))
    start, opening = played(0)
    begun = Page(
        kind=Kind.START,
        seat=AOI,
        table=replace(table, options={"array": "full3", "handicap": "2"}),
        story=opening,
        situation=situation(start, AOI, lang),
        digest="5e" * 32,
    )
    yield "start", begun
    yield "start-from-a-record", replace(begun, note=Phrase("note.goes-on"))
    yield from _lobby(table)
    yield from _answers(turn, story)
    yield from _clock(turn, theirs)
    yield from _ends(table, story)


def boards(lang: str) -> Iterator[tuple[str, Page]]:
    """Yield letters about the other games: the start, the turn with most choices and the end."""
    for engine in (BAKENUSHI, NAISHI):
        yield from _boards(engine, lang)


def _boards(engine: AnyEngine, lang: str) -> Iterator[tuple[str, Page]]:
    moments, title = play(engine, SEED).moments, game_of(engine)
    table = replace(TABLE, code="B4RD", engine=title)
    readers = Readers(table, {AOI: lang, BEN: lang}, DEADLINE)
    turns = [
        (seat, seen(engine, Position(state), seat, readers))
        for state, phase in moments
        if isinstance(phase, Phase)
        for seat in phase.waiting
    ]
    busiest = max(turns, key=lambda turn: turn[1].order_count if turn[1] else 0)
    for part, (seat, shown) in {"start": turns[0], "turn": busiest}.items():
        yield f"{title}-{part}", Page(kind=Kind.TURN, seat=seat, table=table, situation=shown)
    state, outcome = moments[-1]
    assert isinstance(outcome, Outcome)
    view = engine.view(state, Watcher.MASTER)
    end = Ending(outcome, (), "07" * 32, "5e" * 32, view=view)
    yield f"{title}-end", Page(kind=Kind.RESULT, seat=AOI, table=table, ending=end)


def _lobby(table: Table) -> Iterator[tuple[str, Page]]:
    question = Question("invite", BEN)
    invitation = Page(kind=Kind.INVITATION, seat=AOI, table=table, question=question)
    yield "invitation", invitation
    yield "invitation-by-master", replace(invitation, question=Question("invite"))
    for carrier in CARRIERS:
        yield f"invitation-{carrier}", replace(invitation, carrier=carrier)
    for timeout in ("claim", "nothing"):
        unusual = replace(table, timeout=timeout, options={"array": "full3"}, pace="2d12h")
        yield f"invitation-{timeout}", replace(invitation, table=unusual)
    yield "stranger", Page(kind=Kind.NOTE, note=Problem("intake.stranger"))
    yield "list-of-games", Page(kind=Kind.NOTE, topics=("rules", "games"), games=(table,))
    yield from _talk(table)
    declined = Phrase("note.declined", {"by": name(BEN)})
    yield "declined", Page(kind=Kind.NOTE, seat=AOI, table=table, note=declined)


def _talk(table: Table) -> Iterator[tuple[str, Page]]:
    words = "Hello!\n\nGood luck & <b>fun</b> to you: https://example.org/?a=1&b=2"
    page = Page(kind=Kind.TALK, seat=AOI, table=table, said=Said(words, BEN, private=False))
    village = replace(table, code="V3RY", names={AOI: "Aoi", BEN: "Ben", Seat(3): "Chika"})
    for size, at in (("two", table), ("three", village)):
        for by in (BEN, None):
            for private in (False, True):
                said = Said(words, by, private)
                kind = f"talk-{size}-{'named' if by else 'nameless'}-{'private' if private else 'public'}"
                yield kind, replace(page, table=at, said=said)


def _answers(turn: Page, story: tuple[Phrase, ...]) -> Iterator[tuple[str, Page]]:
    lines = (
        Line("59-15", Fate.REFUSED, Problem("timing.stale")),
        Line("59", Fate.REFUSED, Problem("ambiguous.order", {"words": "59"}), ("59-15", "59-86")),
        Line("draw", Fate.TAKEN, Phrase("draw.offered")),
        Line("Hello Ben, how are you?", Fate.UNREAD, Problem("ukulele.unread")),
        Line("resing", Fate.UNREAD, Problem("ukulele.unread"), nearest=("resign",)),
    )
    answer = replace(turn, kind=Kind.ANSWER)
    yield "answer-refused", replace(answer, lines=lines)
    yield "answer-taken", replace(answer, lines=lines[2:3])
    long = "Dear Ben,\n  how are you?"
    unsaid = Line("Dear Ben,", Fate.REFUSED, Problem("talk.none"), text=long)
    yield "answer-unsaid", replace(answer, lines=(unsaid,))
    yield "answer-receipt", replace(answer, situation=None, story=(), lines=(Line("Hi", Fate.TAKEN),))
    yield (
        "answer-topics",
        replace(answer, topics=("help", "rules", "history", "games", "words"), history=story, games=(TABLE,)),
    )
    yield "answer-help", replace(answer, topics=tuple(TOPICS), lines=(Line("help", Fate.TAKEN),))
    alone = replace(answer, topics=("ask", "me", "history"), history=story[4:], history_from=5)
    record = ("[corr record 1]", "Game: K7QX ukulele/1", "1. Aoi: 59-15", "[end of record]")
    yield "answer-record", replace(alone, topics=("history",), record=record)
    yield "answer-own", replace(alone, asked="forward", secrets=story[:2])
    yield "answer-own-nothing", replace(alone, asked="weather", history=(), situation=None)
    stored = (Stored("59-15", NOW), Stored("5九-1五", NOW))
    yield "answer-stored", replace(answer, received=NOW, stored=stored, lines=lines[2:3])
    yield (
        "answer-no-game",
        Page(kind=Kind.ANSWER, topics=("help", "games", "words"), lines=(Line("help", Fate.TAKEN),)),
    )
    yield "answer-empty", replace(answer, lines=(Line("", Fate.UNREAD, Problem("reading.empty")),))
    asked = Line("resign", Fate.TAKEN, Phrase("resign.ask"))
    yield "answer-resign", replace(answer, lines=(asked,), question=Question("resign"))
    yield "question-resign", replace(answer, kind=Kind.QUESTION, question=Question("resign", AOI))
    yield "question-draw", replace(answer, kind=Kind.QUESTION, question=Question("draw", BEN))
    waits = Question("was-it-you", None, ("59-15", "draw"), "a…@e…")
    yield "question-was-it-you", replace(answer, kind=Kind.QUESTION, question=waits)
    own = replace(waits, sender="")
    yield "question-was-it-you-own", replace(answer, kind=Kind.QUESTION, question=own)
    yield "question-address", Page(kind=Kind.QUESTION, question=Question("address", None, ("Aoi",)))


def _clock(turn: Page, theirs: Situation) -> Iterator[tuple[str, Page]]:
    yield "reminder", replace(turn, kind=Kind.REMINDER)
    lapsed = Phrase("story.timed-out", {"by": name(AOI)})
    claimable = replace(TABLE, timeout="claim")
    late = replace(theirs, deadline=NOW - timedelta(hours=1))
    yield (
        "timeout",
        replace(turn, kind=Kind.TIMEOUT, seat=BEN, table=claimable, situation=late, note=lapsed),
    )


def _ends(table: Table, story: tuple[Phrase, ...]) -> Iterator[tuple[str, Page]]:
    for reason, winners in {
        "resignation": {AOI},
        "agreement": set[Seat](),
        "time": {BEN},
        "adjudication": {AOI, BEN},
        "void": set[Seat](),
    }.items():
        end = Ending(Outcome(frozenset(winners), reason), story, "07" * 32, "5e" * 32, "Well played.")
        yield f"result-{reason}", Page(kind=Kind.RESULT, seat=AOI, table=table, ending=end, story=story[-1:])
