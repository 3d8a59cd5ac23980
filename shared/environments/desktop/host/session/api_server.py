"""A small HTTP server over a Unix socket: routes, forms, and answers of bounded size."""

from __future__ import annotations

import json
import os
import socketserver
import stat
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qs, urlsplit

from form_parts import read_multipart
from port_relay import relay

PORT_PATH = "/espalier/port/"
"""With the number of a port it makes a connection to the one that listens there."""

REQUEST_BYTES = 16 << 20
"""Of bodies that are held in memory; uploads go to files and may be larger."""


@dataclass
class Request:
    query: dict[str, str]
    content_type: str
    length: int
    body: Limited

    def json(self) -> dict[str, Any]:
        """
        :raises ApiError: where the body is no JSON object
        """
        try:
            value = json.loads(self._read() or b"{}")
        except ValueError as wrong:
            raise ApiError(400, f"The body is no JSON: {wrong}") from wrong
        if not isinstance(value, dict):
            raise ApiError(400, "The body is no JSON object.")
        return value

    def form(self) -> dict[str, str]:
        """The fields of a form without files."""
        if self.content_type.startswith("multipart/form-data"):
            return self.multipart(None)
        text = self._read().decode("utf-8", "replace")
        return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}

    def multipart(self, file: IO[bytes] | None) -> dict[str, str]:
        """The fields of a form, of which the one with a file is written into `file`."""
        try:
            return read_multipart(self.body, self.length, self.content_type, file)
        except ValueError as wrong:
            raise ApiError(400, str(wrong)) from wrong

    def _read(self) -> bytes:
        if self.length > REQUEST_BYTES:
            raise ApiError(413, f"The body has more than {REQUEST_BYTES} bytes.")
        return self.body.read(self.length)


@dataclass
class Answer:
    """What a route answers: bytes with their type, or a file that is open, which is closed once it is sent."""

    body: bytes | IO[bytes]
    content_type: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class ApiError(Exception):
    """An answer other than 200, in the shape of its route."""

    def __init__(self, status: int, value: str | dict[str, Any]) -> None:
        super().__init__(str(value))
        self.status = status
        self.value = value


Route = Callable[[Request], Answer]


def json_answer(value: Any, status: int = 200) -> Answer:
    return Answer(json.dumps(value).encode(), "application/json", status)


def file_answer(path: Path, content_type: str, headers: dict[str, str] | None = None) -> Answer:
    """
    :raises ApiError: where it cannot be read, as where there is none
    """
    try:
        # A pipe would be waited for, and a device would never end.
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
    except (OSError, ValueError) as error:
        raise ApiError(404, {"error": f"File not found: {error}"}) from error
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ApiError(404, {"error": "File not found"})
    return Answer(file, content_type, headers=headers or {})


def text_answer(text: str, status: int = 200) -> Answer:
    return Answer(text.encode(), "text/html; charset=utf-8", status)


class ApiServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """One thread for each connection."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path: Path, routes: dict[tuple[str, str], Route]) -> None:
        self.routes = routes
        super().__init__(str(path), _Handler)
        os.chmod(path, 0o600)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ApiServer

    def do_GET(self) -> None:
        port = self.path.removeprefix(PORT_PATH)
        if port == self.path or not port.isdigit():
            self._answer("GET")
            return
        # It is no HTTP any more.
        self.close_connection = True
        try:
            relay(self.connection, int(port))
        except OSError as error:
            self._send(text_answer(f"Nothing answers at port {port}: {error}", 502))

    def do_POST(self) -> None:
        self._answer("POST")

    def address_string(self) -> str:
        return "unix"

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not written down; errors are, with their traces."""

    def _answer(self, method: str) -> None:
        with tempfile.SpooledTemporaryFile(max_size=REQUEST_BYTES) as chunks:
            try:
                answer = self._call(method, chunks)
            except ApiError as wrong:
                value, status = wrong.value, wrong.status
                answer = text_answer(value, status) if isinstance(value, str) else json_answer(value, status)
            except Exception as wrong:
                traceback.print_exc()
                answer = json_answer({"status": "error", "message": f"{type(wrong).__name__}: {wrong}"}, 500)
        try:
            self._send(answer)
        except (BrokenPipeError, ConnectionResetError):
            # Who asked did not wait.
            self.close_connection = True

    def _call(self, method: str, chunks: IO[bytes]) -> Answer:
        place = urlsplit(self.path)
        route = self.server.routes.get((method, place.path))
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            length = self._read_chunks(chunks)
            body: IO[bytes] = chunks
            chunks.seek(0)
        else:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile  # type: ignore[assignment]
        limited = Limited(body, length)
        # What is left of a body would be read as the next request.
        try:
            if route is None:
                raise ApiError(404, f"There is no {method} {place.path}.")
            query = {name: values[0] for name, values in parse_qs(place.query).items()}
            return route(Request(query, self.headers.get("Content-Type", ""), length, limited))
        finally:
            if limited.left > REQUEST_BYTES:
                self.close_connection = True
            else:
                limited.read()

    def _read_chunks(self, chunks: IO[bytes]) -> int:
        total = 0
        while True:
            size = int(self.rfile.readline(64).split(b";")[0], 16)
            if size == 0:
                while self.rfile.readline(1024).strip():
                    pass
                return total
            left = size
            while left:
                part = self.rfile.read(min(left, 1 << 16))
                if not part:
                    raise ApiError(400, "The body ends before its end.")
                chunks.write(part)
                left -= len(part)
            total += size
            self.rfile.readline(8)

    def _send(self, answer: Answer) -> None:
        if isinstance(answer.body, bytes):
            self._send_head(answer, len(answer.body))
            self.wfile.write(answer.body)
            return
        with answer.body as file:
            left = os.fstat(file.fileno()).st_size
            self._send_head(answer, left)
            # It may grow or shrink meanwhile: no more than was announced, and no wait for what does not come.
            while left > 0:
                part = file.read(min(left, 1 << 16))
                if not part:
                    self.close_connection = True
                    return
                self.wfile.write(part)
                left -= len(part)

    def _send_head(self, answer: Answer, size: int) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(size))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()


class Limited:
    """A stream that ends where the body does."""

    def __init__(self, stream: IO[bytes], left: int) -> None:
        self._stream = stream
        self.left = left

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(part)
        return part

    def readline(self, size: int = 1 << 16) -> bytes:
        part = self._stream.readline(min(size, self.left))
        self.left -= len(part)
        return part
