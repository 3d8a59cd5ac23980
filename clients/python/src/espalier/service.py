"""A service on this machine that ends with the program."""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from ._bundled_service import bundled_command, service_environment
from ._child import start_child
from ._service_address import read_service_file
from .errors import EspalierError

START_SECONDS = 120.0
"""A first start of a cold machine installs and compiles; later ones take about a second."""


class ServiceNotStartedError(EspalierError):
    """No service could be started here; the message has the way out."""


class Service:
    """A service that was started here. ``stop()`` lets it commit and ends it; so does the end of the program, a SIGKILL too."""

    def __init__(self, process: subprocess.Popen[str], address: str, key: str | None):
        self._process = process
        self.address = address
        self.key = key
        atexit.register(self.stop)

    def stop(self, *, grace: float = 60.0) -> None:
        """:param grace: seconds that it has to commit before it is killed; nothing is lost then either"""
        atexit.unregister(self.stop)
        if self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def start_service(folder: str | Path = ".espalier", *, command: Sequence[str] | None = None) -> Service:
    """Starts ``espalier serve`` over a data folder, on a free port.

    :param command: how ``espalier`` is called, unless ``ESPALIER_COMMAND``, ``node_modules``, this package or ``PATH`` has it
    :raises ServiceNotStartedError: with the last lines that it printed
    """
    words = ["serve", "--until-input-ends", "--port", "0", "--json", "--folder", str(folder)]
    called = [*(command or find_command()), *words]
    try:
        process = start_child(
            called, stderr=subprocess.PIPE, start_new_session=True, env=service_environment()
        )
    except OSError as error:
        raise ServiceNotStartedError(f"{called[0]} could not be started: {error}") from error
    last: deque[str] = deque(maxlen=20)
    threading.Thread(target=_keep_last, args=(process.stderr, last), daemon=True).start()
    facts = _first_line(process, last)
    threading.Thread(target=_keep_last, args=(process.stdout, deque(maxlen=1)), daemon=True).start()
    if "error" in facts:
        raise ServiceNotStartedError(f"The service did not start: {facts['error']['message']}")
    found = read_service_file(Path(folder), None)
    return Service(process, facts["address"], None if found is None else found[1])


def find_command() -> list[str]:
    """:raises ServiceNotStartedError: where ``espalier`` is not installed"""
    named = os.environ.get("ESPALIER_COMMAND")
    if named:
        return named.split()
    if _is_command("node_modules/.bin/espalier"):
        return ["node_modules/.bin/espalier"]
    bundled = bundled_command()
    if bundled is not None:
        return bundled
    found = shutil.which("espalier")
    if found is not None and _is_command(found):
        return [found]
    raise ServiceNotStartedError(
        "There is no command espalier. Install the package with npm, name it in ESPALIER_COMMAND, "
        "or give the address of a running service: Client('http://127.0.0.1:8080')."
    )


def _is_command(path: str) -> bool:
    """Tells the command from this package's script of the same name, which would start itself."""
    if not Path(path).exists():
        return False
    with open(path, "rb") as file:
        return b"python" not in file.read(100)


def _keep_last(stream, last: deque[str]) -> None:
    for line in stream:
        last.append(line.rstrip())


def _first_line(process: subprocess.Popen[str], last: deque[str]) -> dict:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        ready, _, _ = select.select([process.stdout], [], [], 0.2)
        line = process.stdout.readline() if ready and process.stdout is not None else ""
        if line:
            return json.loads(line)
        if process.poll() is not None:
            break
    process.kill()
    time.sleep(0.1)
    raise ServiceNotStartedError("The service did not start:\n" + "\n".join(last))
