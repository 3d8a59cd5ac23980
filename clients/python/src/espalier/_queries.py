"""The filters of lists, as keyword arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

RunStatus = Literal["queued", "running", "paused", "succeeded", "failed", "cancelled"]


EpisodeEnd = Literal["succeeded", "failed", "limited", "errored", "cancelled"]


class _LabelledQuery(TypedDict, total=False):
    experiment: str
    tag: str | Sequence[str]
    archived: Literal["true", "false", "any"]
    after: str


class LabelQuery(_LabelledQuery, total=False):
    name: str


class RunsQuery(LabelQuery, total=False):
    status: RunStatus
    environment: str
    method: str
    model: str


class SearchQuery(_LabelledQuery, total=False):
    run: str | Sequence[str]
    environment: str
    method: str
    outcome: EpisodeEnd
    finish_reason: str
    kind: Literal["observation", "answer", "note"]


class JudgementsQuery(TypedDict, total=False):
    name: str
    episode: str
    kind: Literal["person", "scorer"]
    by: str
    after: str


class TasksQuery(TypedDict, total=False):
    split: str
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
