"""Batches of letters for SMTP servers, and what became of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat

from corr.mail.account import Account, Security
from corr.mail.presets import Limits
from corr.mail.smtp import Delivery, Envelope, SmtpPostman
from tests.mail.scripted import Act, ScriptedSmtp

RAW = b"Subject: your move\r\n\r\nA line.\r\n.a line with a dot\r\n"
ALONE = Limits(connections=1)  # letters go in their order
PATIENT = 10.0  # seconds
PIPELINING = "250-localhost\r\n250 PIPELINING"
HASTY = 0.2  # seconds, where a server is silent; a text takes up to ten of it


def letters(count: int) -> list[Envelope]:
    return [Envelope(n, f"bounce+{n}@game.test", f"p{n}@players.test", RAW) for n in range(count)]


def account(port: int, user: str | None = None, security: Security = "plain") -> Account:
    host = "127.0.0.1" if security == "plain" else "localhost"
    return Account("smtp", host, port, user, "", security)


@dataclass
class Run:
    """One batch, and what the callbacks heard."""

    started: list[int] = field(default_factory=list[int])
    done: list[Delivery] = field(default_factory=list[Delivery])

    def deliver(self, postman: SmtpPostman, batch: Iterable[Envelope]) -> None:
        postman.deliver(list(batch), self.started.append, self.done.append)

    def statuses(self) -> dict[int, str]:
        return {delivery.id: delivery.status for delivery in self.done}


def run(
    script: Mapping[str, Iterable[str | Act]],
    count: int = 1,
    timeout: float = PATIENT,
    pipelining: bool = False,
) -> tuple[Run, ScriptedSmtp]:
    """Give letters to a server that does as its script says; one connection at a time carries them."""
    offer = {"ehlo": repeat(PIPELINING)} if pipelining else {}
    with ScriptedSmtp({**offer, **script}) as server:
        batch = Run()
        batch.deliver(SmtpPostman(account(server.port), timeout=timeout, limits=ALONE), letters(count))
    return batch, server
