"""TRL's ``GRPOTrainer`` over environments, by its parameter ``environment_factory``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any, Optional

from ..environments._sessions import Seen, ToolFacts, action_of_call
from ..environments.connected import ConnectedEnvironment, connect

_ACT: ToolFacts = {
    "name": "act",
    "description": "Takes an action.",
    "schema": {
        "properties": {"action": {"type": "string", "description": "The text of the action."}},
        "required": ["action"],
    },
    "action": "{action}",
}
_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class TrlEnvironment:
    """A session that TRL resets, plays by its tools and scores."""

    def __init__(self, session: ConnectedEnvironment, options: Mapping[str, Any] | None, max_steps: int):
        self._session = session
        self._options = options
        self._max_steps = max_steps
        self._seen: Seen | None = None

    def reset(
        self, task: str | None = None, seed: int = 0, reference: Mapping[str, Any] | None = None, **_: Any
    ) -> str | None:
        """Starts the task of a row, and gives the rules and the first observation.

        The rows of a dataset of prompts name it in ``reference``. Their prompts show both already, so it gives None.
        """
        if reference is not None:
            self._seen = self._session.reset(reference["task"], reference["seed"], self._options)
            return None
        if task is None:
            raise ValueError("A row has no task: give it the column task, or reference.")
        self._seen = self._session.reset(task, seed, self._options)
        return f"{self._session.rules}\n\n{self._seen.observation}"

    def get_reward(self) -> float:
        return 0.0 if self._seen is None else self._seen.reward

    def _take(self, action: str) -> str:
        seen = self._seen
        if seen is None or seen.done or seen.steps >= self._max_steps:
            return "The episode is over."
        self._seen = self._session.step(action)
        return self._seen.observation


def trl_environment_factory(
    environment: str,
    *,
    address: str | None = None,
    options: Mapping[str, Any] | None = None,
    act: bool = False,
    max_steps: int | None = None,
) -> Callable[[], TrlEnvironment]:
    """Makes an ``environment_factory``: its instances have the environment's tools as methods, and a session each.

    >>> GRPOTrainer(model, environment_factory=trl_environment_factory("maze"), train_dataset=rows)

    :param environment: its id, or a Python file
    :param address: of a running host; by default this process starts one
    :param act: offers the one tool ``act``, which takes the text of an action, as for an environment without tools
    :param max_steps: after which tools do nothing; default: the environment's
    """
    first = connect(environment, address=address)
    tools = (_ACT,) if act or not first.tools else first.tools
    made = type("EspalierEnvironment", (TrlEnvironment,), {tool["name"]: _method(tool) for tool in tools})

    def make() -> TrlEnvironment:
        session = ConnectedEnvironment(first.facts.id, first._address, first.facts)
        found: TrlEnvironment = made(session, options, max_steps or first.facts.default_max_steps)
        return found

    return make


def _method(tool: ToolFacts) -> Callable[..., str]:
    """A method whose signature and description TRL makes the tool's schema of."""

    def take(self: TrlEnvironment, **arguments: Any) -> str:
        given = {name: value for name, value in arguments.items() if value is not None}
        return self._take(action_of_call((tool,), tool["name"], given))

    schema = tool["schema"]
    required = set(schema.get("required", ()))
    parameters, lines = [Parameter("self", Parameter.POSITIONAL_ONLY)], []
    for name, facts in schema.get("properties", {}).items():
        annotation: Any = _TYPES.get(facts.get("type", ""), str)
        default = Parameter.empty if name in required else None
        if name not in required:
            annotation = Optional[annotation]
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
        lines.append(f"    {name}: {_described(name, facts)}")
    take.__name__ = take.__qualname__ = tool["name"]
    take.__signature__ = Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    take.__annotations__ = {each.name: each.annotation for each in parameters[1:]} | {"return": str}
    take.__doc__ = "\n".join([tool["description"], *(["", "Args:", *lines] if lines else [])])
    return take


def _described(name: str, facts: Mapping[str, Any]) -> str:
    """A description with the fields of listed objects, which a type of Python does not give to TRL."""
    fields = facts.get("items", {}).get("properties", {})
    listed = f" A list of objects with {', '.join(fields)}." if fields else ""
    return f"{facts.get('description', f'The {name}.')}{listed}"
