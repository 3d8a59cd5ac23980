"""
Trains in a job of SageMaker: reads what it lays out below /opt/ml, and starts `train.py` over that.

    input/config/hyperparameters.json   the training, each value a text
    input/data/rows                     the data files, and rows.json, which says which dataset each is of
    input/data/base                     the files of the base; absent where it is on a hub
    checkpoints                         what SageMaker keeps in the bucket: checkpoints, progress.jsonl, trainer.log
    model                               the finished model
    output/failure                      why it failed; SageMaker quotes it

A SIGTERM, as before Spot takes the machine back, has it save a checkpoint and leave. Started again, it finds its checkpoints. A
second argument names another folder than /opt/ml.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

TRAINER = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TRAINER))

from marks import MARKER, is_whole  # noqa: E402 - of the folder above

# Lines of the program that are kept beside its progress, and seconds between two writes: SageMaker copies the file each time.
TAIL_LINES = 30
TAIL_EVERY = 2.0


def main() -> int:
    root = Path(sys.argv[2] if len(sys.argv) > 2 else "/opt/ml")
    checkpoints = root / "checkpoints"
    checkpoints.mkdir(parents=True, exist_ok=True)
    remove_partial(checkpoints)
    with tempfile.TemporaryDirectory() as work:
        stop, path = Path(work) / "stop", Path(work) / "job.json"
        path.write_text(json.dumps(describe(root, stop), indent=2), encoding="utf-8")
        code, tail = run(path, stop, checkpoints)
    if code == 0:
        return 0
    message = failure_of(checkpoints / "progress.jsonl") or " | ".join(tail[-5:]) or "The trainer did not say why it ended."
    (root / "output").mkdir(parents=True, exist_ok=True)
    (root / "output" / "failure").write_text(message[:1000], encoding="utf-8")
    # As a shell says that a signal ended a program.
    return code if code > 0 else 128 - code


def describe(root: Path, stop: Path) -> dict[str, Any]:
    """The job as `train.py` reads it."""
    settings = json.loads((root / "input/config/hyperparameters.json").read_text(encoding="utf-8"))
    rows, base = root / "input/data/rows", root / "input/data/base"
    data = json.loads((rows / "rows.json").read_text(encoding="utf-8"))
    for source in data:
        source["files"] = [str(rows / name) for name in source["files"]]
    said = {name: json.loads(settings[name]) for name in ("hyperparameters", "lora", "checkpoint_steps", "keep_checkpoints")}
    checkpoints = root / "checkpoints"
    return {
        **said,
        "job": os.environ.get("TRAINING_JOB_NAME"),
        "recipe": settings["recipe"],
        "seed": int(settings["seed"]),
        "base": json.loads(settings["base"]) or {"folder": str(base)},
        "data": data,
        "output": str(checkpoints),
        "model": str(root / "model"),
        "progress": str(checkpoints / "progress.jsonl"),
        "stop": str(stop),
    }


def remove_partial(checkpoints: Path) -> None:
    """Checkpoints of which the bucket has a part: the machine was gone before the rest was copied."""
    for folder in checkpoints.glob("checkpoint-*"):
        marker = folder / MARKER
        if not marker.is_file() or not is_whole(folder, json.loads(marker.read_text(encoding="utf-8"))):
            shutil.rmtree(folder)


def run(path: Path, stop: Path, checkpoints: Path) -> tuple[int, list[str]]:
    """Trains. Returns the program's code, negative for the signal that ended it, and its last lines."""
    program = os.environ.get("ESPALIER_TRAINER", str(TRAINER / "train.py"))
    base = json.loads(path.read_text(encoding="utf-8"))["base"]
    # It leaves when its standard input ends, which is held open here.
    child = subprocess.Popen(
        [sys.executable, program, str(path)],
        env={**os.environ, **({"HF_HUB_OFFLINE": "1"} if "folder" in base else {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        encoding="utf-8",
        errors="replace",
    )

    def leave(*_: object) -> None:
        # Before it trains there is nothing to be saved.
        if phase_of(checkpoints / "progress.jsonl") in ("training", "saving"):
            stop.touch()
        else:
            os.killpg(child.pid, signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    written = 0.0
    for line in child.stdout or ():
        sys.stdout.write(line)
        sys.stdout.flush()
        if line.strip():
            tail.append(line.rstrip()[:500])
        if time.monotonic() - written >= TAIL_EVERY:
            written = time.monotonic()
            write_tail(checkpoints, tail)
    code = child.wait()
    write_tail(checkpoints, tail)
    return code, list(tail)


def write_tail(checkpoints: Path, tail: deque[str]) -> None:
    (checkpoints / "trainer.log").write_text("\n".join(tail) + "\n", encoding="utf-8")


def events(progress: Path) -> list[dict[str, Any]]:
    """What was reported since the last start."""
    found: list[dict[str, Any]] = []
    if not progress.is_file():
        return found
    for line in progress.read_text(encoding="utf-8").split("\n"):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("event") == "started":
            found = []
        found.append(event)
    return found


def phase_of(progress: Path) -> str | None:
    phases = [event["phase"] for event in events(progress) if event.get("event") == "phase"]
    return phases[-1] if phases else None


def failure_of(progress: Path) -> str | None:
    messages = [event["message"] for event in events(progress) if event.get("event") == "failed"]
    return messages[-1] if messages else None


if __name__ == "__main__":
    sys.exit(main())
