"""``python -m espalier.programs``: reads and runs programs that models wrote, for the worker that started this process."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from typing import Any

from .._conversation import Conversation
from .confine import confine
from .read import read_call, read_functions
from .run import load_modules, run_program


def perform(question: dict[str, Any], reply: int) -> dict[str, Any]:
    if question["op"] == "call":
        return {"call": read_call(question["text"], question["names"])}
    if question["op"] == "functions":
        return {"reading": read_functions(question["code"])}
    return {"state": run_program(question, lambda state: leave(reply, {"state": state}))}


def leave(reply: int, answer: dict[str, Any]) -> None:
    """Ends the process with an answer. Nothing that the program wrote runs after it."""
    data = memoryview(json.dumps(answer).encode("utf-8", "backslashreplace"))
    while data:
        data = data[os.write(reply, data) :]
    os._exit(0)


def isolated(question: dict[str, Any]) -> dict[str, Any]:
    """The answer of a child that has the memory of this process as it was at its start, and none of its rights."""
    within, memory = float(question["seconds"]), int(question["memory"])
    answers, reply = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            confine(keep=reply, memory=memory, seconds=within)
            leave(reply, perform(question, reply))
        except BaseException as error:  # noqa: BLE001
            leave(reply, {"error": f"{type(error).__name__}: {error}"})
    os.close(reply)
    try:
        return read_all(answers, time.monotonic() + within)
    finally:
        os.close(answers)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def read_all(answers: int, end: float) -> dict[str, Any]:
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([answers], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return {"late": True}
        part = os.read(answers, 65536)
        if part == b"":
            break
        parts.append(part)
    try:
        return dict(json.loads(b"".join(parts)))
    except ValueError:
        return {"ended": True}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr
    load_modules()
    conversation = Conversation(sys.stdin, answers)
    while True:
        question = conversation.read()
        if question["op"] == "describe":
            conversation.answer(python=sys.version.split()[0])
        else:
            conversation.answer(**isolated(question))


if __name__ == "__main__":
    main()
