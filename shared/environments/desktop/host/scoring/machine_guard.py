"""What goes over the network while a task is set up or scored: to its machine, and nowhere else unless that is allowed."""
import io
import os
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import requests

from faults import Fault, Notes

# Answers of a proxy in the machine's place, or of our desktops where something did not end in time.
NO_MACHINE = (502, 503, 504)
# A window that is not there may be the agent's doing; the step is then skipped, as desktop-env does.
MAY_FAIL = ("/setup/activate_window", "/setup/close_window")
# What fails here may be the agent's doing, such as a program that it removed.
COMMANDS = ("/execute", "/execute_with_verification", "/run_python", "/run_bash_script")
# OSWorld's server says so with a status of 500.
TIMED_OUT = re.compile(r"timed out after [\d.]+ seconds\W*$")
CONNECT_WITHIN = 10
# A machine that is busy may fail at a look; it is asked again, with pauses of so many seconds.
LOOKS = 3
PAUSE = 1
ANSWER_BYTES = 512 << 20
PART = 1 << 16


class MachineGuard:
    """Stands between desktop-env and its machine. desktop-env logs what fails and goes on: here it is a fault, or a note."""

    def __init__(self, address: str, has_network: bool, notes: Notes):
        parts = urlsplit(address)
        if parts.scheme != "http" or parts.hostname is None:
            raise Fault("task", f"The machine's address is not of the form http://HOST:PORT: {address}.")
        self.host = parts.hostname
        self.port = parts.port or 80
        self.awaited: str | None = None
        self._has_network = has_network
        self._notes = notes

    def install(self) -> None:
        # The machine is never asked through a proxy.
        known = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = f"{known},{self.host}".strip(",")
        send = requests.Session.send
        target = requests.Session.get_redirect_target

        def guarded(
            session: requests.Session, request: requests.PreparedRequest, **rest: Any
        ) -> requests.Response:
            url = request.url or ""
            if urlsplit(url).hostname == self.host:
                return self._ask(lambda **more: send(session, request, **{**rest, **more}), rest, url)
            if not self._has_network:
                raise requests.exceptions.ConnectionError(f"There is no network here, so not: {url}")
            return send(session, request, **rest)

        def guarded_target(session: requests.Session, response: requests.Response) -> str | None:
            # Where the machine sends to is the agent's to say.
            is_machine = urlsplit(response.url).hostname == self.host
            return None if is_machine else target(session, response)

        # Each hop of a redirect is sent, too.
        requests.Session.send = guarded  # type: ignore[method-assign, assignment]
        requests.Session.get_redirect_target = guarded_target  # type: ignore[method-assign, assignment]

    def _ask(self, ask: Callable[..., requests.Response], rest: dict[str, Any], url: str) -> requests.Response:
        parts = urlsplit(url)
        # Other ports are those of programs, such as a player, which the agent may have ended.
        is_machine = (parts.port or 80) == self.port
        is_look = not parts.path.startswith("/setup/") and parts.path not in COMMANDS
        looks = LOOKS if is_machine and is_look else 1
        self.awaited = parts.path
        try:
            while True:
                response = self._ask_once(ask, rest, parts.path, is_machine)
                looks -= 1
                if looks == 0 or response.status_code < 500 or response.status_code in NO_MACHINE:
                    break
                time.sleep(PAUSE)
        finally:
            self.awaited = None
        if is_machine:
            self._judge(parts.path, response)
        return response

    def _ask_once(
        self, ask: Callable[..., requests.Response], rest: dict[str, Any], path: str, is_machine: bool
    ) -> requests.Response:
        timeout = rest.get("timeout") or (CONNECT_WITHIN, None)
        try:
            response = ask(timeout=timeout, stream=True)
            read_bounded(response, path)
        except requests.exceptions.RequestException as error:
            if not is_machine:
                raise
            raise Fault("machine", f"The machine cannot be reached at {path}: {error}") from error
        return response

    def _judge(self, path: str, response: requests.Response) -> None:
        status = response.status_code
        if status == 200:
            if path == "/setup/execute":
                self._note_failed_command(response)
            return
        message = f"The machine answered {path} with {status}: {response.text[:300]}"
        if status in NO_MACHINE or 300 <= status < 400:
            raise Fault("machine", message)
        if path.startswith("/setup/"):
            if path not in MAY_FAIL:
                raise Fault("step", message)
        elif status >= 500 and (path not in COMMANDS or is_timed_out(response)):
            raise Fault("machine", message)
        self._notes.add(message)

    def _note_failed_command(self, response: requests.Response) -> None:
        answer = response.json()
        code = answer.get("returncode", 0)
        if code != 0:
            self._notes.add(f"A command ended with code {code}: {str(answer.get('error', ''))[-300:]}")


def read_bounded(response: requests.Response, path: str) -> None:
    """Reads an answer whole, as without `stream`, unless it is larger than any file that a task is about."""
    content = io.BytesIO()
    for part in response.iter_content(PART):
        if content.getbuffer().nbytes + len(part) > ANSWER_BYTES:
            response.close()
            raise Fault("metric", f"The machine's answer to {path} has more than {ANSWER_BYTES} bytes.")
        content.write(part)
    response._content = content.getvalue()


def is_timed_out(response: requests.Response) -> bool:
    try:
        message = response.json().get("message")
    except (ValueError, AttributeError):
        return False
    return isinstance(message, str) and TIMED_OUT.search(message) is not None
