"""What goes over the network while a task is set up or scored: to its machine, and nowhere else unless that is allowed."""
import os
from typing import Any
from urllib.parse import urlsplit

import requests

from faults import Fault, Notes

# Answers of a proxy in the machine's place.
NO_MACHINE = (502, 503, 504)
# A window that is not there may be the agent's doing; the step is then skipped, as desktop-env does.
MAY_FAIL = ("/setup/activate_window", "/setup/close_window")
CONNECT_WITHIN = 10


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
        request = requests.Session.request

        def guarded(session: requests.Session, method: str, url: str, **rest: Any) -> requests.Response:
            parts = urlsplit(url)
            if parts.hostname == self.host:
                return self._ask(lambda **more: request(session, method, url, **{**rest, **more}), rest, url)
            if not self._has_network:
                raise requests.exceptions.ConnectionError(f"There is no network here, so not: {url}")
            return request(session, method, url, **rest)

        requests.Session.request = guarded  # type: ignore[method-assign]

    def _ask(self, ask: Any, rest: dict[str, Any], url: str) -> requests.Response:
        parts = urlsplit(url)
        # Other ports are those of programs, such as a player, which the agent may have ended.
        is_machine = (parts.port or 80) == self.port
        timeout = {} if rest.get("timeout") else {"timeout": (CONNECT_WITHIN, None)}
        self.awaited = parts.path
        try:
            response = ask(**timeout)
        except requests.exceptions.ReadTimeout:
            raise
        except (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            if not is_machine:
                raise
            raise Fault("machine", f"The machine cannot be reached at {parts.path}: {error}") from error
        finally:
            self.awaited = None
        if is_machine:
            self._judge(parts.path, response)
        return response

    def _judge(self, path: str, response: requests.Response) -> None:
        status = response.status_code
        if status in NO_MACHINE:
            raise Fault("machine", f"The machine answered {path} with {status}: {response.text[:300]}")
        if not path.startswith("/setup/"):
            if status != 200:
                self._notes.add(f"The machine answered {path} with {status}: {response.text[:200]}")
            return
        if status == 200:
            self._note_failed_command(path, response)
            return
        message = f"The machine answered {path} with {status}: {response.text[:300]}"
        if path not in MAY_FAIL:
            raise Fault("step", message)
        self._notes.add(message)

    def _note_failed_command(self, path: str, response: requests.Response) -> None:
        if path != "/setup/execute":
            return
        answer = response.json()
        code = answer.get("returncode", 0)
        if code != 0:
            self._notes.add(f"A command ended with code {code}: {str(answer.get('error', ''))[-300:]}")
