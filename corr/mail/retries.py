"""What a mail server's answer means, and when a letter that was not delivered goes out again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from typing import Literal, NamedTuple

Status = Literal["sent", "deferred", "failed", "unknown"]


class Trouble(Enum):
    """Why a letter was not delivered: whose matter it is."""

    UNREACHABLE = "unreachable"  # no connection, no name, or the server is shutting down
    TLS = "tls"  # no safe connection: a certificate that is not believed, no STARTTLS
    LOGIN = "login"  # the account's password
    RATE = "rate"  # the account has sent too fast
    QUOTA = "quota"  # the account has sent all that it may for now, or is blocked
    SENDER = "sender"  # our own address is refused
    DROPPED = "dropped"  # the connection ended before the text, twice
    BUSY = "busy"  # try again later: greylisting among others
    NETWORK = "network"  # the servers of the recipient's domain cannot be reached
    FULL = "full"  # the recipient's mailbox
    HELD = "held"  # a policy, for now
    POLICY = "policy"  # a policy, for good
    ADDRESS = "address"  # no such address
    SIZE = "size"  # the letter is too large
    REFUSED = "refused"  # this letter, for good
    UNKNOWN = "unknown"  # the connection ended while the text flowed (RFC 1047)


class Course(NamedTuple):
    """What is done about a trouble."""

    status: Status
    delays: tuple[timedelta, ...] = ()  # before the next attempts; after the last one it is given up
    account: bool = False  # of the whole account: every letter waits, and none has used up an attempt


_LATER = timedelta(hours=6)
_LIMIT = timedelta(days=5)  # RFC 5321, 4.5.4.1: give up after four or five days


def _minutes(*numbers: int) -> tuple[timedelta, ...]:
    return tuple(timedelta(minutes=number) for number in numbers)


def _days(*first: int) -> tuple[timedelta, ...]:
    """Wait so many minutes at *first*, then six hours each time, five days in all."""
    begun = _minutes(*first)
    return begun + (_LATER,) * ((_LIMIT - sum(begun, timedelta())) // _LATER)


_USUAL = _days(1, 5, 15, 60, 180)

COURSES: Mapping[Trouble, Course] = {
    Trouble.UNREACHABLE: Course("deferred", _minutes(1), account=True),
    Trouble.TLS: Course("deferred", _minutes(5), account=True),
    Trouble.LOGIN: Course("deferred", _minutes(5), account=True),
    Trouble.RATE: Course("deferred", _minutes(5), account=True),
    Trouble.QUOTA: Course("deferred", _minutes(60), account=True),  # windows roll: some are free each hour
    Trouble.SENDER: Course("deferred", _USUAL),
    Trouble.DROPPED: Course("deferred", _USUAL),
    Trouble.BUSY: Course("deferred", _USUAL),
    Trouble.NETWORK: Course("deferred", _days(15, 60, 180)),
    Trouble.FULL: Course("deferred", _days()),  # nobody empties a mailbox in a minute
    Trouble.HELD: Course("deferred", _days(60, 180)),
    Trouble.POLICY: Course("failed"),
    Trouble.ADDRESS: Course("failed"),
    Trouble.SIZE: Course("failed"),
    Trouble.REFUSED: Course("failed"),
    # A lost turn is worse than a double one, but only once.
    Trouble.UNKNOWN: Course("unknown", _minutes(10)),
}


class Rule(NamedTuple):
    """One way in which servers say what is wrong; an empty pattern fits everything."""

    trouble: Trouble
    head: str = ""  # code and enhanced code (RFC 3463): "550 5.4.5"
    words: str = ""  # somewhere in the answer


# Read top-down; the first rule that fits decides.  What providers write stands above what
# the RFCs say: their limits come as codes that elsewhere mean an address or a mailbox.
RULES = (
    Rule(Trouble.LOGIN, head=r"53[0458]"),  # RFC 4954
    Rule(Trouble.QUOTA, head=r"(?:454|5\d\d) [45]\.4\.5"),  # Gmail
    Rule(Trouble.QUOTA, words=r"\b(?:daily|peak)\b.{0,40}\b(?:limit|quota)"),  # Workspace and others
    Rule(Trouble.QUOTA, head=r"5\d\d 5\.(?:1\.(?:8|90)|2\.25[1-5]|7\.50[1-3]|7\.70[58])$"),  # Microsoft 365
    Rule(Trouble.QUOTA, words=r"OutboundSpam|SubmissionQuotaExceeded|STOREDRV\.Submission"),
    Rule(Trouble.BUSY, words=r"gr[ae]y.?list|RCPT domain"),  # of one recipient, whatever its code
    Rule(Trouble.RATE, head=r"(?:421 4\.(?:4\.5|7\.\d+)|432 4\.3\.2|454 4\.7\.0)$"),
    Rule(Trouble.RATE, head=r"4", words=r"too many (?:log|connections|messages)|rate limit|throttled"),
    Rule(Trouble.UNREACHABLE, head=r"421"),  # RFC 5321, 4.2.1: the server closes the connection
    Rule(Trouble.FULL, head=r"\d{3} [45]\.2\.2$"),
    Rule(Trouble.SIZE, head=r"5\d\d 5\.(?:3\.4|2\.3)$"),
    Rule(Trouble.SIZE, head=r"552$"),
    Rule(Trouble.SENDER, head=r"5\d\d 5\.1\.7$"),
    # RFC 3463 says "other" of X.0.0 and X.1.0; programs that know no finer code write them of an address.
    Rule(Trouble.ADDRESS, head=r"5\d\d 5\.(?:0\.0|1\.(?:[0-6]|10)|2\.1)$"),
    Rule(Trouble.HELD, head=r"4\d\d 4\.7\."),
    Rule(Trouble.NETWORK, head=r"4\d\d 4\.4\."),
    Rule(Trouble.BUSY, head=r"4"),
    Rule(Trouble.POLICY, head=r"5\d\d 5\.7\."),
    Rule(Trouble.REFUSED),
)

_ENHANCED = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?=\s|$)")


def classify(code: int, text: str) -> Trouble:
    """Say what a refusal means; an enhanced code (RFC 3463) may begin its *text*."""
    enhanced = _ENHANCED.match(text.strip())
    head = f"{code} {enhanced[0]}" if enhanced else str(code)
    return next(
        rule.trouble
        for rule in RULES
        if re.match(rule.head, head) and re.search(rule.words, text, re.IGNORECASE)
    )


def retry_at(trouble: Trouble, attempts: int, now: datetime) -> datetime | None:
    """Say when to send again after the *attempts*-th attempt (from 1) met a trouble.

    None: never; there is no hope left.  A trouble of the whole account is waited for
    however long it lasts.
    """
    if attempts < 1:
        raise ValueError("The first attempt is number 1")
    course = COURSES[trouble]
    if course.account:
        return now + course.delays[0]
    return now + course.delays[attempts - 1] if attempts <= len(course.delays) else None
