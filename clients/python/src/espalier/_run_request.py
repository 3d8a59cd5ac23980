"""The request of a run from what is short to write in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TASK_FIELDS = ("split", "limit", "ids", "range", "types")


def run_body(
    environment: str,
    method: str | Mapping[str, Any],
    model: str | Mapping[str, Any],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """
    >>> run_body("maze", "react", "simulated", {"limit": 5})["tasks"]
    {'limit': 5}
    """
    rest = dict(settings)
    tasks = dict(rest.pop("tasks", {}))
    tasks.update({name: rest.pop(name) for name in _TASK_FIELDS if name in rest})
    return {
        "environment": environment,
        "method": {"id": method} if isinstance(method, str) else dict(method),
        "model": model_choice(model),
        **({"tasks": tasks} if tasks else {}),
        **rest,
    }


def model_choice(model: str | Mapping[str, Any]) -> dict[str, Any]:
    """``"endpoint/model"``; the first slash parts them, and a name without one is both."""
    if not isinstance(model, str):
        return dict(model)
    endpoint, slash, name = model.partition("/")
    return {"endpoint": endpoint, "id": name if slash else endpoint}
