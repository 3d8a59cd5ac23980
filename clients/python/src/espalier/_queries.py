"""The filters of lists, as keyword arguments."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

RunStatus = Literal["queued", "running", "paused", "succeeded", "failed", "cancelled"]


class LabelQuery(TypedDict, total=False):
    name: str
    experiment: str
    tag: str
    archived: Literal["true", "false", "any"]
    after: str


class RunsQuery(LabelQuery, total=False):
    status: RunStatus
    environment: str
    method: str
    model: str


class TasksQuery(TypedDict, total=False):
    split: str
    limit: int
    after: str


class EpisodesQuery(TypedDict, total=False):
    status: Literal["queued", "running", "succeeded", "failed", "limited", "errored", "cancelled"]
    task: str
    sort: Literal[
        "index", "task", "reward", "steps", "nodes", "model_calls", "tokens", "cost", "working_seconds"
    ]
    order: Literal["asc", "desc"]


class ReportQuery(TypedDict, total=False):
    interval: Literal["t", "bootstrap"]
