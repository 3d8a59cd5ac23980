"""How a method is declared."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_type_hints

from .._conversation import Conversation
from .scope import AsyncScope, Scope
from .values import Role

try:
    import pydantic
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "Methods in Python need pydantic. Install it: python3 -m venv ~/espalier-python && "
        "~/espalier-python/bin/pip install pydantic. Then set ESPALIER_PYTHON=~/espalier-python/bin/python.",
        name=error.name,
    ) from error

Play = Callable[..., None] | Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class Method:
    """A function that plays an episode, and what the service has to know of it."""

    id: str
    description: str
    play: Play
    branches: bool
    answer: Literal["last", "best", "committed", "most-visited"]
    roles: Sequence[Role]
    prompt: Literal["react", "act"]
    extendable: Sequence[str]
    source: str | None
    round_size: int | Literal["all"] | None

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        return self.play(*arguments, **parameters)

    def facts(self) -> dict[str, Any]:
        """What the program answers to ``describe``."""
        shares = None if self.round_size is None else {"round_size": _number(self.round_size)}
        facts = {
            "id": self.id,
            "description": self.description,
            "parameters": schema_of(self.parameters()),
            "branches": self.branches,
            "answer": self.answer,
            "roles": list(self.roles),
            "prompt": self.prompt,
            "extendable": list(self.extendable),
            "shares_notes": shares,
        }
        return facts if self.source is None else {**facts, "source": self.source}

    def parameters(self) -> type[pydantic.BaseModel]:
        """The parameters of the function but its scope, as a model that checks them."""
        _, *parameters = inspect.signature(self.play).parameters.values()
        hints = get_type_hints(self.play, include_extras=True)
        fields: dict[str, Any] = {}
        for parameter in parameters:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[parameter.name] = (hints.get(parameter.name, Any), default)
        return pydantic.create_model("Parameters", __config__=pydantic.ConfigDict(extra="forbid"), **fields)

    def run(self, conversation: Conversation, parameters: dict[str, Any], episode: dict[str, Any]) -> None:
        """Plays one episode, to its end."""
        checked = self.parameters().model_validate(parameters)
        given = {name: getattr(checked, name) for name in type(checked).model_fields}
        if inspect.iscoroutinefunction(self.play):
            conversation.run(lambda: self.play(AsyncScope(conversation, episode), **given))
        else:
            self.play(Scope(conversation, episode), **given)


def method(
    id: str,
    *,
    branches: bool,
    description: str | None = None,
    answer: Literal["last", "best", "committed", "most-visited"] = "last",
    roles: Sequence[Role] = (),
    prompt: Literal["react", "act"] = "react",
    extendable: Sequence[str] = (),
    source: str | None = None,
    round_size: int | Literal["all"] | None = None,
) -> Callable[[Play], Method]:
    """Makes a method of a function of a scope and its parameters, or of an ``async`` one.

    >>> @method("greedy", branches=True, answer="best")
    ... def greedy(scope: Scope, samples: int = 4, max_steps: int | None = None):
    ...     \"\"\"Takes the sampled action that gets furthest.\"\"\"

    The parameters are those of the function, checked by their types (``Annotated[int, Field(ge=1, description=…)]``); one of them must be
    ``max_steps``, which bounds a trajectory.

    :param branches: whether it goes back to earlier states, which not every environment can
    :param description: one line for people; default: the first of the docstring
    :param answer: which node is the episode's answer
    :param roles: whom it asks beside the policy
    :param prompt: the policy's system prompt: think and act, or act alone
    :param extendable: parameters that only add to what was played when they grow
    :param round_size: how many episodes play side by side before later ones find what they remembered, or ``"all"``; None: it remembers nothing
    :raises TypeError: if the function has no ``max_steps``
    """

    def declare(play: Play) -> Method:
        if "max_steps" not in inspect.signature(play).parameters:
            name = getattr(play, "__name__", id)
            raise TypeError(f'{name} needs the parameter "max_steps: int | None = None": it bounds a trajectory.')
        first = (inspect.getdoc(play) or id).splitlines()[0]
        return Method(
            id=id,
            description=description or first,
            play=play,
            branches=branches,
            answer=answer,
            roles=roles,
            prompt=prompt,
            extendable=extendable,
            source=source,
            round_size=round_size,
        )

    return declare


def schema_of(parameters: type[pydantic.BaseModel]) -> dict[str, Any]:
    """A JSON Schema in which what may be None is left out instead: a service records what it was given."""
    schema = parameters.model_json_schema()
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
        if field.get("default", ...) is None:
            del field["default"]
        options = [option for option in field.get("anyOf", []) if option != {"type": "null"}]
        if len(options) == 1:
            del field["anyOf"]
            field.update(options[0])
    schema.pop("title", None)
    return {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}


def _number(round_size: int | str) -> int | None:
    return None if round_size == "all" else int(round_size)
