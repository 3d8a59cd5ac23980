"""Rows of a run while it is played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from . import _calls, models
from ._sync_transport import SyncTransport
from .errors import ApiError


class RunRows:
    """:meth:`Run.stream_rows` for ``datasets``, which pickles and copies it: each call has its own connections.

    A pickle holds the key, unless each process finds it in its environment.
    """

    def __init__(self, address: str, key: str | None, timeout: float, run: str, min_reward: float | None):
        self._address = address
        self._key = key or os.environ.get("ESPALIER_API_KEY")
        self._timeout = timeout
        self._run = run
        self._min_reward = min_reward

    def __call__(self) -> Iterator[dict[str, Any]]:
        transport = SyncTransport(self._address, self._key, self._timeout)
        try:
            yield from run_rows(transport, self._run, self._min_reward)
        finally:
            transport.close()

    def __reduce__(self) -> tuple[type[RunRows], tuple[Any, ...]]:
        key = None if self._key == os.environ.get("ESPALIER_API_KEY") else self._key
        return RunRows, (self._address, key, self._timeout, self._run, self._min_reward)


def run_rows(transport: SyncTransport, run: str, min_reward: float | None) -> Iterator[dict[str, Any]]:
    for message in transport.events("runs", run, 0):
        if is_row(message, min_reward):
            event: Any = message.root
            try:
                trajectory = transport.send(_calls.trajectory(run, event.episode))
            except ApiError as error:
                if error.code != "not_found" or has_action(transport.send(_calls.episode(run, event.episode))):
                    raise
            else:
                yield row_of(message, trajectory)


def is_row(message: object, min_reward: float | None) -> bool:
    """Tells whether an event is an episode's end with a reward, and with enough of it."""
    if not isinstance(message, models.RunEvent):
        return False
    event: Any = message.root
    if event.type != "episode.ended" or event.result.reward is None:
        return False
    return min_reward is None or bool(event.result.reward >= min_reward)


def has_action(episode: models.Episode) -> bool:
    """False if the episode ended at the root of its tree: it has no trajectory."""
    return episode.result is None or episode.result.path_length > 0


def row_of(message: Any, trajectory: models.Trajectory) -> dict[str, Any]:
    """The path to the answer as a conversation, with the episode, its task, its status and its reward."""
    event = message.root
    messages: list[dict[str, str]] = []
    for step in trajectory.steps:
        role = "assistant" if step.source == "agent" else step.source
        messages.append({"role": role, "content": step.message})
        seen = [] if step.observation is None else [result.content for result in step.observation.results]
        if seen:
            messages.append({"role": "user", "content": "\n".join(seen)})
    return {
        "messages": messages,
        "task": event.task,
        "episode": event.episode,
        "status": event.result.status,
        "reward": event.result.reward,
    }
