"""
Runs actions of agents, which are Python code for pyautogui, in children of a process that has imported it.

An interpreter that starts and imports pyautogui anew takes half a second; a child takes some milliseconds. The program
reads requests and writes answers as JSON, one a line.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from types import ModuleType
from typing import Any

import pyautogui
from bounded import Ended, collect
from Xlib.display import Display

def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # What pyautogui prints must not end up among the answers.
    os.dup2(2, 1)
    answers.write("{}\n")
    for line in sys.stdin:
        request = json.loads(line)
        ended = act(request["code"], float(request["timeout"]))
        answer = {
            "output": ended.output,
            "error": ended.error,
            "returncode": ended.returncode,
            "is_late": ended.is_late,
        }
        answers.write(json.dumps(answer) + "\n")


def act(code: str, timeout: float) -> Ended:
    """Runs code as `python -c` would, in a child with a connection of its own to the screen."""
    out_reading, out_writing = os.pipe()
    error_reading, error_writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run_child(code, out_writing, error_writing)
    os.close(out_writing)
    os.close(error_writing)
    exit_code: list[int] = []

    def poll() -> int | None:
        if not exit_code:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                exit_code.append(os.waitstatus_to_exitcode(status))
        return exit_code[0] if exit_code else None

    try:
        return collect(child, out_reading, error_reading, poll, timeout)
    finally:
        os.close(out_reading)
        os.close(error_reading)


def _run_child(code: str, stdout: int, stderr: int) -> None:
    code_of_exit = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, standard in ((nothing, 0), (stdout, 1), (stderr, 2)):
            os.dup2(descriptor, standard)
        sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)
        sys.stdout, sys.stderr = (
            open(number, "w", encoding="utf-8", errors="replace", closefd=False) for number in (1, 2)
        )
        _reconnect(pyautogui)
        code_of_exit = _execute(code)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                code_of_exit = code_of_exit or 1
        os._exit(code_of_exit)


def _reconnect(module: Any) -> None:
    """Two processes on one connection would take each other's answers."""
    module.platformModule._display = Display(os.environ["DISPLAY"])
    module.FAILSAFE = False
    # pyautogui holds shift for "<" and presses the key of 105-key keyboards, which then writes ">".
    keys = module.platformModule.keyboardMapping
    keys["<"] = keys[","]


def _execute(code: str) -> int:
    """The exit code that an interpreter would have."""
    main_module = ModuleType("__main__")
    sys.modules["__main__"] = main_module
    names: dict[str, Any] = main_module.__dict__
    names.update(pyautogui=pyautogui, time=time)
    sys.argv = ["-c"]
    try:
        exec(compile(code, "<string>", "exec"), names)
    except SystemExit as end:
        if end.code is None:
            return 0
        if isinstance(end.code, int):
            return end.code & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    main()
