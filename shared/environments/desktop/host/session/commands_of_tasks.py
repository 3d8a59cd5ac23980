"""The routes that run commands, start applications and handle windows."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from api_server import Answer, ApiError, Request, Route, json_answer, text_answer
from bounded import Ended, run_bounded

TIMEOUT = 120.0
"""Seconds of a command, as OSWorld's server has it."""

OPENED_WITHIN = 60.0
"""Seconds until the window of a file must be there."""

SCRIPT_TIMEOUT = 300.0
"""The most seconds that a script may ask for."""


def command_routes() -> dict[tuple[str, str], Route]:
    return {
        ("POST", "/execute"): _execute,
        ("POST", "/setup/execute"): _execute,
        ("POST", "/execute_with_verification"): _execute_verified,
        ("POST", "/setup/execute_with_verification"): _execute_verified,
        ("POST", "/run_python"): _run_python,
        ("POST", "/run_bash_script"): _run_script,
        ("POST", "/setup/launch"): _launch,
        ("POST", "/setup/open_file"): _open_file,
        ("POST", "/setup/activate_window"): _activate_window,
        ("POST", "/setup/close_window"): _close_window,
        ("POST", "/start_recording"): _no_recording,
        ("POST", "/end_recording"): _no_recording,
    }


def _command_of(asked: dict[str, Any]) -> tuple[str | list[str], bool]:
    shell = bool(asked.get("shell", False))
    command = asked.get("command", "" if shell else [])
    if isinstance(command, str) and not shell:
        command = shlex.split(command)
    if not isinstance(command, str):
        command = [os.path.expanduser(word) if word.startswith("~/") else word for word in map(str, command)]
    if not command:
        raise ApiError(400, {"status": "error", "message": "command is required"})
    return command, shell


def _facts_of(ended: Ended) -> dict[str, Any]:
    return {"output": ended.output, "error": ended.error, "returncode": ended.returncode}


def _run(command: str | list[str], shell: bool, timeout: float, folder: str | None = None) -> Ended:
    try:
        ended = run_bounded(command, shell=shell, timeout=timeout, folder=folder)
    except OSError as error:
        raise ApiError(500, {"status": "error", "message": str(error)}) from error
    if ended.is_late:
        raise _late(f"Command '{command}'", timeout)
    return ended


def _late(what: str, timeout: float) -> ApiError:
    """With a status of its own, by which it differs from a command that cannot be run."""
    return ApiError(504, {"status": "error", "message": f"{what} timed out after {timeout:g} seconds"})


def _execute(request: Request) -> Answer:
    command, shell = _command_of(request.json())
    return json_answer({"status": "success", **_facts_of(_run(command, shell, TIMEOUT))})


def _execute_verified(request: Request) -> Answer:
    """Runs a command, and then looks until a window is there or another command succeeds."""
    asked = request.json()
    command, shell = _command_of(asked)
    verification = asked.get("verification") or {}
    within = min(float(asked.get("max_wait_time", 10)), TIMEOUT)
    interval = max(0.1, float(asked.get("check_interval", 1)))
    facts = _facts_of(_run(command, shell, TIMEOUT))
    started = time.monotonic()
    while True:
        if _is_verified(verification):
            waited = time.monotonic() - started
            return json_answer({"status": "success", **facts, "verification": "passed", "wait_time": waited})
        if time.monotonic() - started + interval > within:
            message = f"Verification failed after {within:g} seconds"
            raise ApiError(500, {"status": "verification_failed", "message": message, **facts})
        time.sleep(interval)


def _is_verified(verification: dict[str, Any]) -> bool:
    name = verification.get("window_exists")
    if name is not None and name not in _run(["wmctrl", "-l"], False, 10).output:
        return False
    command = verification.get("command_success")
    if command is None:
        return True
    return _run(command, isinstance(command, str), 10).returncode == 0


