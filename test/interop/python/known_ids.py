"""Ids from earlier answers, and the requests that they fit.

One rule links the operations: the answers of `/v1/runs` hold the ids of `/v1/runs/{run}`, and of every path below.
"""

import random
import re
from typing import Any

KEPT = 40
"""Objects remembered for each path, the newest."""


def is_parameter(part: str) -> bool:
    return part.startswith("{")


def owner_paths(path: str) -> list[str]:
    """The paths of the objects that a path names, the innermost first."""
    parts = path.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts) - 1, 0, -1) if is_parameter(parts[end])]


class KnownIds:
    def __init__(self, document: dict[str, Any], draw: random.Random, never: str) -> None:
        """`never` is an id to forget: that of the key with which the requests are sent."""
        self._paths = document["paths"]
        self._draw = draw
        self._never = never
        self._seen: dict[str, list[dict[str, str]]] = {path: [] for path in self._paths}
        self._made: dict[str, list[dict[str, str]]] = {path: [] for path in self._paths}
        self._examples = dict(self._example_parameters())

    def _example_parameters(self):
        for path, operations in self._paths.items():
            for operation in operations.values():
                for parameter in operation.get("parameters", []):
                    end = "/{%s}" % parameter["name"]
                    if parameter["in"] == "path" and "example" in parameter:
                        owner = next(each for each in owner_paths(path) if each.endswith(end))
                        yield str(parameter["example"]), (owner, parameter["name"])

    def parameters(self, path: str, *, own: bool = False) -> dict[str, str]:
        """Path parameters of an object that an answer named; empty if there was none.

        `own` prefers objects that these requests have made, the newest three.
        """
        for owner in owner_paths(path):
            if own and (made := self._made.get(owner)):
                return dict(self._draw.choice(made[-3:]))
            if seen := self._seen.get(owner):
                return dict(self._draw.choice(seen))
        return {}

    def fill(self, value: Any, *, own: bool = False) -> Any:
        """Puts ids from answers in place of the ids of the document's examples, such as `run-1` and `run-2`.

        `own` prefers objects that these requests have made, the newest six.
        """
        if isinstance(value, dict):
            return {name: self.fill(each, own=own) for name, each in value.items()}
        if isinstance(value, list):
            return [self.fill(each, own=own) for each in value]
        example = self._examples.get(re.sub(r"-\d+$", "-1", value)) if isinstance(value, str) else None
        if example is None:
            return value
        owner, name = example
        seen = (own and self._made.get(owner, [])[-6:]) or self._seen.get(owner)
        return self._draw.choice(seen)[name] if seen else value

    def learn(self, path: str, parameters: dict[str, str], answer: Any, *, made: bool) -> None:
        """Remembers the objects of an answer: one, or those of a list. `made` says that the request made them."""
        if not isinstance(answer, dict):
            return
        if made and parameters and path in self._made and owner_paths(path)[0] == path:
            self._keep(self._made, path, parameters)
        rows = answer["data"] if isinstance(answer.get("data"), list) else [answer]
        for owner in self._seen:
            end = re.fullmatch(re.escape(path) + r"/\{(\w+)\}", owner)
            for row in rows if end else []:
                found = next((row[name] for name in ("id", end[1], "name") if isinstance(row.get(name), str)), "")
                if found and found != self._never:
                    named = {**parameters, end[1]: found}
                    self._keep(self._seen, owner, named)
                    if made:
                        self._keep(self._made, owner, named)

    @staticmethod
    def _keep(objects: dict[str, list[dict[str, str]]], path: str, named: dict[str, str]) -> None:
        objects[path] = [*(each for each in objects[path] if each != named), named][-KEPT:]

    def forget(self, parameters: dict[str, str]) -> None:
        """Drops a deleted object and those below it."""
        for objects in (self._seen, self._made):
            for owner, kept in objects.items():
                objects[owner] = [each for each in kept if not parameters.items() <= each.items()]
