"""The client's calls for trainings, loops, models, servers, scores and searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _calls, models
from ._run_request import model_choice, run_body
from .async_jobs import AsyncLoop, AsyncTraining
from .async_rollout import AsyncRollout
from .embed import Embed, embed_url

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._async_transport import AsyncTransport
    from ._queries import LabelQuery, SearchQuery
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


class AsyncServiceCalls:
    """Needs ``_transport`` of the class that takes it up."""

    _transport: AsyncTransport

    def embed(
        self,
        *runs: Any,
        episode: str | None = None,
        node: int | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = None,
        address: str | None = None,
    ) -> Embed:
        """Shows the results of a run, the tree of an ``episode``, or the comparison of several runs in a notebook.

        :param runs: ids or handles
        :param height: pixels; None: the height of the page
        :param theme: None: as the browser prefers
        :param address: where the browser reaches the dashboard, unless that is the client's address
        """
        ids = [run if isinstance(run, str) else run.id for run in runs]
        at = address or self._transport.address
        return Embed(embed_url(at, ids, episode=episode, node=node, theme=theme), height)

    async def rollout(
        self,
        environment: str,
        method: str | Mapping[str, object],
        model: str | ModelChoiceInput,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[RolloutArguments],
    ) -> AsyncRollout:
        """Plays groups of episodes for a trainer: ``client.rollout("maze", "react", "lab/policy", group_size=8, limit=16)``."""
        body = run_body(environment, method, model, settings)
        return AsyncRollout(self._transport, await self._transport.send(_calls.create_rollout(body, idempotency_key)))

    async def get_rollout(self, rollout: str) -> AsyncRollout:
        return AsyncRollout(self._transport, await self._transport.send(_calls.rollout(rollout)))

    async def rollouts(self, *, limit: int | None = 20) -> list[AsyncRollout]:
        found = self._transport.items(_calls.rollouts(), limit)
        return [AsyncRollout(self._transport, data) async for data in found]

    async def train(
        self,
        base: TrainingBase,
        datasets: Sequence[str],
        recipe: TrainingRecipeName,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[TrainingSettings],
    ) -> AsyncTraining:
        """Starts a training: ``client.train({"folder": "./tiny"}, [rows.id], "sft")``."""
        rows = [{"dataset": dataset} for dataset in datasets]
        body: dict[str, Any] = {"base": base, "datasets": rows, "recipe": recipe, **settings}
        return AsyncTraining(self._transport, await self._transport.send(_calls.create_training(body, idempotency_key)))

    async def get_training(self, training: str) -> AsyncTraining:
        return AsyncTraining(self._transport, await self._transport.send(_calls.training(training)))

    async def trainings(self, *, limit: int | None = 20) -> list[AsyncTraining]:
        found = self._transport.items(_calls.trainings(), limit)
        return [AsyncTraining(self._transport, data) async for data in found]

    async def loop(
        self,
        recipe: LoopRecipeName,
        environment: str,
        base: TrainingBase,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[LoopArguments],
    ) -> AsyncLoop:
        """Begins a loop: explore, build a dataset, train, serve, evaluate, again."""
        body: dict[str, Any] = {"recipe": recipe, "environment": environment, "base": base, **settings}
        return AsyncLoop(self._transport, await self._transport.send(_calls.create_loop(body, idempotency_key)))

    async def plan_loop(
        self,
        recipe: LoopRecipeName,
        environment: str,
        base: TrainingBase,
        **settings: Unpack[LoopArguments],
    ) -> models.LoopPlan:
        """The stages of such a loop, with estimates. Nothing is made."""
        body: dict[str, Any] = {"recipe": recipe, "environment": environment, "base": base, **settings}
        return await self._transport.send(_calls.plan_loop(body))

    async def get_loop(self, loop: str) -> AsyncLoop:
        return AsyncLoop(self._transport, await self._transport.send(_calls.loop(loop)))

    async def loops(self, *, limit: int | None = 20) -> list[AsyncLoop]:
        found = self._transport.items(_calls.loops(), limit)
        return [AsyncLoop(self._transport, data) async for data in found]

    async def registered_models(self, *, limit: int | None = 20) -> list[models.RegisteredModel]:
        """Trained models, the newest first."""
        return [each async for each in self._transport.items(_calls.registered_models(), limit)]

    async def registered_model(self, model: str) -> models.RegisteredModel:
        return await self._transport.send(_calls.registered_model(model))

    async def model_lineage(self, model: str) -> models.ModelLineage:
        """The trainings, datasets and runs that a model comes from."""
        return await self._transport.send(_calls.model_lineage(model))

    async def serve(self, model: str, **settings: Unpack[ServeSettings]) -> models.ModelServer:
        """Serves a registered model at an endpoint of its name."""
        return await self._transport.send(_calls.serve_model(model, dict(settings)))

    async def stop_serving(self, model: str) -> None:
        await self._transport.send(_calls.stop_serving(model))

    async def servers(self) -> list[models.ModelServer]:
        return [each async for each in self._transport.items(_calls.model_servers())]

    async def endpoint_details(self) -> list[models.EndpointDetail]:
        """The configuration of each endpoint, without secrets."""
        return [each async for each in self._transport.items(_calls.endpoint_details())]

    async def endpoint(self, endpoint: str) -> models.EndpointDetail:
        return await self._transport.send(_calls.endpoint_detail(endpoint))

    async def leaderboard(self, **settings: Unpack[LeaderboardSettings]) -> models.Leaderboard:
        """Runs ranked by environment; ``experiment``, ``tags`` or ``runs`` select them."""
        return await self._transport.send(_calls.leaderboard(dict(settings)))

    async def imports(
        self, *, limit: int | None = 20, **query: Unpack[LabelQuery]
    ) -> list[models.TrajectoryImport]:
        """Imported trajectories, the newest first."""
        return [each async for each in self._transport.items(_calls.imports(**query), limit)]

    async def search(
        self, text: str, *, limit: int = 20, **query: Unpack[SearchQuery]
    ) -> models.TranscriptHits:
        """A page of the passages of transcripts that have all words; ``after`` its ``last_id`` comes the next."""
        return await self._transport.send(_calls.search({"q": text, "limit": limit, **query}))

    async def scores(self, run: str) -> list[models.ScoreSummary]:
        """The scores that episodes of a run have beside the reward."""
        return (await self._transport.send(_calls.scores(run))).data

    async def score_report(self, run: str, name: str, *, against: str | None = None) -> models.ScoreReport:
        return await self._transport.send(_calls.score_report(run, name, against))

    async def score(
        self,
        run: str,
        name: str,
        rubric: str,
        model: str | ModelChoiceInput,
        **settings: Unpack[ScoringSettings],
    ) -> models.RubricScoring:
        """Has a judge score the episodes of a run. Call it again until ``status`` is ``ended``."""
        body: dict[str, Any] = {"name": name, "rubric": rubric, "model": model_choice(model), **settings}
        return await self._transport.send(_calls.score(run, body))

    async def calls(self, run: str, episode: str) -> models.EpisodeCalls:
        """Each call to a model of an episode, with its prompt and answers."""
        return await self._transport.send(_calls.calls(run, episode))

    async def node(self, run: str, episode: str, index: int) -> models.NodeDetail:
        """A node of an episode's tree, with what it was asked and answered."""
        return await self._transport.send(_calls.node(run, episode, index))