def _run_python(request: Request) -> Answer:
    code = request.json().get("code")
    if not isinstance(code, str):
        raise ApiError(400, {"status": "error", "message": "code is required", "error": "code is required"})
    ended = run_bounded([sys.executable, "-c", code], timeout=TIMEOUT)
    if ended.is_late:
        raise _late("The code", TIMEOUT)
    is_success = ended.returncode == 0
    return json_answer(
        {
            "status": "success" if is_success else "error",
            "message": ended.output if is_success else ended.error,
            "output": ended.output,
            "error": ended.error,
            "return_code": ended.returncode,
        }
    )


def _run_script(request: Request) -> Answer:
    asked = request.json()
    script = asked.get("script")
    if not isinstance(script, str):
        raise ApiError(400, {"status": "error", "output": "", "error": "script is required", "returncode": -1})
    timeout = min(float(asked.get("timeout") or 30), SCRIPT_TIMEOUT)
    folder = asked.get("working_dir") or None
    if folder is not None:
        folder = os.path.expanduser(folder)
        if not os.path.isdir(folder):
            message = f"Working directory does not exist: {folder}"
            raise ApiError(400, {"status": "error", "output": "", "error": message, "returncode": -1})
    ended = run_bounded(["/bin/bash", "-c", script], timeout=timeout, folder=folder)
    if ended.is_late:
        message = f"Script execution timed out after {timeout:g} seconds"
        return json_answer({"status": "error", "output": ended.output, "error": message, "returncode": -1})
    status = "success" if ended.returncode == 0 else "error"
    # A real machine answers both outputs in one.
    output = ended.output + ended.error
    return json_answer({"status": status, "output": output, "error": "", "returncode": ended.returncode})


def _launch(request: Request) -> Answer:
    command, shell = _command_of(request.json())
    _start(command, shell)
    said = command if isinstance(command, str) else " ".join(command)
    return text_answer(f"{said} launched successfully")


def _open_file(request: Request) -> Answer:
    """Opens a file in its application, and answers once a window has its name, as servers of newer machines do."""
    text = request.json().get("path")
    if not text:
        raise ApiError(400, "Path not supplied!")
    path = Path(os.path.expandvars(os.path.expanduser(text)))
    if not path.exists():
        raise ApiError(404, f"File not found: {path}")
    before = {window for window, _ in _windows()}
    _start(["xdg-open", str(path)], False)
    end = time.monotonic() + OPENED_WITHIN
    while time.monotonic() < end:
        for window, title in _windows():
            # Some titles have no extension, which are those of other files too.
            if path.name in title or (path.stem in title and window not in before):
                _run(["wmctrl", "-i", "-a", window], False, 10)
                return text_answer("File opened and window activated successfully")
        time.sleep(0.3)
    raise ApiError(500, f"Failed to find window for {path.name} within {OPENED_WITHIN:g} seconds.")


def _windows() -> list[tuple[str, str]]:
    """Their numbers, and lines with their titles."""
    lines = _run(["wmctrl", "-l"], False, 10).output.splitlines()
    return [(line.partition(" ")[0], line) for line in lines]


def _start(command: str | list[str], shell: bool) -> None:
    """Starts what lives as long as it likes. Only the system sees its end."""
    try:
        subprocess.Popen(
            command,
            shell=shell,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise ApiError(500, {"status": "error", "message": str(error)}) from error


def _window_of(request: Request) -> tuple[str, str]:
    asked = request.json()
    name = asked.get("window_name")
    if not name:
        raise ApiError(400, "window_name required")
    return name, ("x" if asked.get("by_class") else "") + ("F" if asked.get("strict") else "")


def _activate_window(request: Request) -> Answer:
    name, flags = _window_of(request)
    _run(["wmctrl", f"-{flags}a", name], False, 10)
    return text_answer("Window activated successfully")


def _close_window(request: Request) -> Answer:
    name, flags = _window_of(request)
    _run(["wmctrl", f"-{flags}c", name], False, 10)
    return text_answer("Window closed successfully.")


def _no_recording(_: Request) -> Answer:
    raise ApiError(501, {"status": "error", "message": "This desktop makes no recordings; take screenshots."})
