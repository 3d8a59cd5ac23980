"""One task on one machine: its steps before, and its score afterwards, by desktop-env's own parts."""
import math
import os
import re
import shutil
import uuid
from typing import Any

from desktop_env_parts import DesktopEnvParts, check_presence
from faults import Fault, Notes
from machine_guard import MachineGuard

SLEEP = re.compile(r"\btime\.sleep\((\d+(?:\.\d+)?)\)")
# desktop-env waits five seconds before it asks again for what the machine does not have.
RETRY_AFTER = 1
HISTORY = (
    "https://huggingface.co/datasets/xlangai/ubuntu_osworld_file_cache/resolve/main/chrome/"
    "44ee5668-ecd5-4366-a6ce-c1c9b8d4e938/history_empty.sqlite?download=true"
)


class TaskEnvironment:
    """What getters of desktop-env read of its environment."""

    def __init__(self, request: dict[str, Any], guard: MachineGuard, parts: DesktopEnvParts):
        ports = request.get("ports", {})
        self.vm_ip = guard.host
        self.server_port = guard.port
        self.chromium_port = ports.get("chromium", 9222)
        self.vlc_port = ports.get("vlc", 8080)
        self.cache_dir = request["cache"]
        self.enable_proxy = False
        self.current_use_proxy = False
        self.client_password = request.get("password", "password")
        self.action_history = request.get("actions", [])
        self.controller = parts.controller("python", "PythonController")(guard.host, guard.port)
        self.controller.retry_interval = RETRY_AFTER

    @property
    def vm_platform(self) -> str:
        return self.controller.get_vm_platform()

    @property
    def vm_screen_size(self) -> dict[str, int]:
        return self.controller.get_vm_screen_size()


def at_pace(step: dict[str, Any], pace: float) -> dict[str, Any]:
    """The step with its fixed waits, those in its Python programs included, `pace` times as long."""
    parameters = dict(step["parameters"])
    if step["type"] == "sleep" and "seconds" in parameters:
        parameters["seconds"] = parameters["seconds"] * pace
    if step["type"] in ("execute", "command"):
        command = parameters.get("command")
        if isinstance(command, str):
            parameters["command"] = slower(command, pace)
        elif isinstance(command, list):
            parameters["command"] = [slower(word, pace) if isinstance(word, str) else word for word in command]
    return {**step, "parameters": parameters}


def slower(program: str, pace: float) -> str:
    return SLEEP.sub(lambda wait: f"time.sleep({float(wait[1]) * pace:g})", program)


