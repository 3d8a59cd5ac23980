"""Environments of Espalier in Python code: sessions that a script plays itself, without a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx

from ..errors import ApiError, ServiceUnreachableError
from ._host import host_address
from ._sessions import Call, EnvironmentFacts, Place, Seen, Snapshot, ToolFacts, action_of_call, read_facts, read_task
from .environment import Task

if TYPE_CHECKING:
    from typing_extensions import Self

_LONGEST = 300.0


class ConnectedEnvironment:
    """A session of an environment. ``reset`` starts a task; a session that is closed may be reset again.

    >>> with connect("maze") as env:
    ...     seen = env.reset(next(env.tasks()).id)
    ...     other = env.fork()
    ...     print(env.step("inventory").observation, other.step("look").valid)
    """

    def __init__(self, id: str, address: str, facts: EnvironmentFacts | None = None):
        self._http = httpx.Client(base_url=address, timeout=_LONGEST, trust_env=False)
        self._address = address
        self._place = Place(id)
        self.facts = facts or read_facts(self._send(Call("GET", f"/environments/{quote(id, safe='')}")))

    @property
    def rules(self) -> str:
        return self.facts.rules

    @property
    def tools(self) -> tuple[ToolFacts, ...]:
        return self.facts.tools

    @property
    def is_open(self) -> bool:
        """Whether a task is under way."""
        return self._place.task is not None

    def tasks(self, split: str | None = None) -> Iterator[Task]:
        """The tasks in their order, of one split or of all."""
        after: str | None = None
        while True:
            page = self._send(_tasks(self.facts.id, after))
            for each in page["data"]:
                if split is None or each["split"] == split:
                    yield read_task(each)
            if not page["has_more"]:
                return
            after = page["data"][-1]["id"]

    def reset(self, task: str, seed: int = 0, options: Mapping[str, Any] | None = None) -> Seen:
        """Starts a task. :param options: of the environment's rules, as ``environment_options`` of a run"""
        return self._place.see(self._send(self._place.open(task, seed, options)))

    def step(self, action: str) -> Seen:
        return self._place.see(self._send(self._place.step(action)), taken=1)

    def call(self, tool: str, **arguments: Any) -> Seen:
        """Takes the action of a tool call. :raises ValueError: for a tool or an argument that there is not"""
        return self.step(action_of_call(self.tools, tool, arguments))

    def actions(self) -> list[str] | None:
        """The possible actions; None if the environment does not list them."""
        found: list[str] | None = self._send(self._place.actions())["actions"]
        return found

    def fork(self) -> ConnectedEnvironment:
        """Another session at the same state. :raises ApiError: ``not_supported`` where a program holds the state"""
        place, call = self._place.fork()
        self._send(call)
        forked = ConnectedEnvironment(self.facts.id, self._address, facts=self.facts)
        forked._place = place
        return forked

    def snapshot(self) -> Snapshot:
        """:raises ApiError: ``not_supported`` where a program holds the state"""
        return Snapshot(self._send(self._place.snapshot()))

    def restore(self, snapshot: Snapshot | None = None) -> Seen:
        """Goes to a snapshot of the same task and seed, or to the task's start."""
        return self._place.see(self._send(self._place.restore(snapshot)))

    def close(self) -> None:
        call = self._place.close()
        if call is None:
            return
        try:
            self._send(call)
        except ApiError as error:
            _unless_gone(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, call: Call) -> dict[str, Any]:
        try:
            return _read(self._http.request(call.method, call.path, json=call.body))
        except httpx.TransportError as error:
            raise ServiceUnreachableError(f"No answer from {self._address}: {error}") from error


class AsyncConnectedEnvironment:
    """As :class:`ConnectedEnvironment`, with every operation awaited. :func:`connect_async` makes one."""

    def __init__(self, address: str, place: Place, facts: EnvironmentFacts):
        self._http = httpx.AsyncClient(base_url=address, timeout=_LONGEST, trust_env=False)
        self._address = address
        self._place = place
        self.facts = facts

    @property
    def rules(self) -> str:
        return self.facts.rules

    @property
    def tools(self) -> tuple[ToolFacts, ...]:
        return self.facts.tools

    async def reset(self, task: str, seed: int = 0, options: Mapping[str, Any] | None = None) -> Seen:
        return self._place.see(await self._send(self._place.open(task, seed, options)))

    async def step(self, action: str) -> Seen:
        return self._place.see(await self._send(self._place.step(action)), taken=1)

    async def call(self, tool: str, **arguments: Any) -> Seen:
        return await self.step(action_of_call(self.tools, tool, arguments))

    async def actions(self) -> list[str] | None:
        found: list[str] | None = (await self._send(self._place.actions()))["actions"]
        return found

    async def fork(self) -> AsyncConnectedEnvironment:
        place, call = self._place.fork()
        await self._send(call)
        return AsyncConnectedEnvironment(self._address, place, self.facts)

    async def snapshot(self) -> Snapshot:
        return Snapshot(await self._send(self._place.snapshot()))

    async def restore(self, snapshot: Snapshot | None = None) -> Seen:
        return self._place.see(await self._send(self._place.restore(snapshot)))

    async def close(self) -> None:
        call = self._place.close()
        try:
            if call is not None:
                await self._send(call)
        except ApiError as error:
            _unless_gone(error)
        finally:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _send(self, call: Call) -> dict[str, Any]:
        try:
            return _read(await self._http.request(call.method, call.path, json=call.body))
        except httpx.TransportError as error:
            raise ServiceUnreachableError(f"No answer from {self._address}: {error}") from error


def connect(environment: str, *, address: str | None = None) -> ConnectedEnvironment:
    """Connects to an environment by its id, or to the one of a Python file.

    :param address: of a running host; by default this process starts one, for all its connections
    :raises ApiError: ``unknown_environment``
    """
    if environment.endswith(".py"):
        at = host_address(Path(environment))
        listed = _read(httpx.get(f"{at}/environments", trust_env=False, timeout=_LONGEST))["data"]
        return ConnectedEnvironment(listed[-1]["id"], at)
    return ConnectedEnvironment(environment, address or host_address())


async def connect_async(environment: str, *, address: str | None = None) -> AsyncConnectedEnvironment:
    """As :func:`connect`."""
    at = address or host_address(Path(environment) if environment.endswith(".py") else None)
    found = connect(environment, address=at)
    return AsyncConnectedEnvironment(at, Place(found.facts.id), found.facts)


def _unless_gone(error: ApiError) -> None:
    """A session that did not open, or that the host has dropped, needs no closing."""
    if error.code != "unknown_session":
        raise error


def _tasks(id: str, after: str | None) -> Call:
    query = "" if after is None else f"&after={quote(after, safe='')}"
    return Call("GET", f"/environments/{quote(id, safe='')}/tasks?limit=1000{query}")


def _read(response: httpx.Response) -> dict[str, Any]:
    body: Any = response.json()
    if response.status_code >= 400:
        raise ApiError.from_response(response.status_code, body)
    found: dict[str, Any] = body
    return found
