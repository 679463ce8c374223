"""Letters out: batches over a few SMTP connections, one recipient a letter.

A letter can fail before its text was sent, or after: then nobody knows whether
it arrived (RFC 1047).  So nothing of a text flows before the server asks for it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from socket import getfqdn
from ssl import SSLError, create_default_context
from typing import Protocol

from aiolimiter import AsyncLimiter
from aiosmtplib import SMTP, SMTPAuthenticationError, SMTPException, SMTPResponseException

from corr.mail.account import Account
from corr.mail.addresses import wire_address
from corr.mail.dialogue import Dialogue, Refused
from corr.mail.errors import LoginRefused, Unreachable
from corr.mail.presets import Limits
from corr.mail.retries import COURSES, Status, Trouble, classify

log = logging.getLogger(__name__)

_MOST_DROPS = 5  # lost connections after which a line gives up
_TEXT_TAKES = 10  # times the time-out of the commands: ten minutes for one (RFC 5321, 4.5.3.2.6)


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
    trouble: Trouble | None  # None: it was sent
    code: int | None  # of the server's answer, if there was one
    text: str

    @property
    def status(self) -> Status:
        """How far the letter has come."""
        return COURSES[self.trouble].status if self.trouble else "sent"

    @property
    def halts(self) -> bool:
        """Tell whether no letter of the account can go out at present."""
        return self.trouble is not None and COURSES[self.trouble].account


class Postman(Protocol):
    """Takes letters away."""

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
    ) -> None:
        """Try each letter once, and call *done* for each.

        *starting* is called with an id when the server waits for that letter's text, just
        before it is sent: a letter that has started and is not done may have arrived.
        """
        ...


class SmtpPostman:
    """A Postman over SMTP, no faster than its account may send."""

    def __init__(
        self, account: Account, password: str = "", timeout: float = 60.0, limits: Limits | None = None
    ) -> None:
        self._account = account
        self._password = password
        self._timeout = timeout  # seconds, for all commands before a text
        self._limits = limits or Limits()

    def deliver(
        self,
        envelopes: Sequence[Envelope],
        starting: Callable[[int], None],
        done: Callable[[Delivery], None],
    ) -> None:
        """Try each letter once, and call *done* for each.

        Both callbacks run in the calling thread; what they raise ends the run.  When a
        letter shows that none can go out at present, the others come back with its trouble.
        """
        asyncio.run(self._deliver(_Batch(deque(envelopes), starting, done, self._limits)))

    def check(self) -> None:
        """Connect, log in and leave; raises Unreachable or LoginRefused."""
        asyncio.run(self._check())

    async def _check(self) -> None:
        (line,) = self._lines(1)
        try:
            await line.connect()
        finally:
            await line.leave()

    async def _deliver(self, batch: "_Batch") -> None:
        lines = self._lines(min(self._limits.connections, len(batch.letters)))
        halts = await asyncio.gather(*(line.work(batch) for line in lines))
        halt = batch.halt or next(filter(None, halts), None)
        while batch.letters and halt is not None:
            batch.done(Delivery(batch.letters.popleft().id, halt.trouble, halt.code, halt.text))

    def _lines(self, count: int) -> list["_Line"]:
        new_client = _clients(self._account, self._password)
        return [
            _Line(self._account, new_client, self._timeout, self._limits.per_connection) for _ in range(count)
        ]


@dataclass(slots=True)
class _Batch:
    """Letters that several lines share."""

    letters: deque[Envelope]
    starting: Callable[[int], None]
    done: Callable[[Delivery], None]
    limits: Limits
    halt: Delivery | None = None  # after which no line sends anything
    _pace: AsyncLimiter | None = field(init=False)

    def __post_init__(self) -> None:
        # One letter at a time, never a burst: the next batch knows nothing of this one.
        rate = self.limits.per_minute
        self._pace = AsyncLimiter(1, 60 / rate) if rate else None

    async def next(self) -> Envelope | None:
        """Wait until the account may send again, and take a letter; None where none may go out."""
        if self.letters and self.halt is None and self._pace is not None:
            await self._pace.acquire()
        return self.letters.popleft() if self.letters and self.halt is None else None

    def finish(self, delivery: Delivery) -> None:
        """Tell what became of a letter."""
        if delivery.halts:
            log.error("the account may send nothing for now: %s %s", delivery.code, delivery.text)
            self.halt = delivery
        self.done(delivery)


class _Dropped(Exception):
    """The connection ended before the letter's text was sent, or the server gave it back with 421."""

    def __init__(self, code: int | None, text: str) -> None:
        super().__init__(text)
        self.code = code


