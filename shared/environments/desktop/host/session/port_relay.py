"""Connections from outside to a port of the session, such as the one where a browser can be controlled."""

from __future__ import annotations

import selectors
import socket

PART = 1 << 16


def relay(outside: socket.socket, port: int) -> None:
    """
    Passes on what either side sends, until one of them has ended.

    :raises OSError: where nothing listens at the port
    """
    with socket.create_connection(("127.0.0.1", port), timeout=5) as inside:
        inside.settimeout(None)
        outside.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
        with selectors.DefaultSelector() as selector:
            selector.register(outside, selectors.EVENT_READ, inside)
            selector.register(inside, selectors.EVENT_READ, outside)
            while True:
                for key, _ in selector.select():
                    assert isinstance(key.fileobj, socket.socket)
                    part = key.fileobj.recv(PART)
                    if not part:
                        return
                    key.data.sendall(part)
