"""Speaks with the host that started this program: one JSON object a line, each way."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from .._faults import describe_error
from .environment import Environment, StepResult, Task


class _UnknownTaskError(Exception):
    pass


class Sessions:
    """The sessions of one environment, by their names."""

    def __init__(self, environment: type[Environment]):
        self._environment = environment
        self._tasks = {task.id: task for task in environment.tasks()}
        self._open: dict[str, Environment] = {}
        self._handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "describe": lambda _request: environment.facts(),
            "reset": self._reset,
            "step": lambda request: self._open[request["session"]].step(request["action"]).to_json(),
            "actions": lambda request: {"actions": sorted(self._open[request["session"]].actions() or ())},
            "close": self._close,
        }

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Never raises: what goes wrong is the answer, and a session that erred is gone."""
        try:
            handler = self._handlers.get(request["op"])
            if handler is None:
                return {"error": f"There is no operation {request['op']}.", "code": "invalid_request"}
            return handler(request)
        except _UnknownTaskError as error:
            return {"error": str(error), "code": "unknown_task"}
        except Exception as error:
            traceback.print_exc()
            self._open.pop(request.get("session", ""), None)
            return {"error": describe_error(error)}

    def _reset(self, request: dict[str, Any]) -> dict[str, Any]:
        task: Task | None = self._tasks.get(request["task"])
        if task is None:
            raise _UnknownTaskError(f"{self._environment.id} has no task {request['task']}.")
        self._close(request)
        session = self._environment()
        first = session.reset(task, request["seed"])
        self._open[request["session"]] = session
        result = first if isinstance(first, StepResult) else StepResult(first)
        answer = result.to_json()
        return {name: answer[name] for name in ("observation", "pictures") if name in answer}

    def _close(self, request: dict[str, Any]) -> dict[str, Any]:
        session = self._open.pop(request["session"], None)
        if session is not None:
            session.close()
        return {}


def serve(
    environment: type[Environment], requests: TextIO | None = None, answers: TextIO | None = None
) -> None:
    """Answers a host until its requests end. What the environment prints goes to the error output, and so to the host's log."""
    source, target = requests or sys.stdin, answers or sys.stdout
    if target is sys.stdout:
        sys.stdout = sys.stderr
    sessions = Sessions(environment)
    for line in source:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **sessions.answer(request)}), file=target, flush=True)
