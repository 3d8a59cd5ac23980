"""The host of this process: a child that serves environments over HTTP, and ends with it."""

from __future__ import annotations

import atexit
import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from ..errors import EspalierError
from ..service import find_command

_hosts: dict[str, str] = {}
_lock = threading.Lock()


class HostNotStartedError(EspalierError):
    """No host could be started here; the message has the way out."""


def host_address(file: Path | None = None) -> str:
    """The address of this process's host, which the first call starts; a Python file has a host of its own.

    :raises HostNotStartedError: with what it printed
    """
    name = "" if file is None else str(file.resolve())
    with _lock:
        if name not in _hosts:
            _hosts[name] = _start([] if file is None else ["--program", name])
        return _hosts[name]


def _start(words: Sequence[str]) -> str:
    called = [*find_command(), "environments", "serve", "--until-input-ends", *words]
    process = subprocess.Popen(
        called, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    atexit.register(process.stdin.close)
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        facts = json.loads(line)
        if "port" in facts:
            return f"http://127.0.0.1:{facts['port']}"
        raise HostNotStartedError(f"The host did not start: {facts.get('failed', line)}")
    raise HostNotStartedError(f"The host did not start: {' '.join(called)} ended with code {process.wait()}.")
