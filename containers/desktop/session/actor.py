"""The process that runs actions (acting.py), as the server asks it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from bounded import Ended, kill_group

TIMEOUT = 90.0
"""The most seconds that one action may take."""

PROGRAM = Path(__file__).with_name("acting.py")


class Actor:
    """Runs one action after the other; a process that is gone is started again by the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

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
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps({"code": code, "timeout": timeout}) + "\n")
                process.stdin.flush()
                return Ended(**self._read(process))
            except OSError:
                kill_group(process.pid)
                self._process = None
                raise

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self._read(self._process)
        return self._process

    def _read(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise ConnectionError("The process that runs actions has ended.")
        answer: dict[str, Any] = json.loads(line)
        return answer
