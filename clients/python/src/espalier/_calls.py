"""The routes of the API that the clients have methods for, each as a function that makes its request."""

from __future__ import annotations

from typing import Any

from . import models
from ._requests import Request, new_idempotency_key, path_of
from .report import Comparison, Report

Body = dict[str, Any]


def health() -> Request[dict[str, Any]]:
    return Request("GET", "/health", dict)


def environments() -> Request[models.EnvironmentList]:
    return Request("GET", path_of("environments"), models.EnvironmentList, {"limit": 1000})


def tasks(environment: str, **query: Any) -> Request[models.TaskList]:
    return Request("GET", path_of("environments", environment, "tasks"), models.TaskList, query)


def methods() -> Request[models.MethodList]:
    return Request("GET", path_of("methods"), models.MethodList, {"limit": 1000})


def endpoints() -> Request[models.EndpointList]:
    return Request("GET", path_of("models"), models.EndpointList, {"limit": 1000})


def create_run(body: Body, idempotency_key: str | None) -> Request[models.Run]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("runs"), models.Run, body=body, idempotency_key=key)


def estimate_run(body: Body) -> Request[models.RunEstimate]:
    return Request("POST", path_of("runs"), models.RunEstimate, {"dry_run": True}, body)


def run(run_id: str) -> Request[models.Run]:
    return Request("GET", path_of("runs", run_id), models.Run)


def runs(**query: Any) -> Request[models.RunList]:
    return Request("GET", path_of("runs"), models.RunList, query)


def change_run(run_id: str, change: str, body: Body) -> Request[models.Run]:
    return Request("POST", path_of("runs", run_id, change), models.Run, body=body)


def episodes(run_id: str, **query: Any) -> Request[models.EpisodeList]:
    return Request("GET", path_of("runs", run_id, "episodes"), models.EpisodeList, query)


def episode(run_id: str, episode_id: str) -> Request[models.Episode]:
    return Request("GET", path_of("runs", run_id, "episodes", episode_id), models.Episode)


def tree(run_id: str, episode_id: str) -> Request[models.Tree]:
    return Request("GET", path_of("runs", run_id, "episodes", episode_id, "tree"), models.Tree)


def trajectory(run_id: str, episode_id: str) -> Request[models.Trajectory]:
    return Request("GET", path_of("runs", run_id, "episodes", episode_id, "trajectory"), models.Trajectory)


def report(run_id: str, **query: Any) -> Request[Report]:
    return Request("GET", path_of("runs", run_id, "report"), Report, query)


def compare(run_ids: list[str], interval: str | None) -> Request[Comparison]:
    body = {"runs": run_ids, **({} if interval is None else {"interval": interval})}
    return Request("POST", path_of("reports", "compare"), Comparison, body=body)


def create_dataset(body: Body, idempotency_key: str | None) -> Request[models.Dataset]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("datasets"), models.Dataset, body=body, idempotency_key=key)


def dataset(dataset_id: str) -> Request[models.Dataset]:
    return Request("GET", path_of("datasets", dataset_id), models.Dataset)


def datasets(**query: Any) -> Request[models.DatasetList]:
    return Request("GET", path_of("datasets"), models.DatasetList, query)


def dataset_files(dataset_id: str, **query: Any) -> Request[models.SignedFileList]:
    return Request("GET", path_of("datasets", dataset_id, "files"), models.SignedFileList, query)


def dataset_readme(dataset_id: str) -> Request[str]:
    return Request("GET", path_of("datasets", dataset_id, "readme"), str)
