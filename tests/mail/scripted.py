"""Mail servers that do as they are told, over real TCP: what good servers never do on demand."""

import ssl
from base64 import b64decode
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from types import TracebackType
from typing import Self, cast


class Act(Enum):
    """What a server can do instead of answering."""

    HANG_UP = "close the connection"
    SILENCE = "answer nothing until the test is over"


class Half(str):
    """Half an answer, up to the middle of a line; then the server hangs up."""

    __slots__ = ()


class Late(str):
    """An answer that goes out together with the next one."""

    __slots__ = ()


class Slow(str):
    """An answer that comes byte by byte."""

    __slots__ = ()


class _Over(Exception):
    """The server ends the connection."""


class _Server:
    """A TCP server in a thread; keeps what clients said."""

    forgetful = False  # loses what comes together with a line

    def __init__(self, certificate: Path | None = None, tls_at_once: bool = False) -> None:
        self.commands: list[str] = []
        self.connections = 0
        self.over = Event()
        self.tls_at_once = tls_at_once
        self.tls: ssl.SSLContext | None = None
        if certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(certificate)

    def __enter__(self) -> Self:
        self._tcp = _TcpServer(("127.0.0.1", 0), _Handler)
        self._tcp.script = self
        self.port = int(self._tcp.server_address[1])
        self._thread = Thread(target=self._tcp.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.over.set()
        self._tcp.shutdown()
        self._tcp.server_close()
        self._thread.join()

    def serve(self, client: "_Handler") -> None:
        raise NotImplementedError


class _Handler(StreamRequestHandler):
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.script = cast("_TcpServer", self.server).script
        self.held = b""

    def handle(self) -> None:
        self.script.connections += 1
        try:
            if self.script.tls_at_once:
                self.upgrade()
            self.script.serve(self)
        except (_Over, OSError):
            return

    def finish(self) -> None:
        """Close even what a client no longer reads."""
        try:
            super().finish()
        except OSError:
            return
        finally:
            self.request.close()

    def upgrade(self) -> None:
        assert self.script.tls is not None
        self.rfile.close()
        self.request = self.connection = self.script.tls.wrap_socket(self.request, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)

    def line(self) -> str:
        line = self.rfile.readline()
        if not line:
            raise _Over
        if self.script.forgetful:
            self.rfile = self.connection.makefile("rb")
        return line.decode().rstrip("\r\n")

    def say(self, answer: str | Act) -> None:
        if answer is Act.SILENCE:
            self.script.over.wait()
        if isinstance(answer, Act):
            raise _Over
        self.held += answer.encode() + (b"" if isinstance(answer, Half) else b"\r\n")
        if isinstance(answer, Late):
            return
        size = 1 if isinstance(answer, Slow) else len(self.held)
        for start in range(0, len(self.held), size):
            self.wfile.write(self.held[start : start + size])
        self.held = b""
        if isinstance(answer, Half):
            self.script.over.wait(0.05)  # the client has begun to read
            raise _Over


class _TcpServer(ThreadingTCPServer):
    daemon_threads = True
    script: _Server


_SMTP = {
    "greeting": "220 localhost",
    "ehlo": "250 localhost",
    "auth": "235 2.7.0 Welcome",
    "starttls": "220 2.0.0 Go ahead",
    "mail": "250 2.1.0 OK",
    "rcpt": "250 2.1.5 OK",
    "data": "354 Go ahead",
    "text": "250 2.0.0 Queued",
    "rset": "250 2.0.0 OK",
    "quit": "221 2.0.0 Bye",
}


_AFTER = {"rcpt": "mail", "data": "rcpt"}


class ScriptedSmtp(_Server):
    """Answers each phase with the next line of its script, and well when the script has run out.

    Well means also: no recipient without a sender, and no text without a recipient.
    """

    def __init__(
        self,
        script: Mapping[str, Iterable[str | Act]] | None = None,
        certificate: Path | None = None,
        tls_at_once: bool = False,
    ) -> None:
        super().__init__(certificate, tls_at_once)
        self.letters: list[bytes] = []
        self.texts: list[bytes] = []  # of all letters, taken or not
        self.unended: list[bytes] = []  # texts in the middle of which the client went away
        self._script = {phase: iter(answers) for phase, answers in (script or {}).items()}

    def _answer(self, phase: str, well: str = "") -> str | Act:
        return next(self._script.get(phase, iter(())), well or _SMTP[phase])

    def serve(self, client: _Handler) -> None:
        client.say(self._answer("greeting"))
        agreed = set[str]()
        while True:
            command = client.line()
            self.commands.append(command)
            phase = command.split()[0].lower()
            in_turn = phase not in _AFTER or _AFTER[phase] in agreed
            answer = self._answer(phase, "" if in_turn else "503 5.5.1 Out of turn")
            client.say(answer)
            if phase in {"data", "rset"}:
                agreed.clear()
            if isinstance(answer, str) and answer.startswith("2"):
                agreed.add(phase)
            if phase == "starttls":
                client.upgrade()
            if phase == "data" and isinstance(answer, str) and answer.startswith("354"):
                self._read_letter(client)
            if phase == "quit":
                return

    def _read_letter(self, client: _Handler) -> None:
        letter = b""
        while (line := client.rfile.readline()) != b".\r\n":
            if not line:
                self.unended.append(letter)
                raise _Over
            letter += line
        self.texts.append(letter)
        answer = self._answer("text")
        if isinstance(answer, str) and answer.startswith("2"):
            self.letters.append(letter)
        client.say(answer)


class ForgetfulSmtp(ScriptedSmtp):
    """Offers what it cannot do: of commands that come together it hears the first."""

    forgetful = True


_IMAP = {
    "GREETING": "* OK ready",
    "LIST": '* LIST () "/" there',
    "SELECT": "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 2] next",
}


class ScriptedImap(_Server):
    """Answers a command with what its script says before the closing OK, or with an act.

    A command is named by its words up to the first argument ("UID SEARCH"), or
    with all of them ("UID FETCH 1 (BODY.PEEK[])").  A text that starts with NO
    or BAD is the closing answer itself; one for IDLE comes a moment after its
    ``+``, or with it if that is written.
    """

    def __init__(
        self,
        script: Mapping[str, str | Act] | None = None,
        capabilities: str = "IDLE MOVE UIDPLUS",
        certificate: Path | None = None,
        tls_at_once: bool = False,
    ) -> None:
        super().__init__(certificate, tls_at_once)
        self._script = {**_IMAP, "CAPABILITY": f"* CAPABILITY IMAP4rev1 {capabilities}", **(script or {})}

    def say(self, command: str, answer: str | Act) -> None:
        """Change the script."""
        self._script[command] = answer

    def serve(self, client: _Handler) -> None:
        client.say(self._script["GREETING"])
        while True:
            tag, _, command = client.line().partition(" ")
            self.commands.append(command)
            self._obey(client, tag, command)
            if command == "STARTTLS":
                client.upgrade()
            if command == "LOGOUT":
                return

    def _obey(self, client: _Handler, tag: str, command: str) -> None:
        words = command.split()
        name = " ".join(words[: 2 if words[0] == "UID" else 1])
        answer = self._script.get(command, self._script.get(name, ""))
        if name == "AUTHENTICATE":
            client.say("+ ")
            self.commands.append(b64decode(client.line()).decode())
        if name == "IDLE":
            self._idle(client, answer)
        elif isinstance(answer, Act) or answer:
            if isinstance(answer, str) and answer.startswith(("NO", "BAD")):
                client.say(f"{tag} {answer}")
                return
            client.say(answer)
        client.say(f"{tag} OK done")

    def _idle(self, client: _Handler, answer: str | Act) -> None:
        if isinstance(answer, Act) or not answer.startswith("+"):
            client.say("+ idling")
            self.over.wait(0.05)
        if answer:
            client.say(answer)
        assert client.line() == "DONE"
