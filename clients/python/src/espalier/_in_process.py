"""Environments that a service plays in this process: ``breakpoint()``, prints and tracebacks work, and edits need no restart.

The process listens on 127.0.0.1 and writes the port and a secret token into the data folder of the service. So only a service
on this machine, whose folder this process may write, plays its code.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import json
import os
import re
import secrets
import socketserver
import sys
import threading
from pathlib import Path
from typing import Any

from ._service_address import USUAL_FOLDER, read_service_file
from .environments.environment import Environment
from .environments.serve import Sessions
from .errors import EspalierError


class NotLocalError(EspalierError):
    """The service does not run on this machine, or its folder is not known."""


def play_here(environment: str | type[Environment], address: str, folder: str | None) -> str:
    """The id by which a service knows an environment: a class is played in this process from now on.

    :raises NotLocalError: where the service is not of this machine
    """
    if isinstance(environment, str):
        return environment
    place = _folder_of(address, folder)
    facts = environment.facts()
    name = f"{facts['environment'][:40]}-in-process-{_version_of(environment, facts)}"
    key = (str(place), name)
    with _lock:
        bridge = _bridges.get(key)
        if bridge is None:
            bridge = _bridges[key] = _Bridge()
        # A cell that is executed again makes another class of the same source.
        bridge.environment = environment
        # Another process may have written its own meanwhile.
        _write(place / "in-process" / f"{name}.json", bridge.describe(name, facts))
    return name


_bridges: dict[tuple[str, str], _Bridge] = {}
_lock = threading.Lock()


class _Bridge:
    """Serves one class to the service's workers, each over a connection of its own. Calls of the class follow each other."""

    environment: type[Environment]

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(32)
        self._turns = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._serve)
        threading.Thread(target=self._server.serve_forever, name="espalier-in-process", daemon=True).start()

    def describe(self, name: str, facts: dict[str, Any]) -> dict[str, Any]:
        _, port = self._server.server_address[:2]
        return {"id": name, "caller": _caller(), "port": port, "token": self._token, "facts": facts}

    def _serve(self, reader: Any, writer: Any) -> None:
        if not self._is_admitted(reader.readline(1000)):
            return
        played = self.environment
        newest = Sessions(played)
        owners: dict[str, Sessions] = {}
        _send(writer, {"id": 0})
        for line in reader:
            request = json.loads(line)
            session = request.get("session", "")
            if request["op"] == "reset":
                if played is not self.environment:
                    played, newest = self.environment, Sessions(self.environment)
                owners[session] = newest
            with self._turns:
                answer = owners.get(session, newest).answer(request)
            if request["op"] == "close":
                owners.pop(session, None)
            _send(writer, {"id": request["id"], **answer})

    def _is_admitted(self, greeting: bytes) -> bool:
        try:
            token = json.loads(greeting)["token"]
        except (ValueError, KeyError, TypeError):
            return False
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self._token.encode())


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], serve: Any):
        class Handler(socketserver.StreamRequestHandler):
            disable_nagle_algorithm = True

            def handle(self) -> None:
                try:
                    serve(self.rfile, self.wfile)
                except ConnectionError:
                    # The worker has ended.
                    return

        super().__init__(address, Handler)


def _send(writer: Any, answer: dict[str, Any]) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")


def _folder_of(address: str, folder: str | None) -> Path:
    place = Path(folder or USUAL_FOLDER).resolve()
    found = read_service_file(place, None)
    if found is not None and found[0].rstrip("/") == address.rstrip("/"):
        return place
    raise NotLocalError(
        f"The service at {address} does not hold the folder {place}, so it cannot play code of this process. "
        "Use a service of this machine by its folder, Client(folder=…), or put the class into a file: environment='./env.py'."
    )


def _version_of(environment: type[Environment], facts: dict[str, Any]) -> str:
    """Another version of the class has another id, so that a run never goes on with other rules."""
    try:
        source = inspect.getsource(environment)
    except (OSError, TypeError):
        source = secrets.token_hex(16)
    return hashlib.sha256(json.dumps([source, facts], sort_keys=True).encode()).hexdigest()[:8]


def _caller() -> str:
    name = Path(sys.argv[0]).name or "an interactive Python"
    return re.sub(r"[^\w .-]", "_", "a notebook" if "ipykernel" in name else name)[:200]


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text("")
    partial.chmod(0o600)
    partial.write_text(json.dumps(value))
    partial.replace(path)
