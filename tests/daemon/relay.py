"""A way to a server that can be shut and opened again."""

from __future__ import annotations

import socket
import threading
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import cast


class _Tcp(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    relay: Relay


class _Line(BaseRequestHandler):
    """One connection, copied both ways."""

    def handle(self) -> None:
        relay = cast("_Tcp", self.server).relay
        with socket.create_connection(("127.0.0.1", relay.target)) as far:
            relay.sockets += [self.request, far]
            back = threading.Thread(target=_copy, args=(far, self.request))
            back.start()
            _copy(self.request, far)
            back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        return


class Relay:
    """Listens at one port and hands everything on to another."""

    def __init__(self, target: int) -> None:
        self.target, self.port = target, 0
        self.sockets: list[socket.socket] = []

    def open(self) -> None:
        """Take connections, at the same port as before."""
        self._tcp = _Tcp(("127.0.0.1", self.port), _Line)
        self._tcp.relay = self
        self.port = int(self._tcp.server_address[1])
        self._thread = threading.Thread(target=self._tcp.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def shut(self) -> None:
        """Cut every connection, and take no new one."""
        self._tcp.shutdown()
        self._tcp.server_close()
        self._thread.join()
        for end in self.sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self.sockets.clear()
