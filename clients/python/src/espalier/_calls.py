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
    return Request("GET", path_of("environments"), models.EnvironmentList)


def tasks(environment: str, **query: Any) -> Request[models.TaskList]:
    return Request("GET", path_of("environments", environment, "tasks"), models.TaskList, query)


def methods() -> Request[models.MethodList]:
    return Request("GET", path_of("methods"), models.MethodList)


def endpoints() -> Request[models.EndpointList]:
    return Request("GET", path_of("models"), models.EndpointList)


def create_run(body: Body, idempotency_key: str | None) -> Request[models.Run]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("runs"), models.Run, body=body, idempotency_key=key)


def estimate_run(body: Body) -> Request[models.RunEstimate]:
    return Request("POST", path_of("runs"), models.RunEstimate, {"dry_run": True}, body)


def create_rollout(body: Body, idempotency_key: str | None) -> Request[models.Rollout]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("rollouts"), models.Rollout, body=body, idempotency_key=key)


def rollout(rollout_id: str) -> Request[models.Rollout]:
    return Request("GET", path_of("rollouts", rollout_id), models.Rollout)


def rollouts() -> Request[models.RolloutList]:
    return Request("GET", path_of("rollouts"), models.RolloutList)


def change_rollout(rollout_id: str, change: str, body: Body | None = None) -> Request[models.Rollout]:
    return Request("POST", path_of("rollouts", rollout_id, change), models.Rollout, body=body)


def rollout_group(rollout_id: str, index: int, form: str) -> Request[models.GroupRows]:
    return Request("GET", path_of("rollouts", rollout_id, "groups", str(index)), models.GroupRows, {"form": form})


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


def dataset_files(dataset_id: str) -> Request[models.SignedFileList]:
    return Request("GET", path_of("datasets", dataset_id, "files"), models.SignedFileList)


def dataset_formats() -> Request[models.DatasetFormatList]:
    return Request("GET", path_of("dataset-formats"), models.DatasetFormatList)


def dataset_readme(dataset_id: str) -> Request[str]:
    return Request("GET", path_of("datasets", dataset_id, "readme"), str)


def create_training(body: Body, idempotency_key: str | None) -> Request[models.Training]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("trainings"), models.Training, body=body, idempotency_key=key)


def training(training_id: str) -> Request[models.Training]:
    return Request("GET", path_of("trainings", training_id), models.Training)


def trainings() -> Request[models.TrainingList]:
    return Request("GET", path_of("trainings"), models.TrainingList)


def change_training(training_id: str, change: str, body: Body | None = None) -> Request[models.Training]:
    return Request("POST", path_of("trainings", training_id, change), models.Training, body=body)


def training_metrics(training_id: str) -> Request[models.TrainingMetricList]:
    return Request("GET", path_of("trainings", training_id, "metrics"), models.TrainingMetricList)


def create_loop(body: Body, idempotency_key: str | None) -> Request[models.Loop]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("loops"), models.Loop, body=body, idempotency_key=key)


def plan_loop(body: Body) -> Request[models.LoopPlan]:
    return Request("POST", path_of("loops"), models.LoopPlan, {"dry_run": True}, body)


def loop(loop_id: str) -> Request[models.Loop]:
    return Request("GET", path_of("loops", loop_id), models.Loop)


def loops() -> Request[models.LoopList]:
    return Request("GET", path_of("loops"), models.LoopList)


def change_loop(loop_id: str, change: str, body: Body | None = None) -> Request[models.Loop]:
    return Request("POST", path_of("loops", loop_id, change), models.Loop, body=body)


def loop_report(loop_id: str) -> Request[models.LoopReport]:
    return Request("GET", path_of("loops", loop_id, "report"), models.LoopReport)


def registered_models() -> Request[models.RegisteredModelList]:
    return Request("GET", path_of("registered-models"), models.RegisteredModelList)


def registered_model(model: str) -> Request[models.RegisteredModel]:
    return Request("GET", path_of("registered-models", model), models.RegisteredModel)


def model_lineage(model: str) -> Request[models.ModelLineage]:
    return Request("GET", path_of("registered-models", model, "lineage"), models.ModelLineage)


def serve_model(model: str, body: Body) -> Request[models.ModelServer]:
    return Request("POST", path_of("registered-models", model, "serve"), models.ModelServer, body=body)


def stop_serving(model: str) -> Request[models.StoppedModelServer]:
    return Request("POST", path_of("registered-models", model, "stop"), models.StoppedModelServer)


