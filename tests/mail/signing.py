"""Letters that are signed, and a DNS of one key over loopback that knows whose signature it is."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

import dkim
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

_library: Any = cast("Any", dkim)

SELECTOR = "s1"
SIGNED = ("from", "to", "subject", "message-id", "date")


class Signer:
    """A domain that signs what its people send."""

    def __init__(self, domain: str) -> None:
        self.domain = domain

    @property
    def records(self) -> dict[str, bytes]:
        """What its DNS answers."""
        public = base64.b64encode(_openssl("rsa", "-pubout", "-outform", "DER", given=_key(self.domain)))
        return {f"{SELECTOR}._domainkey.{self.domain}.": b"v=DKIM1; k=rsa; p=" + public}

    def sign(self, raw: bytes, headers: tuple[str, ...] = SIGNED, *, length: bool = False) -> bytes:
        """Put a signature over so many headers, and over the body, on top of a letter."""
        present = [name.encode() for name in headers if f"\n{name}:".encode() in b"\n" + raw.lower()]
        signature = _library.sign(
            raw,
            SELECTOR.encode(),
            self.domain.encode(),
            _key(self.domain),
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=present,
            length=length,
        )
        return cast("bytes", signature) + raw


@cache
def _key(domain: str) -> bytes:
    """Make a key for a domain.

    Skips the test where that cannot be done, but never when CI is set.
    """
    if shutil.which("openssl") is None and "CI" not in os.environ:
        pytest.skip("the openssl command makes the keys, and it is not here")
    return _openssl("genrsa", "-traditional", "2048")


def _openssl(*words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *words], input=given, check=True, capture_output=True).stdout


@contextmanager
def name_server(records: Mapping[str, bytes]) -> Generator[list[str]]:
    """Answer for TXT records over UDP, and let this process ask nobody else; yields the names asked for."""
    asked: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_answer, args=(server, records, asked), daemon=True)
        thread.start()
        before = dns.resolver.default_resolver
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.getsockname()[1]
        dns.resolver.default_resolver = resolver
        try:
            yield asked
        finally:
            dns.resolver.default_resolver = before
            server.sendto(b"", server.getsockname())
            thread.join()


def _answer(server: socket.socket, records: Mapping[str, bytes], asked: list[str]) -> None:
    while True:
        question, sender = server.recvfrom(4096)
        if not question:
            return
        query = dns.message.from_wire(question)
        name = query.question[0].name.to_text()
        asked.append(name)
        reply = dns.message.make_response(query)
        if name in records:
            text = records[name].decode()
            strings = " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))
            reply.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", strings))
        else:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        server.sendto(reply.to_wire(), sender)
