"""The event streams of runs and rollouts (server-sent events), read line by line."""

from __future__ import annotations

import json
import time
from typing import Any

from . import models
from ._requests import path_of
from .errors import ApiError, ServiceUnreachableError

PATIENCE = 30.0
"""Seconds for which a broken stream is opened again before it is given up."""

RunMessage = models.RunEvent | models.Run
"""What a stream brings: an event of the run, or the run as it is now."""

StreamMessage = RunMessage | models.GroupEvent | models.Rollout

SHAPES = {
    "run": models.Run,
    "run.status": models.RunEvent,
    "run.problem": models.RunEvent,
    "episode.ended": models.RunEvent,
    "rollout": models.Rollout,
    "group.finished": models.GroupEvent,
}


class EventStream:
    """The position in a stream of events. The transport brings the lines, and opens the next stream."""

    def __init__(self, kind: str, id: str, after: int | None):
        self.path = path_of(kind, id, "events")
        self.has_ended = False
        self.pause = 0.1
        self._last = None if after is None else str(after)
        self._broken_since: float | None = None
        self._type = ""
        self._id: str | None = None
        self._data: list[str] = []

    def headers(self) -> dict[str, str]:
        self._type, self._id, self._data = "", None, []
        return {"Accept": "text/event-stream"} | ({} if self._last is None else {"Last-Event-ID": self._last})

    def broke(self, error: Exception) -> None:
        """:raises ServiceUnreachableError: where the stream has been broken for longer than patience lasts"""
        now = time.monotonic()
        self._broken_since = self._broken_since or now
        if now - self._broken_since > PATIENCE:
            raise ServiceUnreachableError(f"The events broke off: {error}") from error
        self.pause = min(2.0, self.pause * 2)

    def read(self, line: str) -> StreamMessage | None:
        """Takes one line. :returns: the message that it completes"""
        if line == "":
            return self._complete()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        return None

    def _complete(self) -> StreamMessage | None:
        kind, data = self._type, "\n".join(self._data)
        self._last = self._id or self._last
        self._type, self._id, self._data = "", None, []
        if data == "":
            return None
        self._broken_since, self.pause = None, 0.1
        if kind == "end":
            self.has_ended = True
        elif kind in SHAPES:
            return SHAPES[kind].model_validate_json(data)
        elif kind == "error":
            body: Any = json.loads(data)
            raise ApiError.from_response(500, body)
        return None
