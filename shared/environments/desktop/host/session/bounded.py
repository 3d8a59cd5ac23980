"""Processes that end in time, and whose output is read no further than it can be answered."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

OUTPUT_BYTES = 1 << 20
"""Of each output so much is answered; the rest is read and thrown away, so that its writer does not wait."""

LINGER = 0.5
"""Seconds for output that comes after the end of a command, from what it left in the background."""


@dataclass
class Ended:
    """What a process wrote, and how it ended."""

    output: str
    error: str
    returncode: int
    is_late: bool


def run_bounded(
    command: str | list[str],
    *,
    shell: bool = False,
    timeout: float,
    folder: str | None = None,
) -> Ended:
    """
    Runs a command to its end, or ends it with its process group when it is late.

    What it leaves in the background, such as an application, lives on.

    :raises OSError: where it cannot be started
    """
    process = subprocess.Popen(
        command,
        shell=shell,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    with process.stdout, process.stderr:
        return collect(process.pid, process.stdout.fileno(), process.stderr.fileno(), process.poll, timeout)


def collect(
    process_id: int,
    stdout: int,
    stderr: int,
    poll: Callable[[], int | None],
    timeout: float,
) -> Ended:
    """Reads what a process that leads its group writes, until it has ended or is ended."""
    texts = {stdout: bytearray(), stderr: bytearray()}
    end = time.monotonic() + timeout
    is_late = False
    code = None
    with selectors.DefaultSelector() as selector:
        for descriptor in texts:
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map() or code is None:
            # A process that ended shows by the end of its output, unless something in the background holds it open.
            _read(selector, texts, min(0.05, max(0.0, end - time.monotonic())))
            if code is None:
                code = poll()
                if code is not None:
                    end = min(end, time.monotonic() + LINGER)
            if time.monotonic() < end:
                continue
            if code is not None:
                break
            is_late = True
            kill_group(process_id)
            code = _wait(poll)
            end = time.monotonic() + LINGER
    output, error = (texts[descriptor].decode("utf-8", "replace") for descriptor in (stdout, stderr))
    return Ended(output, error, code, is_late)


def kill_group(process_id: int) -> None:
    """Ends a process and what it started, unless that left its group."""
    try:
        os.killpg(process_id, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _read(selector: selectors.BaseSelector, texts: dict[int, bytearray], seconds: float) -> None:
    if not selector.get_map():
        time.sleep(min(seconds, 0.005))
        return
    for key, _ in selector.select(seconds):
        part = os.read(key.fd, 1 << 16)
        if not part:
            selector.unregister(key.fd)
        text = texts[key.fd]
        text += part[: max(0, OUTPUT_BYTES - len(text))]


def _wait(poll: Callable[[], int | None]) -> int:
    end = time.monotonic() + 2
    while time.monotonic() < end:
        code = poll()
        if code is not None:
            return code
        time.sleep(0.01)
    return -signal.SIGKILL
