"""Letters in: an IMAP folder, read without losing or doubling anything."""

import logging
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from imaplib import IMAP4
from itertools import groupby
from time import monotonic
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from corr.mail.account import Account
from corr.mail.errors import ConnectionLost, LoginRefused, Unreachable

log = logging.getLogger(__name__)

FOLDERS = ("Processed", "Failed")

_BATCH = 50  # letters a FETCH
_LARGE = 256 * 1024  # bytes; above it a letter is fetched alone
_HUGE = 10 * 1024 * 1024  # bytes; above it only the first _LARGE bytes are fetched
_MOVED_AT_ONCE = 200  # UIDs a command: some servers allow lines of 8 kB
# Seconds until the server is asked again.  IDLE may last 29 minutes (RFC 2177), but NATs
# forget sooner, and a word that comes together with the answer to IDLE is not heard: most
# likely in the middle of a conversation, so the first rounds are short, each twice the last.
_FIRST_ROUND = 1.0
_ROUND = 60.0
_SLICE = 0.5  # seconds until a stop is noticed
_FOR_NOW = re.compile(r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]")  # RFC 5530: not the password's fault
# Too much was asked, of whichever letter: Yahoo, Gmail, Exchange.  Asking on makes it worse.
_THROTTLED = re.compile(r"\[(UNAVAILABLE|LIMIT|OVERQUOTA|THROTTLED)\]|throttled", re.IGNORECASE)
_BACKOFF = re.compile(r"Suggested Backoff Time: (\d+) milliseconds", re.IGNORECASE)
_LONGEST_BACKOFF = 3600.0  # seconds; a server that asks for more is asked again all the same

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter as it lies in the folder."""

    uidvalidity: int
    uid: int
    raw: bytes
    received_at: datetime  # aware UTC: when the server took it
    truncated: bool = False  # too large: raw is its beginning


class Inbox(Protocol):
    """Where letters come in.  Its methods raise Unreachable when the server is gone."""

    @property
    def uidvalidity(self) -> int:
        """The number under which the folder's UIDs are valid (RFC 3501, 2.3.1.1)."""
        ...

    def __enter__(self) -> Self:
        """Connect; raises LoginRefused for a wrong password."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def arrivals(self, after: int) -> Iterator[list[Arrival]]:
        """Yield what has a UID above *after*, ascending, in batches."""
        ...

    def leftovers(self) -> Iterator[list[Arrival]]:
        """Yield everything that is still in the folder."""
        ...

    def file(self, uids: Sequence[int], folder: str = "Processed") -> None:
        """Move letters out of the inbox."""
        ...

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Wait for letters at most *seconds*, or until *stop*; True when there may be some."""
        ...


