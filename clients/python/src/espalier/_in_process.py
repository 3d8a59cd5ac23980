"""Environments and methods that a service plays in this process: ``breakpoint()``, prints and tracebacks work, and edits need no restart."""

from __future__ import annotations

import io
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._bridge import Bridge, Lines, turns
from ._code_version import version_of
from ._conversation import Conversation
from ._run_request import run_body
from ._service_address import USUAL_FOLDER, read_service_file
from .environments._kept_states import KeptStates
from .environments.environment import Environment
from .environments.serve import Sessions
from .errors import EspalierError

if TYPE_CHECKING:
    from .methods import Method

AnyBridge = TypeVar("AnyBridge", bound=Bridge)
MethodChoice = str | Callable[..., Any] | Mapping[str, object]


class NotLocalError(EspalierError):
    """The service does not run on this machine, or its folder is not known."""


def run_body_here(
    place: tuple[str, str | None],
    environment: str | type[Environment],
    method: MethodChoice,
    model: str | Mapping[str, Any],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """The request of a run, whose class and function are played in this process from now on.

    :param place: the address of the service, and its folder
    :raises NotLocalError: where the service is not of this machine
    """
    return run_body(play_here(environment, *place), method_here(method, *place), model, settings)


def play_here(environment: str | type[Environment], address: str, folder: str | None) -> str:
    """The id by which a service knows an environment: a class is played in this process from now on.

    :raises NotLocalError: where the service is not of this machine
    """
    if isinstance(environment, str):
        return environment
    place = _folder_of(address, folder)
    facts = environment.facts()
    name = f"{facts['environment'][:40]}-in-process-{version_of(environment, facts)}"
    path = place / "in-process" / f"{name}.json"
    with _lock:
        bridge = _bridge_of(path, _EnvironmentBridge)
        # A cell that is executed again makes another class of the same source.
        bridge.take(environment)
        # Another process may have written its own meanwhile.
        bridge.offer(path, facts=facts)
    return name


def method_here(method: MethodChoice, address: str, folder: str | None) -> str | Mapping[str, object]:
    """The choice of a method as a service takes it: a function is played in this process from now on.

    :raises NotLocalError: where the service is not of this machine
    """
    if isinstance(method, str):
        return method
    if isinstance(method, Mapping):
        chosen = method.get("id")
        return {**method, "id": _offer_method(chosen, address, folder)} if callable(chosen) else method
    return _offer_method(method, address, folder)


def _offer_method(function: Callable[..., Any], address: str, folder: str | None) -> str:
    from .methods.method import Method, method

    played = function
    if not isinstance(played, Method):
        id = re.sub(r"[^a-z0-9]+", "-", function.__name__.lower()).strip("-")
        played = method(id, branches=True, answer="best")(function)
    place = _folder_of(address, folder)
    facts = played.facts()
    version = version_of(played.play, facts)
    name = f"{played.id[:40]}-in-process-{version}"
    path = place / "in-process" / "methods" / f"{name}.json"
    with _lock:
        bridge = _bridge_of(path, _MethodBridge)
        bridge.method = played
        bridge.offer(path, facts=facts, digest=version)
    return name


_bridges: dict[Path, Bridge] = {}
_lock = threading.Lock()


def _bridge_of(path: Path, kind: type[AnyBridge]) -> AnyBridge:
    bridge = _bridges.get(path)
    if not isinstance(bridge, kind):
        bridge = _bridges[path] = kind()
    return bridge


class _EnvironmentBridge(Bridge):
    """Serves one class. All connections share its kept states, so that each worker restores those of the others."""

    _environment: type[Environment] | None = None
    _kept: KeptStates

    def take(self, environment: type[Environment]) -> None:
        if environment is not self._environment:
            self._kept = KeptStates(environment.kept_states, f"{secrets.token_hex(4)}-")
            self._environment = environment

    def serve(self, reader: Any, writer: Any) -> None:
        played: type[Environment] | None = None
        newest: Sessions | None = None
        owners: dict[str, Sessions] = {}
        lines = Lines(reader, writer)
        try:
            for line in lines:
                request = json.loads(line)
                session = request.get("session", "")
                with turns:
                    if newest is None or played is not self._environment:
                        played, kept = cast("type[Environment]", self._environment), self._kept
                        newest = Sessions(played, kept)
                    if request["op"] == "reset":
                        owners[session] = newest
                    answer = owners.get(session, newest).answer(request)
                if request["op"] == "close":
                    owners.pop(session, None)
                lines.answer(json.dumps({"id": request["id"], **answer}).encode() + b"\n")
        finally:
            with turns:
                for session, owner in owners.items():
                    owner.answer({"op": "close", "session": session})


class _MethodBridge(Bridge):
    """Each connection plays one episode after the other."""

    method: Method

    def serve(self, reader: Any, writer: Any) -> None:
        from .methods.serve import serve

        lines = io.TextIOWrapper(writer, encoding="utf-8", newline="\n", write_through=True)
        with turns:
            serve(lambda: {self.method.id: self.method}, [], Conversation(_Source(reader), lines))


class _Source:
    """Lines of a worker. The other episodes' functions run while this one's waits."""

    def __init__(self, reader: Any):
        self._reader = reader

    def readline(self) -> str:
        turns.release()
        try:
            return self._reader.readline().decode()
        finally:
            turns.acquire()


def _folder_of(address: str, folder: str | None) -> Path:
    place = Path(folder or USUAL_FOLDER).resolve()
    found = read_service_file(place, None)
    if found is not None and found[0].rstrip("/") == address.rstrip("/"):
        return place
    raise NotLocalError(
        f"The service at {address} does not hold the folder {place}, so it cannot play code of this process. "
        "Use a service of this machine by its folder, Client(folder=…), or give that service the code as a file, "
        "and client.run its id: 'espalier run --environment ./env.py --folder FOLDER …' on the service's machine adds "
        "an environment, and methods.json in its folder a method, once the service starts again."
    )
