"""Speaks with the host that started this program: one JSON object a line, each way."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from .._faults import describe_error
from ._kept_states import KeptStates, StateNotKeptError
from .environment import Environment, StepResult, Task


class _UnknownTaskError(Exception):
    pass


class Sessions:
    """The sessions of one environment, by their names."""

    def __init__(self, environment: type[Environment], kept: KeptStates | None = None):
        """:param kept: states that other sessions of the class share; default: of these sessions alone"""
        self._environment = environment
        self._tasks = {task.id: task for task in environment.tasks()}
        self._open: dict[str, Environment] = {}
        self._shown: dict[str, str] = {}
        self._kept = kept or KeptStates(environment.kept_states)
        self._handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "describe": lambda _request: environment.facts(),
            "reset": self._reset,
            "step": self._step,
            "keep": self._keep,
            "restore": self._restore,
            "actions": lambda request: {"actions": sorted(self._open[request["session"]].actions() or ())},
            "close": self._close,
        }

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Never raises: what goes wrong is the answer, and a session that erred is closed."""
        try:
            handler = self._handlers.get(request["op"])
            if handler is None:
                return {"error": f"There is no operation {request['op']}.", "code": "invalid_request"}
            return handler(request)
        except _UnknownTaskError as error:
            return {"error": str(error), "code": "unknown_task"}
        except StateNotKeptError as error:
            return {"error": str(error), "code": "state_not_kept"}
        except Exception as error:
            traceback.print_exc()
            self._close_erred(request)
            return {"error": describe_error(error)}

    def _reset(self, request: dict[str, Any]) -> dict[str, Any]:
        task: Task | None = self._tasks.get(request["task"])
        if task is None:
            raise _UnknownTaskError(f"{self._environment.id} has no task {request['task']}.")
        self._close(request)
        session = self._open[request["session"]] = self._environment()
        first = session.reset(task, request["seed"])
        result = first if isinstance(first, StepResult) else StepResult(first)
        answer = result.to_json()
        self._shown[request["session"]] = result.observation
        return {name: answer[name] for name in ("observation", "pictures") if name in answer}

    def _step(self, request: dict[str, Any]) -> dict[str, Any]:
        result = self._open[request["session"]].step(request["action"])
        self._shown[request["session"]] = result.observation
        return result.to_json()

    def _keep(self, request: dict[str, Any]) -> dict[str, Any]:
        session = request["session"]
        return {"state": self._kept.keep(self._open[session], self._shown[session])}

    def _restore(self, request: dict[str, Any]) -> dict[str, Any]:
        kept = self._kept.find(request["state"])
        self._open[request["session"]] = kept.make(self._open[request["session"]])
        self._shown[request["session"]] = kept.observation
        return {"observation": kept.observation}

    def _close(self, request: dict[str, Any]) -> dict[str, Any]:
        session = self._open.pop(request["session"], None)
        self._shown.pop(request["session"], None)
        if session is not None:
            session.close()
        return {}

    def _close_erred(self, request: dict[str, Any]) -> None:
        try:
            self._close({"session": request.get("session")})
        except Exception:
            traceback.print_exc()


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