class PlayedTask:
    def __init__(self, request: dict[str, Any], guard: MachineGuard, parts: DesktopEnvParts, notes: Notes):
        self._request = request
        self._task = request["task"]
        self._guard = guard
        self._parts = parts
        self._notes = notes
        os.makedirs(request["cache"], exist_ok=True)

    def set_up(self) -> None:
        self._run_steps(self._task.get("config") or [], "config")

    def score(self) -> float:
        evaluator = self._task["evaluator"]
        self._run_steps(evaluator.get("postconfig") or [], "evaluator.postconfig")
        actions = self._request["actions"]
        has_failed = bool(actions) and actions[-1] == "FAIL"
        if evaluator["func"] == "infeasible":
            return 1.0 if has_failed else 0.0
        if has_failed:
            return 0.0
        return self._evaluate(evaluator)

    def _run_steps(self, steps: list[dict[str, Any]], field: str) -> None:
        if not steps:
            return
        for step in steps:
            check_presence("steps", step["type"], f"The step {step['type']}")
        self._place_downloads(steps)
        controller = self._parts.controller("setup", "SetupController")(
            vm_ip=self._guard.host,
            server_port=self._guard.port,
            chromium_port=self._request.get("ports", {}).get("chromium", 9222),
            vlc_port=self._request.get("ports", {}).get("vlc", 8080),
            cache_dir=self._request["cache"],
            client_password=self._request.get("password", "password"),
        )
        pace = float(self._request.get("pace", 1))
        for index, step in enumerate(steps):
            run = getattr(controller, f"_{step['type']}_setup", None)
            if run is None:
                raise Fault("task", f"desktop-env has no step {step['type']} ({field}.{index}).")
            try:
                run(**at_pace(step, pace)["parameters"])
            except Exception as error:
                Fault.check()
                raise Fault("step", f"The step {step['type']} ({field}.{index}) failed: {error}") from error
            Fault.check()

    def _evaluate(self, evaluator: dict[str, Any]) -> float:
        if not isinstance(evaluator["func"], list):
            wanted = evaluator.get("result"), evaluator.get("expected"), evaluator.get("options")
            return self._measure(evaluator["func"], *wanted)
        names = evaluator["func"]
        joins_by_and = evaluator.get("conj", "and") == "and"
        columns = [evaluator.get(field) or [None] * len(names) for field in ("result", "expected", "options")]
        if any(len(column) != len(names) for column in columns):
            raise Fault("task", "The lists of the task's evaluator have not the same length.")
        scores: list[float] = []
        for name, *wanted in zip(names, *columns, strict=True):
            score = self._measure(name, *wanted)
            if joins_by_and and score == 0:
                return 0.0
            if not joins_by_and and score == 1:
                return 1.0
            scores.append(score)
        return sum(scores) / len(scores) if joins_by_and else max(scores)

    def _measure(self, name: str, result: Any, expected: Any, options: Any) -> float:
        metric = self._parts.metric(name)
        if not result:
            raise Fault("task", f"The task's evaluator has no result for {name}.")
        try:
            values = [self._get(result)]
        except FileNotFoundError as error:
            self._notes.add(f"No file: {error}")
            return 0.0
        if expected:
            values.append(self._get(expected))
        try:
            measured = metric(*values, **(options or {}))
        except Exception as error:
            Fault.check()
            raise Fault("metric", f"The metric {name} failed: {type(error).__name__}: {error}") from error
        Fault.check()
        try:
            score = float(measured)
        except (TypeError, ValueError):
            score = math.nan
        if not math.isfinite(score):
            raise Fault("metric", f"The metric {name} gave no number.")
        return score

    def _get(self, wanted: dict[str, Any]) -> Any:
        get = self._parts.getter(wanted["type"])
        self._place_cloud_files(wanted)
        environment = TaskEnvironment(self._request, self._guard, self._parts)
        try:
            value = get(environment, wanted)
        except FileNotFoundError:
            Fault.check()
            raise
        except Exception as error:
            Fault.check()
            raise Fault(
                "metric", f"The result {wanted['type']} could not be read: {type(error).__name__}: {error}"
            ) from error
        Fault.check()
        return value

    def _place_downloads(self, steps: list[dict[str, Any]]) -> None:
        for step in steps:
            if step["type"] == "update_browse_history":
                self._place(HISTORY, "history_new.sqlite")
            if step["type"] != "download":
                continue
            for file in step["parameters"]["files"]:
                url, name = file["url"], os.path.basename(file["path"])
                self._place(url, f"{uuid.uuid5(uuid.NAMESPACE_URL, url)}_{name}")

    def _place_cloud_files(self, wanted: dict[str, Any]) -> None:
        if wanted["type"] != "cloud_file":
            return
        paths, names = wanted["path"], wanted["dest"]
        if not wanted.get("multi", False):
            paths, names = [paths], [names]
        for url, name in zip(paths, names, strict=True):
            self._place(url, name)

    def _place(self, url: str, name: str) -> None:
        """Puts a file where desktop-env looks before it downloads."""
        place = os.path.join(self._request["cache"], name)
        if os.path.exists(place):
            return
        source = self._request.get("files", {}).get(url)
        if source is not None:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copyfile(source, place)
        elif not self._request.get("network", False):
            raise Fault("files", f"The task needs a file that is not here: {url}")
