"""Serves code of this process to a service on this machine.

The process listens on 127.0.0.1 and writes the port and a secret token into the data folder of the service. So only a service
on this machine, whose folder this process may write, plays its code.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import socketserver
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

turns = threading.Lock()
"""Held by the thread that runs code of the user: one call at a time, so that a breakpoint stops all of them."""


class Bridge(ABC):
    """A server for the connections of the service's workers, each in a thread of its own."""

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(32)
        self._server = _Server(("127.0.0.1", 0), self._admit)
        threading.Thread(target=self._server.serve_forever, name="espalier-in-process", daemon=True).start()

    def offer(self, path: Path, **described: Any) -> None:
        """Writes the file by which the workers find this process."""
        _, port = self._server.server_address[:2]
        _write(path, {"id": path.stem, "caller": _caller(), "port": port, "token": self._token, **described})

    @abstractmethod
    def serve(self, reader: Any, writer: Any) -> None:
        """Answers the lines of one connection until it ends."""

    def _admit(self, reader: Any, writer: Any) -> None:
        try:
            token = json.loads(reader.readline(1000))["token"]
        except (ValueError, KeyError, TypeError):
            return
        if isinstance(token, str) and hmac.compare_digest(token.encode(), self._token.encode()):
            writer.write(b'{"id": 0}\n')
            self.serve(reader, writer)


class Lines:
    """The questions of a connection. The answers to those that came together leave together, unless they take longer."""

    _longest = 0.002
    """Seconds that an answer waits for the next."""

    def __init__(self, reader: Any, writer: Any):
        self._reader, self._writer = reader, writer
        self._answers: list[bytes] = []
        self._since = 0.0

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self._reader.read1(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            self._since = time.monotonic()
            yield from lines
            self._send()

    def answer(self, line: bytes) -> None:
        self._answers.append(line)
        if time.monotonic() - self._since > self._longest:
            self._send()

    def _send(self) -> None:
        self._since = time.monotonic()
        self._writer.write(b"".join(self._answers))
        self._answers.clear()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], serve: Any):
        class Handler(socketserver.StreamRequestHandler):
            disable_nagle_algorithm = True

            def handle(self) -> None:
                try:
                    serve(self.rfile, self.wfile)
                except (ConnectionError, SystemExit):
                    # The worker has ended, or its episode.
                    return

        super().__init__(address, Handler)


def _caller() -> str:
    name = Path(sys.argv[0]).name or "an interactive Python"
    return re.sub(r"[^\w .-]", "_", "a notebook" if "ipykernel" in name else name)[:200]


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text("")
    partial.chmod(0o600)
    partial.write_text(json.dumps(value))
    partial.replace(path)