class ImapInbox:
    """An Inbox over one connection, for one thread."""

    def __init__(self, account: Account, password: str, *, timeout: float = 60.0) -> None:
        self.uidvalidity = 0
        self._account = account
        self._password = password
        self._timeout = timeout  # seconds, for each answer of the server
        self._prefix = ""  # of the folders beside the inbox
        self._seen = 0  # the highest UID that was listed
        self._client: Any = None

    def __enter__(self) -> Self:
        self._client = self._ask(self._connect)
        try:
            self._ask(self._open)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        with suppress(IMAP4.error, OSError):
            if error is None:
                self._client.logout()
        self._close()

    def _close(self) -> None:
        with suppress(OSError):  # closed already
            self._client.shutdown()

    def _connect(self) -> Any:
        tls = self._account.security == "tls"
        return IMAPClient(self._account.host, self._account.port, ssl=tls, timeout=self._timeout)

    def _open(self) -> None:
        client = self._client
        client.normalise_times = False  # INTERNALDATE with its zone
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if self._account.security == "starttls":
            client.starttls()
        self._login()
        self._prefix = self._personal_prefix()
        for name in FOLDERS:
            if not client.folder_exists(self._prefix + name):
                client.create_folder(self._prefix + name)
        self.uidvalidity = int(client.select_folder(self._account.folder)[b"UIDVALIDITY"])

    def _login(self) -> None:
        user, password = self._account.user or "", self._password
        # LOGIN cannot carry anything but ASCII through imaplib; SASL can.
        login = self._client.login if (user + password).isascii() else self._client.plain_login
        try:
            login(user, password)
        except LoginError as error:
            passing = _FOR_NOW.search(str(error)) or _throttled(error)
            if passing or isinstance(error.__context__, IMAP4.abort):
                raise
            raise LoginRefused(f"{self._account} refuses the login of {user}: {error}") from error

    def _personal_prefix(self) -> str:
        """Say under what name folders are made: many hosts want ``INBOX.Processed`` (RFC 2342)."""
        if not self._client.has_capability("NAMESPACE"):
            return ""
        personal = self._client.namespace().personal
        return str(personal[0][0]) if personal else ""

    def arrivals(self, after: int) -> Iterator[list[Arrival]]:
        r"""Yield what has a UID above *after*, ascending, in batches of at most 50.

        \Seen is never set.  What the server lists but does not give is skipped
        and logged; it stays in the folder, and is among the *leftovers*.
        """
        uids = self._newer(after)
        self._seen = max([self._seen, after, *uids])
        for start in range(0, len(uids), _BATCH):
            for batch in self._batches(uids[start : start + _BATCH]):
                if batch:
                    yield batch

    def leftovers(self) -> Iterator[list[Arrival]]:
        """Yield everything that is still in the folder."""
        return self.arrivals(0)

    def _newer(self, after: int) -> list[int]:
        self._ask(self._client.noop)  # some servers look for new letters only then
        found = self._ask(lambda: self._client.search(["UID", f"{after + 1}:*"]))
        return sorted(uid for uid in found if uid > after)  # n:* always names the newest

    def _batches(self, uids: list[int]) -> Iterator[list[Arrival]]:
        heads = self._fetch(uids, ["RFC822.SIZE", "INTERNALDATE"], b"INTERNALDATE")
        for large, run in groupby(heads, lambda uid: heads[uid][b"RFC822.SIZE"] > _LARGE):
            for group in ([uid] for uid in run) if large else [list(run)]:
                yield self._letters(group, heads)

    def _letters(self, uids: list[int], heads: dict[int, dict[bytes, Any]]) -> list[Arrival]:
        huge = heads[uids[0]][b"RFC822.SIZE"] > _HUGE  # then it is alone
        item, key = (f"BODY.PEEK[]<0.{_LARGE}>", b"BODY[]<0>") if huge else ("BODY.PEEK[]", b"BODY[]")
        return [
            Arrival(self.uidvalidity, uid, body[key], heads[uid][b"INTERNALDATE"].astimezone(UTC), huge)
            for uid, body in self._fetch(uids, [item], key).items()
        ]

    def _fetch(self, uids: list[int], items: list[str], key: bytes) -> dict[int, dict[bytes, Any]]:
        """Fetch *items* of the letters that have *key*: unasked answers come in between."""
        try:
            found = self._client.fetch(uids, items)
        except (IMAP4.abort, OSError) as error:
            raise self._unreachable(error) from error
        except (IMAP4.error, ValueError) as error:
            if _throttled(error):
                raise self._unreachable(error) from error
            if len(uids) > 1:  # one letter must not hold up the others
                return {uid: got for one in uids for uid, got in self._fetch([one], items, key).items()}
            log.warning("%s cannot give letter %d: %s", self._account, uids[0], error)
            return {}
        for uid in uids:
            if key not in found.get(uid, ()):
                log.warning("%s lists letter %d and does not give it", self._account, uid)
        return {uid: found[uid] for uid in uids if key in found.get(uid, ())}

    def file(self, uids: Sequence[int], folder: str = "Processed") -> None:
        """Move letters out of the inbox; those that are gone already are no error."""
        for start in range(0, len(uids), _MOVED_AT_ONCE):
            some = list(uids[start : start + _MOVED_AT_ONCE])
            self._ask(partial(self._move, some, self._prefix + folder))

    def _move(self, uids: list[int], folder: str) -> None:
        client = self._client
        if client.has_capability("MOVE"):
            client.move(uids, folder)
            return
        client.copy(uids, folder)
        client.delete_messages(uids, silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(uids)
        else:
            client.expunge()

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Wait for letters at most *seconds*, or until *stop* is set.

        True when there are letters that *arrivals* has not listed yet.  Raises
        ConnectionLost when the server hangs up.
        """
        end, turn = monotonic() + seconds, _FIRST_ROUND
        while not self._newer(self._seen):
            left = end - monotonic()
            if left <= 0 or stop.is_set():
                return False
            if self._client.has_capability("IDLE"):
                self._ask(partial(self._idle, min(left, turn), stop))
                turn = min(2 * turn, _ROUND)
            else:
                stop.wait(min(left, _ROUND))
        return True

    def _idle(self, seconds: float, stop: threading.Event) -> None:
        end = monotonic() + seconds
        self._client.idle()
        while not stop.is_set() and (left := end - monotonic()) > 0:
            if self._hears(min(left, _SLICE)):
                break
        self._client.idle_done()

    def _hears(self, seconds: float) -> bool:
        """Listen for the word that something came."""
        start = monotonic()
        answers = self._client.idle_check(timeout=seconds)
        too_soon = monotonic() - start < seconds / 2  # so imapclient tells a closed connection
        if any(answer[0] == b"BYE" for answer in answers) or (too_soon and not answers):
            raise ConnectionLost(f"{self._account} closed the connection")
        return any(answer[1:2] == (b"EXISTS",) for answer in answers)

    def _ask(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except (Unreachable, LoginRefused):
            raise
        except (IMAP4.error, OSError) as error:
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> Unreachable:
        words = str(error) or type(error).__name__
        backoff = _BACKOFF.search(words)
        wait = min(int(backoff[1]) / 1000, _LONGEST_BACKOFF) if backoff else 0.0
        return Unreachable(f"{self._account}: {words}", wait)


def _throttled(error: Exception) -> bool:
    return bool(_THROTTLED.search(str(error)))
