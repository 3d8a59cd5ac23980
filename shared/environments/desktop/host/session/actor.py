"""The process that runs actions (acting.py), as the server asks it."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from bounded import Ended, kill_group

TIMEOUT = 90.0
"""The most seconds that one action may take."""

GRACE = 5.0
"""Seconds after the end of an action's time until it is given up: the process may have been halted, by what it runs."""

START_WITHIN = 60.0

PROGRAM = Path(__file__).with_name("acting.py")


class Actor:
    """Runs one action after the other; a process that is gone is started again by the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def warm(self) -> None:
        """Starts the process before its first action."""
        with self._lock:
            self._started()

    def act(self, code: str, timeout: float) -> Ended:
        """
        :raises ConnectionError: where the process ended on its own
        """
        with self._lock:
            process = self._started()
            deadline = time.monotonic() + timeout + GRACE
            try:
                line = json.dumps({"code": code, "timeout": timeout}) + "\n"
                self._write(process, line.encode(), deadline)
                return Ended(**self._read(process, deadline))
            except TimeoutError:
                self._end()
                return Ended("", "", -signal.SIGKILL, True)
            except OSError:
                self._end()
                raise

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
            assert self._process.stdin is not None and self._process.stdout is not None
            for stream in (self._process.stdin, self._process.stdout):
                os.set_blocking(stream.fileno(), False)
            try:
                self._read(self._process, time.monotonic() + START_WITHIN)
            except OSError:
                self._end()
                raise
        return self._process

    def _end(self) -> None:
        """Ends the process, so that the next action has one of its own."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            # What it runs has a group of its own.
            running = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:
            running = []
        for process_id in (process.pid, *map(int, running)):
            kill_group(process_id)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait()

    def _write(self, process: subprocess.Popen[bytes], line: bytes, deadline: float) -> None:
        """
        :raises TimeoutError: where the deadline is over
        """
        assert process.stdin is not None
        while line:
            _wait(process.stdin.fileno(), selectors.EVENT_WRITE, deadline)
            line = line[os.write(process.stdin.fileno(), line) :]

    def _read(self, process: subprocess.Popen[bytes], deadline: float) -> dict[str, Any]:
        """
        :raises TimeoutError: where the deadline is over
        :raises ConnectionError: where the process has ended
        """
        assert process.stdout is not None
        read = bytearray()
        while not read.endswith(b"\n"):
            _wait(process.stdout.fileno(), selectors.EVENT_READ, deadline)
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                raise ConnectionError("The process that runs actions has ended.")
            read += part
        answer: dict[str, Any] = json.loads(read)
        return answer


def _wait(descriptor: int, event: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise TimeoutError("The process that runs actions does not answer.")
