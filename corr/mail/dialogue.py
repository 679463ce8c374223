"""What is said on an SMTP connection that stands: the envelope of a letter, its text, and the answers.

aiosmtplib connects, secures the connection and logs in.  But it waits for each answer and
loses those that come together, so the letters are given here: all commands before a text in
one go where the server takes that (PIPELINING, RFC 2920), and one by one elsewhere.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Self, cast

from aiosmtplib import SMTP, SMTPResponse

_LINES = re.compile(rb"(?:\d{3}-.*\n)*(?!\d{3}-).*\n")  # of one answer: all but the last go on
_MOST = 32_768  # bytes unread: no server fills the memory with an answer that does not end
_NONSENSE = -1  # code of an answer without a code
_GOODBYE = 421  # at any place: the server closes the connection (RFC 5321, 3.8)
_TEXT_MAY_FLOW = 354
_CONSENT: Mapping[str, tuple[int, ...]] = {
    "MAIL": (250,),
    "RCPT": (250, 251),
    "DATA": (_TEXT_MAY_FLOW,),
    "text": (250,),
    "RSET": (250,),
    "QUIT": (221,),
}


class Refused(Exception):
    """The server does not agree, or talks nonsense, which has the code -1."""

    def __init__(self, step: str, answer: SMTPResponse) -> None:
        super().__init__(answer.message)
        self.step = step  # a command, or "text"
        self.code, self.text = answer


class Dialogue(asyncio.Protocol):
    """One connection, from the login to the goodbye; for one task.

    Everything that waits raises Refused, and ConnectionError where the connection has ended.
    None of it has a time-out: after one, only close() is of use.
    """

    def __init__(self, transport: asyncio.Transport, pipelining: bool) -> None:
        self._transport = transport
        self._pipelining = pipelining
        self._heard = b""  # and not yet read as answers
        self._over = False
        self._news = asyncio.Event()

    @classmethod
    def after(cls, client: SMTP, *, together: bool) -> Self:
        """Take over the connection of a client, which is of no use any more.

        Commands are given *together* only if the server takes that too.
        """
        if client.transport is None:
            raise ConnectionError("Connection lost")
        transport = cast("asyncio.Transport", client.transport)
        dialogue = cls(transport, together and client.supports_extension("pipelining"))
        transport.set_protocol(dialogue)
        return dialogue

    def data_received(self, data: bytes) -> None:
        """Keep what the server says until somebody asks for it."""
        self._heard += data
        if len(self._heard) > _MOST:
            self._heard = b""
            self._transport.abort()
        self._news.set()

    def eof_received(self) -> None:
        """Expect nothing more; the connection is closed on this side too."""
        self.connection_lost(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._over = True
        self._news.set()

    async def envelope(self, sender: str, recipient: str) -> None:
        """Say from whom and to whom a letter goes: then the server waits for its text.

        The addresses are as SMTP carries them.  What is raised leaves no text to wait for.
        """
        commands = (f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>", "DATA")
        for group in [commands] if self._pipelining else [(command,) for command in commands]:
            await self._give(*group)

    async def text(self, raw: bytes) -> SMTPResponse:
        """Give the text after an envelope; returns the answer by which the server answers for the letter."""
        self._say(on_the_wire(raw))
        answer = await self._answer()
        if answer.code not in _CONSENT["text"]:
            raise Refused("text", answer)
        return answer

    async def reset(self) -> None:
        """Let the server forget an envelope, so that the next can follow."""
        await self._give("RSET")

    async def quit(self) -> None:
        """Say goodbye; the connection must still be closed."""
        await self._give("QUIT")

    def close(self) -> None:
        """End the connection where it is."""
        self._transport.close()

    async def _give(self, *commands: str) -> None:
        """Give commands in one go, read all answers, and raise the first that is no consent."""
        self._say("".join(f"{command}\r\n" for command in commands).encode("ascii"))
        answers = await self._answers(len(commands))
        for command, answer in zip(commands, answers, strict=False):
            if answer.code not in _CONSENT[command[:4]]:
                await self._give_no_text(answers)
                raise Refused(command[:4], answer)
        if len(answers) < len(commands):
            raise ConnectionError("Connection lost")

    async def _give_no_text(self, answers: Sequence[SMTPResponse]) -> None:
        """End the text of a refused envelope, if the server waits for one all the same."""
        if len(answers) < 3 or answers[2].code != _TEXT_MAY_FLOW:
            return
        _, recipient, _ = answers
        if 400 <= recipient.code <= 599:
            self._say(b".\r\n")  # RFC 2920, 3.1
            await self._answers(1)
        else:
            self.close()  # somebody might get an empty letter

    async def _answers(self, count: int) -> list[SMTPResponse]:
        """Read as many answers, or fewer where the connection ends: a refusal before that counts."""
        answers: list[SMTPResponse] = []
        with suppress(ConnectionError):
            while len(answers) < count:
                answers.append(await self._answer())
        return answers

    async def _answer(self) -> SMTPResponse:
        while not (lines := _LINES.match(self._heard)):
            if self._over:
                raise ConnectionError("Connection lost")
            self._news.clear()
            await self._news.wait()
        self._heard = self._heard[lines.end() :]
        answer = _read(lines[0])
        if answer.code == _GOODBYE:
            self.close()
        return answer

    def _say(self, said: bytes) -> None:
        self._heard = b""  # what came unasked answers nothing
        self._transport.write(said)


def on_the_wire(text: bytes) -> bytes:
    """Return a letter as DATA takes it: CRLF, full stops at the head of lines doubled, one as the end."""
    lines = b"\r\n".join([b"", *text.splitlines(), b""])
    return lines.replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n"


def _read(lines: bytes) -> SMTPResponse:
    said = lines[:-1].split(b"\n")
    last = said[-1]
    try:
        code = int(last[:3])
    except ValueError:
        return SMTPResponse(
            _NONSENSE, f"Malformed SMTP response line: {last.decode(errors='ignore').strip()}"
        )
    text = b"\n".join(line[4:].strip(b" \t\r\n") for line in said).lstrip(b"\n")
    return SMTPResponse(code, text.decode("utf-8", "surrogateescape"))
