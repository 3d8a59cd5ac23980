"""The host protocol as values: what is sent for each operation of a session, and how its answer is read."""

from __future__ import annotations

import base64
import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from typing_extensions import NotRequired, TypedDict

from .environment import Task


class ToolFacts(TypedDict):
    """An action as a tool. ``action`` is its text, with a slot for each argument, and ``items`` that of listed objects."""

    name: str
    description: str
    schema: dict[str, Any]
    action: str
    items: NotRequired[dict[str, str]]


@dataclass(frozen=True)
class Seen:
    """An answer of an environment.

    :ivar reward: what the episode earns if it ends here, not the step's share of it
    :ivar progress: the best share of the goal so far
    :ivar pictures: PNG, JPEG or WebP files beside the text
    """

    observation: str
    reward: float
    done: bool
    valid: bool
    progress: float
    steps: int
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """A state to go back to, in any session of the same task and seed."""

    fields: Mapping[str, Any]


@dataclass(frozen=True)
class EnvironmentFacts:
    """What an environment is told to be."""

    id: str
    description: str
    rules: str
    tools: tuple[ToolFacts, ...]
    default_max_steps: int
    success_threshold: float
    snapshot: Literal["native", "replay", "none"]


class Call(NamedTuple):
    method: str
    path: str
    body: dict[str, Any] | None = None


class Place:
    """One session's place at a host: its id, its token and the number of its steps."""

    def __init__(self, environment: str):
        self.environment = environment
        self.id = _new_id()
        self.token = 0
        self.steps = 0
        self.task: str | None = None
        self.seed = 0

    def open(self, task: str, seed: int, options: Mapping[str, Any] | None) -> Call:
        """A higher token starts the session anew."""
        self.token += 1
        self.task, self.seed = task, seed
        named = {"id": self.id, "environment": self.environment, "task": task, "seed": seed, "token": self.token}
        return Call("POST", "/sessions", {**named, **({"options": dict(options)} if options else {})})

    def step(self, action: str) -> Call:
        return self._call("step", action=action, step_index=self.steps)

    def restore(self, snapshot: Snapshot | None) -> Call:
        return self._call("restore", **({} if snapshot is None else {"snapshot": dict(snapshot.fields)}))

    def snapshot(self) -> Call:
        return self._call("snapshot")

    def actions(self) -> Call:
        return self._call("actions")

    def fork(self) -> tuple[Place, Call]:
        other = Place(self.environment)
        other.token, other.task, other.seed, other.steps = 1, self.task, self.seed, self.steps
        return other, self._call("fork", fork={"id": other.id, "token": other.token})

    def close(self) -> Call | None:
        if self.task is None:
            return None
        self.task = None
        return Call("DELETE", f"/sessions/{self.id}?token={self.token}")

    def see(self, answer: Mapping[str, Any], taken: int = 0) -> Seen:
        """:param taken: the steps that this answer adds; a step's answer counts those before it"""
        self.steps = int(answer["step_index"]) + taken
        return Seen(
            observation=answer["observation"],
            reward=answer["reward"],
            done=answer["done"],
            valid=answer["valid"],
            progress=answer["progress"],
            steps=self.steps,
            pictures=tuple(base64.b64decode(each["data"]) for each in answer.get("pictures", ())),
        )

    def _call(self, operation: str, **fields: Any) -> Call:
        if self.task is None:
            raise RuntimeError("The session is not open: call reset() first.")
        return Call("POST", f"/sessions/{self.id}/{operation}", {"token": self.token, **fields})


def read_facts(answer: Mapping[str, Any]) -> EnvironmentFacts:
    guide = answer.get("guide") or {}
    return EnvironmentFacts(
        id=answer["id"],
        description=answer["description"],
        rules=guide.get("rules", answer["description"]),
        tools=tuple(guide.get("tools", ())),
        default_max_steps=answer["default_max_steps"],
        success_threshold=answer["success_threshold"],
        snapshot=answer["snapshot"],
    )


def read_task(answer: Mapping[str, Any]) -> Task:
    return Task(
        answer["id"],
        split=answer.get("split", "test"),
        type=answer.get("type", "any"),
        description=answer.get("description", ""),
        max_steps=answer.get("max_steps"),
    )


def action_of_call(tools: Sequence[ToolFacts], name: str, arguments: Mapping[str, Any]) -> str:
    """The action text of a call. :raises ValueError: for a tool or an argument that there is not"""
    tool = next((each for each in tools if each["name"] == name), None)
    if tool is None:
        raise ValueError(f"There is no tool {name}. The tools are: {', '.join(each['name'] for each in tools)}.")
    slots = re.findall(r"\{(\*|\w+)\}", tool["action"])
    stray = sorted(set(arguments) - set(slots)) if "*" not in slots else []
    missing = sorted(slot for slot in slots if slot != "*" and slot not in arguments)
    if stray or missing:
        raise ValueError(f"{name} takes {', '.join(slots) or 'no arguments'}; missing: {missing}, unknown: {stray}.")

    def fill(found: re.Match[str]) -> str:
        slot = found[1]
        if slot == "*":
            return json.dumps(dict(arguments))
        return _text_of(arguments[slot], tool.get("items", {}).get(slot))

    return re.sub(r"\{(\*|\w+)\}", fill, tool["action"])


def _text_of(value: Any, item: str | None = None) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_text_of(each, item) for each in value)
    if isinstance(value, Mapping) and item is not None:
        return re.sub(r"\{(\w+)\}", lambda found: _text_of(value[found[1]]), item)
    return value if isinstance(value, str) else json.dumps(value)


def _new_id() -> str:
    return f"python-{uuid.uuid4()}"