class _Line:
    """One connection at a time, and the letters that go over it."""

    def __init__(self, account: Account, new_client: Callable[[], SMTP], timeout: float, most: int) -> None:
        self._account = account
        self._new_client = new_client
        self._timeout = timeout
        self._most = most  # letters over one connection
        self._dialogue: Dialogue | None = None
        self._carried = 0  # letters over this connection
        self._drops = 0

    async def work(self, batch: _Batch) -> Delivery | None:
        """Send letters until none is left, or say why this line cannot."""
        try:
            while (letter := await batch.next()) is not None:
                try:
                    delivery = await self._send(letter, batch.starting)
                except (Unreachable, LoginRefused) as error:
                    batch.letters.appendleft(letter)  # another line may be luckier
                    log.warning("%s", error)
                    return Delivery(letter.id, _why(error), None, str(error))
                batch.finish(delivery)
        finally:
            await self.leave()
        return None

    async def connect(self) -> Dialogue:
        """Connect and log in; raises Unreachable or LoginRefused."""
        client = self._new_client()
        self._carried = 0
        try:
            async with asyncio.timeout(2 * self._timeout):
                await client.connect()
                if client.is_ehlo_or_helo_needed:
                    await client.ehlo()
            # After a drop, one by one: something on the way may lose what comes with another command.
            self._dialogue = dialogue = Dialogue.after(client, together=self._drops == 0)
        except SMTPAuthenticationError as error:
            kind = LoginRefused if error.code >= 500 else Unreachable
            raise kind(f"{self._account} refuses the login: {error.code} {error.message}") from error
        except (SMTPException, OSError) as error:
            client.close()
            raise Unreachable(f"{self._account}: {_words(error)}") from error
        return dialogue

    async def leave(self) -> None:
        """Say goodbye if anybody is there, and close."""
        dialogue, self._dialogue = self._dialogue, None
        if dialogue is None:
            return
        with suppress(Refused, OSError):
            async with asyncio.timeout(self._timeout):
                await dialogue.quit()
        dialogue.close()

    def _drop(self) -> None:
        self._drops += 1
        if self._dialogue is not None:
            self._dialogue.close()
            self._dialogue = None

    async def _ready(self) -> Dialogue:
        if self._drops >= _MOST_DROPS:
            raise Unreachable(f"{self._account} dropped {self._drops} connections")
        if self._carried >= self._most:
            await self.leave()
        return self._dialogue or await self.connect()

    async def _send(self, letter: Envelope, starting: Callable[[int], None]) -> Delivery:
        """Send a letter, over a second connection if the first is dropped."""
        try:
            sender, recipient = wire_address(letter.sender), wire_address(letter.recipient)
        except ValueError as error:
            return Delivery(letter.id, Trouble.ADDRESS, None, str(error))
        try:
            return await self._attempt(letter, sender, recipient, starting)
        except _Dropped:  # servers close idle connections so: no reason to wait
            self._drop()
        try:
            return await self._attempt(letter, sender, recipient, starting)
        except _Dropped as again:
            self._drop()
            return Delivery(letter.id, Trouble.DROPPED, again.code, str(again))

    async def _attempt(
        self, letter: Envelope, sender: str, recipient: str, starting: Callable[[int], None]
    ) -> Delivery:
        dialogue = await self._ready()
        self._carried += 1
        try:
            async with asyncio.timeout(self._timeout):
                await dialogue.envelope(sender, recipient)
        except Refused as refusal:
            return await self._refused(letter, refusal)
        except OSError as error:
            raise _Dropped(None, _words(error)) from error
        except BaseException:
            self._drop()  # the server might take a goodbye for a line of the text
            raise
        try:
            starting(letter.id)
        except BaseException:
            self._drop()  # for the same reason
            raise
        return await self._hand_over(dialogue, letter)

    async def _hand_over(self, dialogue: Dialogue, letter: Envelope) -> Delivery:
        try:
            async with asyncio.timeout(_TEXT_TAKES * self._timeout):
                answer = await dialogue.text(letter.raw)
        except Refused as refusal:
            if _is_refusal(refusal):
                return await self._refused(letter, refusal)
            self._drop()
            return Delivery(letter.id, Trouble.UNKNOWN, refusal.code, refusal.text)
        except OSError as error:
            self._drop()
            return Delivery(letter.id, Trouble.UNKNOWN, None, _words(error))
        return Delivery(letter.id, None, answer.code, answer.message)

    async def _refused(self, letter: Envelope, refusal: Refused) -> Delivery:
        trouble = _meaning(refusal) if _is_refusal(refusal) else Trouble.UNREACHABLE
        if trouble is Trouble.UNREACHABLE:
            raise _Dropped(refusal.code, refusal.text)
        delivery = Delivery(letter.id, trouble, refusal.code, refusal.text)
        log.warning("letter %d is %s: %d %s", letter.id, delivery.status, refusal.code, refusal.text)
        await self._reset()
        return delivery

    async def _reset(self) -> None:
        """Forget the envelope on the server, so that the next letter can follow."""
        if self._dialogue is None:
            return
        try:
            async with asyncio.timeout(self._timeout):
                await self._dialogue.reset()
        except (Refused, OSError):
            self._drop()


@cache
def _own_name() -> str:
    """Return the name of this machine, for which DNS may have to be asked."""
    return getfqdn()


def _clients(account: Account, password: str) -> Callable[[], SMTP]:
    """Return what makes clients; its own name and the certificates that it believes are looked up once."""
    return partial(
        SMTP,
        hostname=account.host,
        port=account.port,
        local_hostname=_own_name(),
        username=account.user,
        password=password if account.user else None,
        use_tls=account.security == "tls",
        start_tls=account.security == "starttls",
        tls_context=None if account.security == "plain" else create_default_context(),
        timeout=None,  # all waits are inside asyncio.timeout
    )


def _is_refusal(answer: Refused) -> bool:
    """Tell a refusal from an answer that makes no sense here, after which the two sides are out of step."""
    return 400 <= answer.code <= 599


def _meaning(refusal: Refused) -> Trouble:
    """Say what a refusal means at its place in the dialogue."""
    trouble = classify(refusal.code, refusal.text)
    if refusal.step == "MAIL" and COURSES[trouble].status == "failed":
        return Trouble.SENDER
    return trouble


def _why(error: Unreachable | LoginRefused) -> Trouble:
    """Say why there is no connection."""
    if isinstance(error, LoginRefused):
        return Trouble.LOGIN
    cause = error.__cause__
    if isinstance(cause, SMTPResponseException) and classify(cause.code, cause.message) is Trouble.RATE:
        return Trouble.RATE
    return Trouble.TLS if _is_about_tls(cause) else Trouble.UNREACHABLE


def _is_about_tls(error: BaseException | None) -> bool:
    """Find trouble of TLS below what the library makes of it."""
    while error is not None:
        if isinstance(error, SSLError) or "STARTTLS" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