def model_servers() -> Request[models.ModelServerList]:
    return Request("GET", path_of("model-servers"), models.ModelServerList)


def endpoint_details() -> Request[models.EndpointDetailList]:
    return Request("GET", path_of("endpoints"), models.EndpointDetailList)


def endpoint_detail(endpoint: str) -> Request[models.EndpointDetail]:
    return Request("GET", path_of("endpoints", endpoint), models.EndpointDetail)


def leaderboard(body: Body) -> Request[models.Leaderboard]:
    return Request("POST", path_of("reports", "leaderboard"), models.Leaderboard, body=body)


def imports(**query: Any) -> Request[models.TrajectoryImportList]:
    return Request("GET", path_of("trajectories"), models.TrajectoryImportList, query)


def search(query: Body) -> Request[models.TranscriptHits]:
    return Request("GET", path_of("transcripts"), models.TranscriptHits, query)


def scores(run_id: str) -> Request[models.ScoreList]:
    return Request("GET", path_of("runs", run_id, "scores"), models.ScoreList)


def score_report(run_id: str, name: str, against: str | None) -> Request[models.ScoreReport]:
    return Request("GET", path_of("runs", run_id, "scores", name), models.ScoreReport, {"against": against})


def score(run_id: str, body: Body) -> Request[models.RubricScoring]:
    return Request("POST", path_of("runs", run_id, "scorings"), models.RubricScoring, body=body)


def calls(run_id: str, episode_id: str) -> Request[models.EpisodeCalls]:
    return Request("GET", path_of("runs", run_id, "episodes", episode_id, "calls"), models.EpisodeCalls)


def node(run_id: str, episode_id: str, index: int) -> Request[models.NodeDetail]:
    return Request("GET", path_of("runs", run_id, "episodes", episode_id, "nodes", index), models.NodeDetail)


def label_run(run_id: str, body: Body) -> Request[models.Run]:
    return Request("PATCH", path_of("runs", run_id), models.Run, body=body)


def label_dataset(dataset_id: str, body: Body) -> Request[models.Dataset]:
    return Request("PATCH", path_of("datasets", dataset_id), models.Dataset, body=body)


def label_import(import_id: str, body: Body) -> Request[models.TrajectoryImport]:
    return Request("PATCH", path_of("trajectories", import_id), models.TrajectoryImport, body=body)


def delete(*parts: str) -> Request[None]:
    return Request("DELETE", path_of(*parts), None)


def add_endpoint(name: str, endpoint: Body) -> Request[models.EndpointDetail]:
    return Request("POST", path_of("endpoints"), models.EndpointDetail, body={"name": name, "endpoint": endpoint})


def change_endpoint(name: str, endpoint: Body) -> Request[models.EndpointDetail]:
    return Request("PUT", path_of("endpoints", name), models.EndpointDetail, body={"endpoint": endpoint})


def test_endpoint(name: str, body: Body) -> Request[models.EndpointTest]:
    return Request("POST", path_of("endpoints", name, "test"), models.EndpointTest, body=body)


def begin_import(query: Body, lines: str, idempotency_key: str | None) -> Request[models.TrajectoryImport]:
    key = idempotency_key or new_idempotency_key()
    return Request("POST", path_of("trajectories"), models.TrajectoryImport, query, idempotency_key=key, lines=lines)


def append_import(import_id: str, query: Body, lines: str) -> Request[models.TrajectoryImport]:
    path = path_of("trajectories", import_id, "rows")
    return Request("POST", path, models.TrajectoryImport, query, idempotency_key=new_idempotency_key(), lines=lines)


def get_import(import_id: str) -> Request[models.TrajectoryImport]:
    return Request("GET", path_of("trajectories", import_id), models.TrajectoryImport)


def rejections(import_id: str) -> Request[models.TrajectoryRejectionList]:
    return Request("GET", path_of("trajectories", import_id, "rejections"), models.TrajectoryRejectionList)


def judgements(run_id: str, **query: Any) -> Request[models.JudgementList]:
    return Request("GET", path_of("runs", run_id, "judgements"), models.JudgementList, query)


def judge(run_id: str, episode_id: str, name: str, node: int | None, body: Body) -> Request[models.EpisodeJudgement]:
    path = path_of("runs", run_id, "episodes", episode_id, "judgements", name)
    return Request("PUT", path, models.EpisodeJudgement, {"node": node}, body)


def remove_judgement(run_id: str, episode_id: str, name: str, node: int | None) -> Request[None]:
    return Request("DELETE", path_of("runs", run_id, "episodes", episode_id, "judgements", name), None, {"node": node})
