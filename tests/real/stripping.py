"""A man in the middle who would have two programs talk without TLS."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer

Tamper = Callable[[bytes], bytes]


@dataclass
class Middle:
    """Where he listens, and what he heard from the client."""

    port: int
    heard: bytearray = field(default_factory=bytearray)


def unoffered(said: bytes) -> bytes:
    """Hide that the server can do TLS."""
    return said.replace(b"STARTTLS", b"XXXXXXXX")


def declined(said: bytes) -> bytes:
    """Let the server offer TLS, and seem to decline it when it is asked for."""
    smtp = said.replace(b"220 2.0.0 Ready to start TLS", b"454 4.7.0 TLS not available at present")
    return smtp.replace(b" OK Begin TLS negotiation now.", b" NO TLS is not available now.")


@contextmanager
def man_in_the_middle(target: int, tamper: Tamper) -> Generator[Middle]:
    """Stand between clients and a server on loopback, and change what the server says."""

    class Line(BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", target)) as server:
                back = threading.Thread(target=_copy, args=(server, self.request, tamper))
                back.start()
                _copy(self.request, server, listen)
                back.join()

    def listen(said: bytes) -> bytes:
        middle.heard.extend(said)
        return said

    with ThreadingTCPServer(("127.0.0.1", 0), Line) as tcp:
        middle = Middle(tcp.server_address[1])
        thread = threading.Thread(target=tcp.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield middle
        finally:
            tcp.shutdown()
            thread.join()


def _copy(source: socket.socket, sink: socket.socket, tamper: Tamper) -> None:
    try:
        while data := source.recv(65_536):
            sink.sendall(tamper(data))
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        return
