"""Letters out: batches over a few SMTP connections, one recipient a letter.

A letter can fail before its text was sent, or after: then nobody knows whether
it arrived (RFC 1047).  So the commands are given one by one.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponseException,
    SMTPSenderRefused,
)

from corr.mail.account import Account
from corr.mail.addresses import wire_address
from corr.mail.errors import LoginRefused, Unreachable
from corr.mail.retries import Status

log = logging.getLogger(__name__)

_LETTERS_PER_CONNECTION = 100
_MOST_DROPS = 5  # lost connections after which a line gives up
_TEXT_TAKES = 10  # times the time-out of a command: ten minutes for one (RFC 5321, 4.5.3.2.6)
_SHUTTING_DOWN = 421
_LOGIN_WANTED = {530, 534, 535, 538}  # RFC 4954: the account's matter, not the letter's
_DAILY_QUOTA = "5.4.5"


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter on its way to one recipient."""

    id: int
    sender: str  # of the envelope: where bounces go
    recipient: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of an envelope at one attempt."""

    id: int
    status: Status
    code: int | None  # of the server's answer, if there was one
    text: str


class Postman(Protocol):
    """Takes letters away."""

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
        connections: int = 2,
    ) -> None:
        """Try each letter once, and call *done* for each.

        *starting* is called with an id just before that letter's text is sent: a
        letter that has started and is not done may have arrived.
        """
        ...


class SmtpPostman:
    """A Postman over SMTP."""

    def __init__(self, account: Account, password: str = "", timeout: float = 60.0) -> None:
        self._account = account
        self._password = password
        self._timeout = timeout  # seconds, for each command

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
        connections: int = 2,
    ) -> None:
        """Try each letter once over at most so many *connections*, and call *done* for each.

        Both callbacks run in the calling thread; what they raise ends the run.
        Without a connection or a login the letters come back deferred.
        """
        asyncio.run(self._deliver(deque(envelopes), starting, done, connections))

    def check(self) -> None:
        """Connect, log in and leave; raises Unreachable or LoginRefused."""
        asyncio.run(self._check())

    async def _check(self) -> None:
        line = _Line(self._account, self._password, self._timeout)
        try:
            await line.connect()
        finally:
            await line.leave()

    async def _deliver(
        self,
        letters: deque[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
        connections: int,
    ) -> None:
        lines = [
            _Line(self._account, self._password, self._timeout) for _ in range(min(connections, len(letters)))
        ]
        troubles = await asyncio.gather(*(line.work(letters, starting, done) for line in lines))
        trouble = next(filter(None, troubles), "")
        while letters:
            done(Delivery(letters.popleft().id, "deferred", None, trouble))


class _Dropped(Exception):
    """The connection ended before the letter's text was sent, or the server gave it back with 421."""

    def __init__(self, code: int | None, text: str) -> None:
        super().__init__(text)
        self.code = code


