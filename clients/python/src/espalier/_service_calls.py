"""The calls of Client for trainings, loops, models, servers, scores and searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._run_request import model_choice, run_body
from .jobs import Loop, Training
from .rollout import Rollout

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._sync_transport import SyncTransport
    from ._queries import LabelQuery
    from .requests import (
        LeaderboardSettings,
        LoopArguments,
        LoopRecipeName,
        ModelChoiceInput,
        RolloutArguments,
        ScoringSettings,
        ServeSettings,
        TrainingBase,
        TrainingRecipeName,
        TrainingSettings,
    )


class ServiceCalls:
    """Needs ``_transport`` of the class that takes it up."""

    _transport: SyncTransport

    def rollout(
        self,
        environment: str,
        method: str | Mapping[str, object],
        model: str | ModelChoiceInput,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[RolloutArguments],
    ) -> Rollout:
        """Plays groups of episodes for a trainer: ``client.rollout("maze", "react", "lab/policy", group_size=8, limit=16)``."""
        body = run_body(environment, method, model, settings)
        return Rollout(self._transport, self._transport.send(_calls.create_rollout(body, idempotency_key)))

    def get_rollout(self, rollout: str) -> Rollout:
        return Rollout(self._transport, self._transport.send(_calls.rollout(rollout)))

    def rollouts(self, *, limit: int = 20) -> list[Rollout]:
        found = self._transport.send(_calls.rollouts(limit=limit)).data
        return [Rollout(self._transport, data) for data in found]

    def train(
        self,
        base: TrainingBase,
        datasets: Sequence[str],
        recipe: TrainingRecipeName,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[TrainingSettings],
    ) -> Training:
        """Starts a training: ``client.train({"folder": "./tiny"}, [rows.id], "sft")``."""
        rows = [{"dataset": dataset} for dataset in datasets]
        body: dict[str, Any] = {"base": base, "datasets": rows, "recipe": recipe, **settings}
        return Training(self._transport, self._transport.send(_calls.create_training(body, idempotency_key)))

    def get_training(self, training: str) -> Training:
        return Training(self._transport, self._transport.send(_calls.training(training)))

    def trainings(self, *, limit: int = 20) -> list[Training]:
        found = self._transport.send(_calls.trainings(limit=limit)).data
        return [Training(self._transport, data) for data in found]

    def loop(
        self,
        recipe: LoopRecipeName,
        environment: str,
        base: TrainingBase,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[LoopArguments],
    ) -> Loop:
        """Begins a loop: explore, build a dataset, train, serve, evaluate, again."""
        body: dict[str, Any] = {"recipe": recipe, "environment": environment, "base": base, **settings}
        return Loop(self._transport, self._transport.send(_calls.create_loop(body, idempotency_key)))

    def plan_loop(
        self,
        recipe: LoopRecipeName,
        environment: str,
        base: TrainingBase,
        **settings: Unpack[LoopArguments],
    ) -> models.LoopPlan:
        """The stages of such a loop, with estimates. Nothing is made."""
        body: dict[str, Any] = {"recipe": recipe, "environment": environment, "base": base, **settings}
        return self._transport.send(_calls.plan_loop(body))

    def get_loop(self, loop: str) -> Loop:
        return Loop(self._transport, self._transport.send(_calls.loop(loop)))

    def loops(self, *, limit: int = 20) -> list[Loop]:
        found = self._transport.send(_calls.loops(limit=limit)).data
        return [Loop(self._transport, data) for data in found]

    def registered_models(self, *, limit: int = 20) -> list[models.RegisteredModel]:
        """Trained models, the newest first."""
        return self._transport.send(_calls.registered_models(limit=limit)).data

    def registered_model(self, model: str) -> models.RegisteredModel:
        return self._transport.send(_calls.registered_model(model))

    def model_lineage(self, model: str) -> models.ModelLineage:
        """The trainings, datasets and runs that a model comes from."""
        return self._transport.send(_calls.model_lineage(model))

    def serve(self, model: str, **settings: Unpack[ServeSettings]) -> models.ModelServer:
        """Serves a registered model at an endpoint of its name."""
        return self._transport.send(_calls.serve_model(model, dict(settings)))

    def stop_serving(self, model: str) -> None:
        self._transport.send(_calls.stop_serving(model))

    def servers(self) -> list[models.ModelServer]:
        return self._transport.send(_calls.model_servers()).data

    def endpoint_details(self) -> list[models.EndpointDetail]:
        """The configuration of each endpoint, without secrets."""
        return self._transport.send(_calls.endpoint_details()).data

    def endpoint(self, endpoint: str) -> models.EndpointDetail:
        return self._transport.send(_calls.endpoint_detail(endpoint))

    def leaderboard(self, **settings: Unpack[LeaderboardSettings]) -> models.Leaderboard:
        """Runs ranked by environment; ``experiment``, ``tags`` or ``runs`` select them."""
        return self._transport.send(_calls.leaderboard(dict(settings)))

    def imports(self, *, limit: int = 20, **query: Unpack[LabelQuery]) -> list[models.TrajectoryImport]:
        """Imported trajectories, the newest first."""
        return self._transport.send(_calls.imports(limit=limit, **query)).data

    def search(self, text: str, *, run: str | None = None, limit: int = 20) -> models.TranscriptHits:
        """Finds words in what agents saw and said."""
        query: dict[str, Any] = {"q": text, "run": run, "limit": limit}
        return self._transport.send(_calls.search(query))

    def scores(self, run: str) -> list[models.ScoreSummary]:
        """The scores that episodes of a run have beside the reward."""
        return self._transport.send(_calls.scores(run)).data

    def score_report(self, run: str, name: str, *, against: str | None = None) -> models.ScoreReport:
        return self._transport.send(_calls.score_report(run, name, against))

    def score(
        self,
        run: str,
        name: str,
        rubric: str,
        model: str | ModelChoiceInput,
        **settings: Unpack[ScoringSettings],
    ) -> models.RubricScoring:
        """Has a judge score the episodes of a run. Call it again until ``status`` is ``ended``."""
        body: dict[str, Any] = {"name": name, "rubric": rubric, "model": model_choice(model), **settings}
        return self._transport.send(_calls.score(run, body))

    def calls(self, run: str, episode: str) -> models.EpisodeCalls:
        """Each call to a model of an episode, with its prompt and answers."""
        return self._transport.send(_calls.calls(run, episode))

    def node(self, run: str, episode: str, index: int) -> models.NodeDetail:
        """A node of an episode's tree, with what it was asked and answered."""
        return self._transport.send(_calls.node(run, episode, index))
