"""What to do with a letter before its words are read: a table, read top-down.

Each row is a name, a question and a verdict; the first row whose answer is yes
decides.  The name is stored with the letter, so that "why was my letter not
played?" has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from corr.core.letter import Letter


class Verdict(Enum):
    """What becomes of a letter."""

    IGNORE = "ignore"  # silence: a machine, or nobody to answer
    RETURN = "return"  # a letter of ours came back
    REPEAT = "repeat"  # the same letter again: the first answer goes out once more
    REFUSE = "refuse"  # one answer that says why, and no effect
    ASK = "ask"  # the holder of the seat is asked whether it was he
    VERIFY = "verify"  # the answer to a letter that asked whether an address is the player's
    SERVE = "serve"  # words that need no game
    PLAY = "play"


class Standing(Enum):
    """What the writer is to the game that the letter's mark names."""

    UNKNOWN_GAME = "unknown-game"
    NO_MARK = "no-mark"
    FORGED = "forged"  # the hash is not right for any holder of the seat
    FORMER = "former"  # from one who has left the seat, with a mark of that time
    NEWCOMER = "newcomer"  # from an address that a holder adds, with the tag that was sent there
    STRANGER = "stranger"  # a good mark from an address that the holder has not verified
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Case:
    """A letter, and what the store knows of it."""

    letter: Letter
    own_instance: str  # of the header that marks corr's own letters
    repeated: bool  # the same letter has had its effect before
    known: bool  # the sender is somebody's verified address
    proven: bool  # our own mail server vouches for the sender
    reachable: bool  # a letter can be written to the sender at all
    standing: Standing
    returned: bool  # it says that a letter did not arrive
    told_lately: bool  # a stranger who got an answer within a day
    flooding: bool  # so many letters from one sender that two programs may be answering each other
    flawed_lately: bool  # a letter like this one was refused within the hour


class Row(NamedTuple):
    """One rule of the table."""

    name: str
    holds: Callable[[Case], bool]
    verdict: Verdict


def _own(case: Case) -> bool:
    return case.letter.headers.get("x-corr-instance", "") == case.own_instance


def _automatic(case: Case) -> bool:
    """RFC 3834, and what its forerunners write; ``Precedence: bulk`` alone proves nothing."""
    headers = case.letter.headers
    submitted = headers.get("auto-submitted", "no").partition(";")[0].strip().lower()
    return (
        submitted not in {"", "no"}
        or "x-autoreply" in headers
        or "x-autorespond" in headers
        or headers.get("precedence", "").strip().lower() == "auto_reply"
        or _ABSENT.match(case.letter.subject.strip()) is not None
    )


# What programs put before the subject of an answer that nobody wrote; people's begin with "Re:".
_ABSENT = re.compile(
    r"auto(?:matic|mated)?[ -]?(?:reply|response|antwort)\b|out of (?:the )?office\b|vacation reply\b"
    r"|abwesenheits(?:notiz|nachricht)|automatische antwort|réponse automatique|respuesta automática"
    r"|risposta automatica|automatisch antwoord|(?:【|\[)?(?:自動(?:返信|応答)|不在(?:通知|のお知らせ|連絡))",
    re.IGNORECASE,
)


def _bounce(case: Case) -> bool:
    return case.returned


def _report(case: Case) -> bool:
    """Tell receipts and reports, and what has no sender who could be answered (RFC 3834, 2)."""
    return case.letter.return_path == "" or case.letter.content_type == "multipart/report"


def _list(case: Case) -> bool:
    return "list-id" in case.letter.headers


def _flooding(case: Case) -> bool:
    return case.flooding


def _no_sender(case: Case) -> bool:
    return not case.letter.sender


def _repeated(case: Case) -> bool:
    return case.repeated


def _told_lately(case: Case) -> bool:
    return case.told_lately


def _unreachable(case: Case) -> bool:
    return not case.reachable


def _flawed(case: Case) -> bool:
    return case.letter.flaw is not None


def _flawed_again(case: Case) -> bool:
    return case.letter.flaw is not None and case.flawed_lately


def _known(case: Case) -> bool:
    return case.known


def _proven(case: Case) -> bool:
    return case.known and case.proven


def _standing(standing: Standing) -> Callable[[Case], bool]:
    return lambda case: case.standing is standing


def _anyone(case: Case) -> bool:
    return True


TABLE: tuple[Row, ...] = (
    Row("own-letter", _own, Verdict.IGNORE),
    Row("bounce", _bounce, Verdict.RETURN),
    Row("automatic", _automatic, Verdict.IGNORE),
    Row("report", _report, Verdict.IGNORE),
    Row("list", _list, Verdict.IGNORE),
    Row("no-sender", _no_sender, Verdict.IGNORE),
    Row("flood", _flooding, Verdict.IGNORE),
    Row("repeated", _repeated, Verdict.REPEAT),
    Row("told-lately", _told_lately, Verdict.IGNORE),
    Row("not-holder", _standing(Standing.STRANGER), Verdict.ASK),  # the holder hears of it, not the sender
    Row("unreachable", _unreachable, Verdict.IGNORE),
    Row("flawed-again", _flawed_again, Verdict.IGNORE),
    Row("flawed", _flawed, Verdict.REFUSE),
    Row("new-address", _standing(Standing.NEWCOMER), Verdict.VERIFY),
    Row("holder", _standing(Standing.HOLDER), Verdict.PLAY),
    Row("former-holder", _standing(Standing.FORMER), Verdict.REFUSE),
    Row("proven", _proven, Verdict.SERVE),
    Row("known-without-mark", _known, Verdict.SERVE),
    Row("stranger", _anyone, Verdict.REFUSE),
)


def judge(case: Case) -> Row:
    """Return the first row of the table that holds; the last one always does."""
    return next(row for row in TABLE if row.holds(case))
