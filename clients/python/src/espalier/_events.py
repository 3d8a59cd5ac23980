"""The event streams of runs and rollouts (server-sent events)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import httpx

from . import models
from ._requests import asked_pause, path_of, read_json
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
    """The position in a stream of events. The transport brings its bytes, and opens the next stream."""

    def __init__(self, kind: str, id: str, after: int | None):
        self.path = path_of(kind, id, "events")
        self.has_ended = False
        self.pause = 0.1
        self._own_pause = 0.1
        self._last = None if after is None else str(after)
        self._broken_since: float | None = None
        self._type = ""
        self._id: str | None = None
        self._data: list[str] = []
        self._rest = b""

    def headers(self) -> dict[str, str]:
        self._type, self._id, self._data, self._rest = "", None, [], b""
        return {"Accept": "text/event-stream"} | ({} if self._last is None else {"Last-Event-ID": self._last})

    def refused(self, response: httpx.Response) -> None:
        """
        :param response: an answer of 400 or above, read to its end
        :raises ApiError: as :meth:`broke`
        """
        error = ApiError.from_response(response.status_code, read_json(response))
        self.broke(error, asked_pause(response.headers))

    def broke(self, error: Exception, asked: float = 0.0) -> None:
        """Waits for the next stream.

        :param asked: seconds that the service asks for before it
        :raises ApiError: if it is the error and will not pass, or outlasts patience
        :raises ServiceUnreachableError: if another error outlasts patience
        """
        now = time.monotonic()
        self._broken_since = self._broken_since or now
        is_over = now - self._broken_since > PATIENCE
        if isinstance(error, ApiError) and (is_over or not _may_pass(error)):
            raise error
        if is_over:
            raise ServiceUnreachableError(f"The events broke off: {error}") from error
        self._own_pause = min(2.0, self._own_pause * 2)
        self.pause = max(self._own_pause, asked)

    def read(self, block: bytes) -> Iterator[StreamMessage]:
        """Takes some bytes. :returns: the messages that they complete"""
        *lines, self._rest = (self._rest + block).split(b"\n")
        for line in lines:
            message = self._read(line.removesuffix(b"\r").decode())
            if message is not None:
                yield message

    def _read(self, line: str) -> StreamMessage | None:
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
        if kind == "error":
            self.broke(ApiError.from_response(500, json.loads(data)))
            return None
        self._broken_since, self._own_pause, self.pause = None, 0.1, 0.1
        if kind == "end":
            self.has_ended = True
        elif kind in SHAPES:
            return SHAPES[kind].model_validate_json(data)
        return None


def _may_pass(error: ApiError) -> bool:
    return error.code != "damaged_object" and (error.status >= 500 or error.status in {408, 429})