class _Line:
    """One connection at a time, and the letters that go over it."""

    def __init__(self, account: Account, password: str, timeout: float) -> None:
        self._account = account
        self._password = password
        self._timeout = timeout
        self._client: SMTP | None = None
        self._carried = 0  # letters over this connection
        self._drops = 0

    async def work(
        self, letters: deque[Envelope], starting: Callable[[int], None], done: Callable[[Delivery], None]
    ) -> str | None:
        """Send letters until none is left, or say why this line cannot."""
        try:
            while letters:
                letter = letters.popleft()
                try:
                    delivery = await self._send(letter, starting)
                except (Unreachable, LoginRefused) as error:
                    letters.appendleft(letter)  # another line may be luckier
                    log.warning("%s", error)
                    return str(error)
                done(delivery)
        finally:
            await self.leave()
        return None

    async def connect(self) -> SMTP:
        """Connect and log in; raises Unreachable or LoginRefused."""
        client = self._client = self._new_client()
        self._carried = 0
        try:
            async with asyncio.timeout(2 * self._timeout):
                await client.connect()
                if client.is_ehlo_or_helo_needed:
                    await client.ehlo()
        except SMTPAuthenticationError as error:
            kind = LoginRefused if error.code >= 500 else Unreachable
            raise kind(f"{self._account} refuses the login: {error.code} {error.message}") from error
        except (SMTPException, OSError) as error:
            raise Unreachable(f"{self._account}: {_words(error)}") from error
        return client

    def _new_client(self) -> SMTP:
        return SMTP(
            hostname=self._account.host,
            port=self._account.port,
            username=self._account.user,
            password=self._password if self._account.user else None,
            use_tls=self._account.security == "tls",
            start_tls=self._account.security == "starttls",
            timeout=None,  # all waits are inside asyncio.timeout
        )

    async def leave(self) -> None:
        """Say goodbye if anybody is there, and close."""
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(SMTPException, OSError):
            async with asyncio.timeout(self._timeout):
                await client.quit()
        client.close()

    def _drop(self) -> None:
        self._drops += 1
        if self._client is not None:
            self._client.close()
            self._client = None

    async def _ready(self) -> SMTP:
        if self._drops >= _MOST_DROPS:
            raise Unreachable(f"{self._account} dropped {self._drops} connections")
        if self._carried >= _LETTERS_PER_CONNECTION:
            await self.leave()
        return self._client or await self.connect()

    async def _send(self, letter: Envelope, starting: Callable[[int], None]) -> Delivery:
        """Send a letter, over a second connection if the first is dropped."""
        try:
            sender, recipient = wire_address(letter.sender), wire_address(letter.recipient)
        except ValueError as error:
            return Delivery(letter.id, "failed", None, str(error))
        try:
            return await self._attempt(letter, sender, recipient, starting)
        except _Dropped:  # servers close idle connections so: no reason to wait
            self._drop()
        try:
            return await self._attempt(letter, sender, recipient, starting)
        except _Dropped as again:
            self._drop()
            return Delivery(letter.id, "deferred", again.code, str(again))

    async def _attempt(
        self, letter: Envelope, sender: str, recipient: str, starting: Callable[[int], None]
    ) -> Delivery:
        client = await self._ready()
        self._carried += 1
        try:
            async with asyncio.timeout(self._timeout):
                await client.mail(sender)
                await client.rcpt(recipient)
        except SMTPResponseException as refusal:
            return await self._refused(letter, refusal)
        except OSError as error:
            raise _Dropped(None, _words(error)) from error
        starting(letter.id)
        return await self._hand_over(client, letter)

    async def _hand_over(self, client: SMTP, letter: Envelope) -> Delivery:
        try:
            async with asyncio.timeout(_TEXT_TAKES * self._timeout):
                answer = await client.data(letter.raw)
        except SMTPResponseException as refusal:
            if _is_refusal(refusal):
                return await self._refused(letter, refusal)
            self._drop()
            return Delivery(letter.id, "unknown", refusal.code, refusal.message)
        except OSError as error:
            self._drop()
            return Delivery(letter.id, "unknown", None, _words(error))
        return Delivery(letter.id, "sent", answer.code, answer.message)

    async def _refused(self, letter: Envelope, refusal: SMTPResponseException) -> Delivery:
        if refusal.code == _SHUTTING_DOWN or not _is_refusal(refusal):
            raise _Dropped(refusal.code, refusal.message)
        status = _verdict(refusal)
        log.warning("letter %d is %s: %d %s", letter.id, status, refusal.code, refusal.message)
        await self._reset()
        return Delivery(letter.id, status, refusal.code, refusal.message)

    async def _reset(self) -> None:
        """Forget the envelope on the server, so that the next letter can follow."""
        if self._client is None:
            return
        try:
            async with asyncio.timeout(self._timeout):
                await self._client.rset()
        except (SMTPException, OSError):
            self._drop()


def _is_refusal(answer: SMTPResponseException) -> bool:
    """Tell a refusal from an answer that makes no sense here, after which the two sides are out of step."""
    return 400 <= answer.code <= 599


def _verdict(refusal: SMTPResponseException) -> Status:
    if refusal.code < 500:
        return "deferred"
    ours = (
        isinstance(refusal, SMTPSenderRefused)
        or refusal.code in _LOGIN_WANTED
        or refusal.message.startswith(_DAILY_QUOTA)
    )
    return "deferred" if ours else "failed"


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
