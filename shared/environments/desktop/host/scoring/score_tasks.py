"""Sets tasks of OSWorld's format up and scores them: one JSON object a line on the input, one answer a line on the output.

Each request runs in a child of its own, so that requests run side by side and what one does to its process, its modules or
its memory harms no other.
"""
import json
import logging
import os
import platform
import selectors
import signal
import sys
import time
from importlib.metadata import version
from typing import Any

if len(sys.argv) > 1:
    # A folder with desktop-env alone, where it is not among the packages of this Python.
    sys.path.append(sys.argv[1])

from desktop_env_parts import LEFT_OUT, DesktopEnvParts
from faults import Fault, Notes

MOST_CHILDREN = 32
LONGEST_ANSWER = 64 * 1024
WITHIN = 300
# How long after its limit a child may take to say that it is late. Seconds.
GRACE = 10


class NoteHandler(logging.Handler):
    def __init__(self, notes: Notes):
        super().__init__(logging.ERROR)
        self._notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        self._notes.add(record.getMessage())


def play(request: dict[str, Any], parts: DesktopEnvParts, notes: Notes) -> dict[str, Any]:
    from machine_guard import MachineGuard
    from play_task import PlayedTask

    guard = MachineGuard(request["machine"], request.get("network", False), notes)

    def be_late(*_: Any) -> None:
        awaited = f" while it waited for the machine's {guard.awaited}" if guard.awaited else ""
        raise Fault("late", f"It took longer than {limit_of(request):g} seconds{awaited}.")

    # Again each second, because a bare except stops it once.
    signal.signal(signal.SIGALRM, be_late)
    signal.setitimer(signal.ITIMER_REAL, limit_of(request), 1)
    guard.install()
    task = PlayedTask(request, guard, parts, notes)
    if request["op"] == "score":
        return {"score": task.score()}
    task.set_up()
    return {}


def limit_of(request: dict[str, Any]) -> float:
    return request.get("within", WITHIN)


def answer_in_child(request: dict[str, Any], parts: DesktopEnvParts) -> dict[str, Any]:
    notes = Notes()
    logging.getLogger().addHandler(NoteHandler(notes))
    # It says each time that there are no proxies.
    logging.getLogger("desktopenv.providers.aws.ProxyPool").addFilter(lambda _: False)
    try:
        answer = play(request, parts, notes)
    except Fault as fault:
        answer = {"fault": {"kind": fault.kind, "message": fault.message[:2000]}}
    except BaseException as error:  # noqa: BLE001 (whatever a library raises is this request's answer)
        first = Fault.raised[0] if Fault.raised else None
        kind = first.kind if first else "task"
        message = first.message if first else f"{type(error).__name__}: {error}"
        answer = {"fault": {"kind": kind, "message": message[:2000]}}
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {**answer, "notes": notes.lines}


class Child:
    """A request that is worked on."""

    def __init__(self, request: dict[str, Any], parts: DesktopEnvParts):
        self.id: int = request["id"]
        self.key: str | None = request.get("key")
        self.ends_by = time.monotonic() + limit_of(request) + GRACE
        self.is_late = False
        self._received = b""
        reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.close(reader)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                answer = json.dumps(answer_in_child(request, parts)).encode()
                with os.fdopen(writer, "wb") as stream:
                    stream.write(answer + b"\n")
                code = 0
            finally:
                # Nothing that the parent left to do at its end.
                os._exit(code)
        os.close(writer)
        self.reader = reader

    def read(self) -> bool:
        """Takes what the child wrote; true once it has ended."""
        chunk = os.read(self.reader, 65536)
        self._received += chunk
        if len(self._received) > LONGEST_ANSWER:
            self.kill()
            return True
        return chunk == b""

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> dict[str, Any]:
        """The answer of a child that has ended."""
        os.close(self.reader)
        _, status = os.waitpid(self.pid, 0)
        if self._received.endswith(b"\n"):
            return json.loads(self._received)
        if self.is_late:
            return {"fault": {"kind": "late", "message": "It took too long and did not end."}}
        code = os.waitstatus_to_exitcode(status)
        return {"fault": {"kind": "crashed", "message": f"The process of this request ended with code {code}."}}


class Program:
    def __init__(self, answers: int):
        self._answers = answers
        self._parts = DesktopEnvParts()
        self._children: list[Child] = []
        self._waiting: list[dict[str, Any]] = []
        self._selector = selectors.DefaultSelector()
        self._read = b""

    def run(self) -> None:
        self._selector.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select(timeout=1):
                if key.data is None:
                    if not self._take_input():
                        return
                elif key.data.read():
                    self._finish(key.data)
            now = time.monotonic()
            for child in self._children:
                if child.ends_by < now:
                    child.is_late = True
                    child.kill()
            while self._waiting and len(self._children) < MOST_CHILDREN:
                self._start(self._waiting.pop(0))

    def end(self) -> None:
        for child in self._children:
            child.kill()

    def _take_input(self) -> bool:
        chunk = os.read(0, 65536)
        self._read += chunk
        *lines, self._read = self._read.split(b"\n")
        for line in lines:
            if line.strip():
                self._take(json.loads(line))
        return chunk != b""

    def _take(self, request: dict[str, Any]) -> None:
        operation = request["op"]
        if operation == "describe":
            self._answer(request["id"], self._describe())
        elif operation == "cancel":
            self._cancel(request["key"])
            self._answer(request["id"], {})
        elif operation in ("set_up", "score"):
            self._waiting.append(request)
        else:
            self._answer(request["id"], {"error": f"There is no operation {operation}.", "code": "invalid_request"})

    def _describe(self) -> dict[str, Any]:
        return {
            "desktop_env": version("desktop-env"),
            "python": platform.python_version(),
            "metrics": self._parts.metrics,
            "getters": self._parts.getters,
            "left_out": LEFT_OUT,
        }

    def _start(self, request: dict[str, Any]) -> None:
        child = Child(request, self._parts)
        self._children.append(child)
        self._selector.register(child.reader, selectors.EVENT_READ, child)

    def _finish(self, child: Child) -> None:
        self._selector.unregister(child.reader)
        self._children.remove(child)
        self._answer(child.id, child.end())

    def _cancel(self, key: str) -> None:
        for child in self._children:
            if child.key == key:
                child.kill()
        for request in [waiting for waiting in self._waiting if waiting.get("key") == key]:
            self._waiting.remove(request)
            self._answer(request["id"], {"fault": {"kind": "crashed", "message": "It was cancelled."}})

    def _answer(self, request: int, answer: dict[str, Any]) -> None:
        line = json.dumps({"id": request, **answer}).encode() + b"\n"
        while line:
            line = line[os.write(self._answers, line) :]


def main() -> None:
    # What libraries and getters print must not end up among the answers.
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    program = Program(answers)
    try:
        program.run()
    finally:
        program.end()


if __name__ == "__main__":
    main()
