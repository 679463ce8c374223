"""A mail server of one's own: IMAP and SMTP on loopback, in memory, for the demo and the tests.

pymap keeps the mailboxes, aiosmtpd takes the letters.  Not for production.
"""

import asyncio
from argparse import Namespace
from collections.abc import Collection
from concurrent.futures import Future
from contextlib import AsyncExitStack, closing
from io import BytesIO
from threading import Thread
from types import TracebackType
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult
from aiosmtpd.smtp import Envelope as SmtpEnvelope
from proxyprotocol.sock import SocketInfo
from proxyprotocol.version import ProxyProtocolVersion
from pymap.backend.dict import Config, Identity, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.concurrent import Event, Subsystem
from pymap.context import connection_exit
from pymap.imap import IMAPConnection
from pymap.imap.state import ConnectionState
from pymap.parsing.message import AppendMessage
from pymap.parsing.response import Response
from pymap.selected import SelectedMailbox
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

_HOST = "127.0.0.1"
_LARGEST = 20 * 1024 * 1024  # bytes a letter
_STARTS_WITHIN = 10  # seconds


class EmbeddedServers:
    """Both servers, running in a thread of their own while the context lasts.

    Every address of *domains* has a mailbox, opened by *password* (ASCII); what is sent
    to ``play+tag@…`` lies in the mailbox of ``play@…``.
    """

    imap_port: int
    smtp_port: int

    def __init__(self, domains: Collection[str], password: str) -> None:
        self.counts = {"accepted": 0, "refused": 0}  # recipients
        self._mailboxes = _Mailboxes(frozenset(domains), password)
        self._sessions = set[asyncio.Task[None]]()

    def __enter__(self) -> Self:
        started = Future[None]()
        self._thread = Thread(
            target=lambda: asyncio.run(self._run(started)), name="embedded mail", daemon=True
        )
        self._thread.start()
        started.result(_STARTS_WITHIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _run(self, started: Future[None]) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            imap = await asyncio.start_server(self._accept_imap, _HOST, 0)
            smtp = await self._loop.create_server(self._smtp_protocol, _HOST, 0)
        except OSError as error:
            started.set_exception(error)
            return
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]
        started.set_result(None)
        await self._stop.wait()
        imap.close()
        smtp.close()
        sessions = asyncio.all_tasks() - {asyncio.current_task()}
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)

    def _accept_imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = asyncio.create_task(self._serve_imap(reader, writer))
        # asyncio itself holds a waiting task weakly: on 3.13 some were collected.
        self._sessions.add(session)
        session.add_done_callback(self._sessions.discard)

    async def _serve_imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        config = self._mailboxes.config
        connection = _WholeLines(config.commands, config, reader, writer, SocketInfo.get(writer, None))
        async with AsyncExitStack() as stack:
            connection_exit.set(stack)
            stack.enter_context(closing(connection))
            await connection.run(ConnectionState(self._mailboxes, config))

    def _smtp_protocol(self) -> SMTP:
        return SMTP(
            self,
            hostname="localhost",
            enable_SMTPUTF8=True,
            data_size_limit=_LARGEST,
            authenticator=self._authenticate,
            auth_require_tls=False,
            loop=self._loop,
        )

    def _authenticate(
        self, server: SMTP, session: object, envelope: object, mechanism: str, credentials: Any
    ) -> AuthResult:
        return AuthResult(success=credentials.password == self._mailboxes.password.encode(), handled=False)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: object, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """Take letters for the own domains alone (hook of aiosmtpd)."""
        if not self._mailboxes.serves(address):
            self.counts["refused"] += 1
            return "550 5.1.2 No such domain here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: object, envelope: SmtpEnvelope) -> str:  # noqa: N802
        """Put a copy into the mailbox of each recipient (hook of aiosmtpd)."""
        for recipient in envelope.rcpt_tos:
            await self._mailboxes.put(recipient, envelope.mail_from or "", envelope.original_content or b"")
            self.counts["accepted"] += 1
        return "250 2.0.0 OK"


class _Mailboxes(Login):
    """Mailboxes that are there as soon as somebody asks for them."""

    def __init__(self, domains: frozenset[str], password: str) -> None:
        super().__init__(_config())
        self.password = password
        self._domains = domains

    def serves(self, address: str) -> bool:
        return address.rpartition("@")[2].lower() in self._domains

    async def put(self, recipient: str, sender: str, letter: bytes) -> None:
        owner = _base(recipient)
        self._open(owner)
        trace = f"Return-Path: <{sender}>\r\nX-Original-To: {recipient}\r\nDelivered-To: {owner}\r\n"
        async with Identity(owner, self, None, frozenset()).new_session() as session:
            await session.append_messages("INBOX", [AppendMessage(trace.encode() + letter)])

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        if self.serves(credentials.authcid):
            self._open(credentials.authcid)
        return await super().authenticate(credentials)

    def _open(self, owner: str) -> None:
        if owner not in self.users_dict:
            self.users_dict[owner] = UserMetadata(self.config, owner, password=self.password)
            self.config.set_cache[owner] = (_Folders(), FilterSet())


class _Folders(MailboxSet):
    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


class _Inbox(MailboxData):
    """pymap waits for the next change, and does not tell one that came just before."""

    async def update_selected(
        self, selected: SelectedMailbox, *, wait_on: Event | None = None
    ) -> SelectedMailbox:
        untold = selected.mod_sequence != self._mod_sequences.highest
        return await super().update_selected(selected, wait_on=None if untold else wait_on)


def _config() -> Config:
    return Config(
        Namespace(),
        host=_HOST,
        port=0,
        demo_data=False,
        demo_user="",
        demo_password="",
        tls_enabled=False,
        hash_context=Cleartext(),  # the usual slow hash is for passwords that are secrets
        cpu_subsystem=Subsystem.for_asyncio(),
        invalid_user_sleep=0.0,
        proxy_protocol=ProxyProtocolVersion.get(),
    )


def _base(address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


class _WholeLines(IMAPConnection):
    """pymap writes a line in pieces; a client that idles may find half of it and give up."""

    async def write_response(self, resp: Response) -> None:
        whole = BytesIO()
        await resp.async_write(whole)  # pyright: ignore[reportArgumentType]
        try:
            self.writer.write(whole.getvalue())
            await self.writer.drain()
        except ConnectionError:
            return
