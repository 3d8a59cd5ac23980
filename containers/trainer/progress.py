"""What the trainer says of itself: JSON lines in a file, which outlives both the trainer and the service."""

import json
import math
import os
import time
from pathlib import Path
from typing import Any

# Exit codes, for when the line that says why could not be written. Other failures end with 70.
EXIT_CODES = {"refused": 65, "not_finite": 71, "out_of_memory": 72, "disk_full": 74}


class Progress:
    """Appends events to the file. Only the first of several processes writes."""

    def __init__(self, path: str, writes: bool) -> None:
        self._path = Path(path)
        self._writes = writes
        self._begun = time.monotonic()
        self.phase = "starting"

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def write(self, event: str, **facts: Any) -> None:
        if not self._writes:
            return
        line = json.dumps({"event": event, "seconds": round(self.seconds, 3), **facts}, allow_nan=False)
        # One write of a whole line: a reader never sees half of one, unless this process is killed within it.
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def enter(self, phase: str) -> None:
        self.phase = phase
        self.write("phase", phase=phase)


class TrainingError(Exception):
    """An end that its user should read: why, for programs (`reason`) and in words."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def reason_of(error: BaseException) -> tuple[str, str]:
    """Why a training ended, for programs and in words."""
    if isinstance(error, TrainingError):
        return error.reason, str(error)
    text = f"{type(error).__name__}: {error}"
    lower = text.lower()
    if "out of memory" in lower or isinstance(error, MemoryError) or "can't allocate memory" in lower:
        advice = "Lower micro_batch_size or max_length, set gradient_checkpointing, or train with lora."
        return "out_of_memory", f"The trainer ran out of memory. {advice} ({text})"
    full = (28, 122, 27)
    if (
        (isinstance(error, OSError) and error.errno in full)
        or "no space left" in lower
        or "file too large" in lower
        or "pytorchstreamwriter failed" in lower
    ):
        return "disk_full", f"The trainer could not write its files: the disk is full. Make room and resume. ({text})"
    return "trainer_failed", text


def finite(values: dict[str, Any]) -> dict[str, float]:
    """The numbers among the values."""
    numbers = {name: float(value) for name, value in values.items() if isinstance(value, int | float)}
    return {name: value for name, value in numbers.items() if math.isfinite(value)}


def is_main_process() -> bool:
    return os.environ.get("RANK", "0") == "0"
