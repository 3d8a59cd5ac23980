"""The host of this process: a child that serves environments over HTTP, and ends with it."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .._child import start_child
from ..errors import EspalierError
from ..service import find_command


class _Host(NamedTuple):
    process: subprocess.Popen[str]
    address: str
    starter: int

    def has_ended(self) -> bool:
        # Only the process that started it can ask; a fork of it would take every host for ended.
        return self.starter == os.getpid() and self.process.poll() is not None


_hosts: dict[str, _Host] = {}
_lock = threading.Lock()


class HostNotStartedError(EspalierError):
    """No host could be started here; the message has the way out."""


def host_address(file: Path | None = None) -> str:
    """The address of this process's host. Starts it if it does not run; a Python file has a host of its own.

    :raises HostNotStartedError: with what it printed
    """
    name = "" if file is None else str(file.resolve())
    with _lock:
        host = _hosts.get(name)
        if host is None or host.has_ended():
            host = _hosts[name] = _start([] if file is None else ["--program", name])
        return host.address


def _start(words: Sequence[str]) -> _Host:
    called = [*find_command(), "environments", "serve", "--until-input-ends", *words]
    process = start_child(called, stderr=subprocess.DEVNULL)
    assert process.stdin is not None and process.stdout is not None
    atexit.register(process.stdin.close)
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        facts = json.loads(line)
        if "port" in facts:
            return _Host(process, f"http://127.0.0.1:{facts['port']}", os.getpid())
        raise HostNotStartedError(f"The host did not start: {facts.get('failed', line)}")
    raise HostNotStartedError(f"The host did not start: {' '.join(called)} ended with code {process.wait()}.")
