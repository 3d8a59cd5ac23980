"""Speaks with the worker that started this program: one JSON object a line, each way.

The function of a method runs only between two results: the worker sends one, and waits until the function waits again, with all that
it asks by then. So what it does does not depend on time, and a replay comes to the same.
"""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Awaitable, Callable
from typing import Any, TextIO


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

    def read(self) -> dict[str, Any]:
        """The next question. :raises SystemExit: when the worker is gone"""
        line = self._source.readline()
        if line == "":
            raise SystemExit(0)
        question = json.loads(line)
        self._question = question["id"]
        return question

    def answer(self, **fields: Any) -> None:
        """Answers the last question."""
        line = json.dumps({"id": self._question, **fields}, allow_nan=False)
        print(line, file=self._target, flush=True)

    def ask(self, op: str, fields: dict[str, Any]) -> Any:
        """Asks for one operation, and waits. :raises ScopeError: where it cannot be done"""
        self.answer(requests=[self._request(op, fields)], done=False)
        return _result(self.read())

    def ask_later(self, op: str, fields: dict[str, Any]) -> asyncio.Future[Any]:
        """Asks for one operation beside others."""
        request = self._request(op, fields)
        self._unsent.append(request)
        future = asyncio.get_running_loop().create_future()
        self._waiting[request["call"]] = future
        return future

    def run(self, function: Callable[[], Awaitable[None]]) -> None:
        """Runs an ``async`` function to its end."""
        self._waiting, self._unsent = {}, []
        loop = asyncio.SelectorEventLoop(_IdleSelector(self._exchange))
        try:
            loop.run_until_complete(function())
        finally:
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

    def _request(self, op: str, fields: dict[str, Any]) -> dict[str, Any]:
        self._calls += 1
        return {"call": self._calls, "op": op, **fields}


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
