"""What one letter says, as data: no prose, and nothing that its reader may not know.

A page is built up from nothing for one reader.  Templates see a page, the
reader's language and zone, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from corr.core.talk import Press
from engines.api import Outcome, Phrase, Seat, View


class Kind(Enum):
    """Why a letter is written; names its template."""

    INVITATION = "invitation"
    START = "start"
    TURN = "turn"  # a new phase: your move, or not
    ANSWER = "answer"  # to one letter, line by line
    REMINDER = "reminder"
    TIMEOUT = "timeout"
    QUESTION = "question"  # a draw is offered, a resignation wants a second yes
    RESULT = "result"
    TALK = "talk"  # what another player says
    NOTE = "note"  # one matter without a position: a stranger, a declined invitation


class Fate(Enum):
    """What became of one line of a letter."""

    TAKEN = "taken"
    REFUSED = "refused"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it was read, and what became of it."""

    words: str
    fate: Fate
    reason: Phrase | None = None  # why refused, or what a service word did
    choices: tuple[str, ...] = ()  # what an ambiguous line can mean, as the reader would type it
    nearest: tuple[str, ...] = ()  # words that a slip of the pen may have meant; never acted on
    example: tuple[str, ...] = ()  # where nothing is near, an order that is legal now
    text: str = ""  # what was said, or could not be, with its line breaks


@dataclass(frozen=True, slots=True)
class Table:
    """The game that a letter belongs to."""

    code: str
    engine: str  # "ukulele": names its catalogue keys and its rules text
    names: Mapping[Seat, str]  # what the players call each other
    pace: str  # a line of the pace language, as the master wrote it
    options: Mapping[str, str] = field(default_factory=dict[str, str])  # those that differ from the default
    timeout: str = "loss"  # what a lapse means: loss, claim or nothing
    press: Press = "open"  # what players may say to each other


@dataclass(frozen=True, slots=True)
class Situation:
    """The position now, as the reader may see it."""

    view: View
    waiting: frozenset[Seat]  # who must act, as far as the reader may know
    may_act: bool  # the reader is among them, or may think again
    deadline: datetime | None  # aware UTC; None where no clock runs
    orders: tuple[str, ...] = ()  # what is legal now, as the reader would type it; at most a dozen
    order_count: int = 0  # of all plain legal orders


@dataclass(frozen=True, slots=True)
class Stored:
    """An order of the reader in the present phase, as it is stored."""

    words: str  # as the reader would type it
    received: datetime  # aware UTC: when the server got the letter


@dataclass(frozen=True, slots=True)
class Question:
    """What a yes or a no in reply to this letter would answer."""

    key: str  # "invite", "draw", "resign", "was-it-you" or "address"
    asked_by: Seat | None = None
    words: tuple[str, ...] = ()  # what waits for the answer: orders as corr spells them, or a name
    sender: str = ""  # where these came from, masked; "" for the reader's own address


@dataclass(frozen=True, slots=True)
class Said:
    """What another player says to the reader."""

    text: str
    by: Seat | None  # None: nobody is told
    private: bool  # to the reader alone


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, with all that its end makes public."""

    outcome: Outcome
    record: tuple[Phrase, ...]  # the whole story in order
    seed: str  # hexadecimal
    digest: str  # SHA-256 of the seed, hexadecimal: the one in the first letter
    remark: str = ""  # a master's reason, in the master's own words
    view: View | None = None  # the last position, as everybody may see it


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One letter to one reader."""

    kind: Kind
    seat: Seat | None = None  # the reader's; None for a stranger
    table: Table | None = None
    lines: tuple[Line, ...] = ()  # of the letter that is answered
    story: tuple[Phrase, ...] = ()  # what happened since the reader's last letter
    situation: Situation | None = None
    question: Question | None = None
    note: Phrase | None = None  # the one matter of a NOTE; what lapsed in a TIMEOUT
    received: datetime | None = None  # aware UTC: when the server got the letter that is answered
    stored: tuple[Stored, ...] = ()  # the reader's own orders, as they stand
    # asked for: "help" or a topic of it, "rules", "ask", "history", "me", "games"
    topics: tuple[str, ...] = ()
    asked: str = ""  # for "ask": the question
    history: tuple[Phrase, ...] = ()  # for the topic
    history_from: int = 1  # the number of its first
    record: tuple[str, ...] = ()  # the lines of the record, where the whole history was asked for
    secrets: tuple[Phrase, ...] = ()  # for "me": what only the reader was told
    games: tuple[Table, ...] = ()  # for the topic: the reader's own
    digest: str | None = None  # of the seed, in a START
    ending: Ending | None = None
    said: Said | None = None  # in a TALK
    carrier: str = ""  # in an INVITATION: whose filters stand before the reader, if a phone company's
