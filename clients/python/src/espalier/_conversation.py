"""Speaks with the worker that started this program: one JSON object a line, each way.

The function of a method runs only between two results: the worker sends one, and waits until the function waits again, with all that
it asks by then. So what it does does not depend on time, and a replay comes to the same. The worker also asks for the effects that the
function declared and the journal does not have: those of an ``async`` function run beside each other, in threads.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import selectors
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TextIO

from ._faults import describe_error

Effect = Callable[[], Any]


class ScopeError(RuntimeError):
    """An operation of the scope that cannot be done, such as one at a node that is not there."""


class Conversation:
    """The worker's questions, and the operations that a function asks it for."""

    def __init__(self, source: TextIO, target: TextIO):
        self._source, self._target = source, target
        self._question: int | None = None
        self._calls = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._unsent: list[dict[str, Any]] = []
        self._effects: dict[int, Effect] = {}
        self._is_async = False
        self._lock = threading.Lock()

    def read(self) -> dict[str, Any]:
        """The next question. :raises SystemExit: when the worker is gone"""
        while True:
            line = self._source.readline()
            if line == "":
                raise SystemExit(0)
            question: dict[str, Any] = json.loads(line)
            if question["op"] != "perform":
                self._question = question["id"]
                return question
            if self._is_async:
                threading.Thread(target=self._perform, args=(question,), daemon=True).start()
            else:
                self._perform(question)

    def answer(self, **fields: Any) -> None:
        """Answers the last question."""
        self._write({"id": self._question, **fields})

    def ask(self, op: str, fields: dict[str, Any], effect: Effect | None = None) -> Any:
        """Asks for one operation, and waits. :raises ScopeError: where it cannot be done"""
        self.answer(requests=[self._request(op, fields, effect)], done=False)
        return _result(self.read())

    def ask_later(self, op: str, fields: dict[str, Any], effect: Effect | None = None) -> asyncio.Future[Any]:
        """Asks for one operation beside others."""
        request = self._request(op, fields, effect)
        self._unsent.append(request)
        future = asyncio.get_running_loop().create_future()
        self._waiting[request["call"]] = future
        return future

    def run(self, function: Callable[[], Awaitable[None]]) -> None:
        """Runs an ``async`` function to its end."""
        self._waiting, self._unsent, self._is_async = {}, [], True
        loop = asyncio.SelectorEventLoop(_IdleSelector(self._exchange))
        try:
            loop.run_until_complete(function())
        finally:
            self._is_async = False
            loop.close()

    def _exchange(self) -> None:
        """Called when everything waits: sends what is asked by now, and takes one result."""
        if not self._waiting:
            raise RuntimeError("The function waits for something that is not of its scope.")
        self.answer(requests=self._unsent, done=False)
        self._unsent = []
        reply = self.read()
        future = self._waiting.pop(reply["call"])
        if future.cancelled():
            return
        try:
            future.set_result(_result(reply))
        except ScopeError as error:
            future.set_exception(error)

    def _request(self, op: str, fields: dict[str, Any], effect: Effect | None) -> dict[str, Any]:
        self._calls += 1
        if effect is not None:
            self._effects[self._calls] = effect
        return {"call": self._calls, "op": op, **fields}

    def _perform(self, question: dict[str, Any]) -> None:
        try:
            result = _run(self._effects.pop(question["call"]))
        except Exception as error:
            self._write({"id": question["id"], "error": describe_error(error)})
            return
        try:
            self._write({"id": question["id"], "result": result})
        except (TypeError, ValueError) as error:
            reason = f"An effect returned what JSON lacks ({error}). Return texts, numbers, lists and mappings."
            self._write({"id": question["id"], "error": reason})

    def _write(self, answer: dict[str, Any]) -> None:
        line = json.dumps(answer, allow_nan=False)
        with self._lock:
            print(line, file=self._target, flush=True)


def _run(effect: Effect) -> Any:
    result = effect()
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


class _IdleSelector(selectors.SelectSelector):
    """Has an event loop ask the worker whenever it would wait. It never waits for a clock, which no replay could repeat."""

    def __init__(self, on_idle: Callable[[], None]):
        super().__init__()
        self._on_idle = on_idle

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            self._on_idle()
        elif timeout > 0:
            raise RuntimeError(
                "The function waits for a clock, such as asyncio.sleep. Only the scope can be waited for."
            )
        return super().select(0)


def _result(reply: dict[str, Any]) -> Any:
    if "error" in reply:
        raise ScopeError(reply["error"])
    return reply["result"]
