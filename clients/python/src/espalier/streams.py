"""Rows of a run while it is played."""

from __future__ import annotations

from typing import Any

from . import models


def is_row(message: object, min_reward: float | None) -> bool:
    """Tells whether an event is an episode's end with a reward, and with enough of it."""
    if not isinstance(message, models.RunEvent):
        return False
    event: Any = message.root
    if event.type != "episode.ended" or event.result.reward is None:
        return False
    return min_reward is None or bool(event.result.reward >= min_reward)


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
