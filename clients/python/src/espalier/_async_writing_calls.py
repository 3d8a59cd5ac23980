"""The client's calls that write labels, endpoints, imports and sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._async_sweep import play_cells
from ._import_rows import Rows, bodies_of
from ._optional import progress_bar
from ._sweep_cells import Choice, cells_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._async_transport import AsyncTransport
    from ._queries import JudgementsQuery
    from .async_client import AsyncRun
    from .requests import ImportSettings, LabelSettings, RunSettings


class AsyncWritingCalls:
    """Needs ``_transport`` of the class that takes it up."""

    _transport: AsyncTransport

    async def label_run(self, run: str, **labels: Unpack[LabelSettings]) -> models.Run:
        """Names, tags, notes or archives a run: ``client.label_run(id, add_tags=["kept"])``."""
        return await self._transport.send(_calls.label_run(run, dict(labels)))

    async def label_dataset(self, dataset: str, **labels: Unpack[LabelSettings]) -> models.Dataset:
        return await self._transport.send(_calls.label_dataset(dataset, dict(labels)))

    async def label_import(self, import_id: str, **labels: Unpack[LabelSettings]) -> models.TrajectoryImport:
        return await self._transport.send(_calls.label_import(import_id, dict(labels)))

    async def delete_run(self, run: str) -> None:
        """Deletes a run that has ended, with its episodes and trees."""
        await self._transport.send(_calls.delete("runs", run))

    async def delete_dataset(self, dataset: str) -> None:
        await self._transport.send(_calls.delete("datasets", dataset))

    async def delete_import(self, import_id: str) -> None:
        await self._transport.send(_calls.delete("trajectories", import_id))

    async def judge(
        self, run: str, episode: str, name: str, value: float, *, note: str | None = None, node: int | None = None
    ) -> models.EpisodeJudgement:
        """Judges an episode, or one of its steps, as a person: ``value`` is from 0, the worst, to 1."""
        body: dict[str, Any] = {"value": value} if note is None else {"value": value, "note": note}
        return await self._transport.send(_calls.judge(run, episode, name, node, body))

    async def remove_judgement(self, run: str, episode: str, name: str, *, node: int | None = None) -> None:
        await self._transport.send(_calls.remove_judgement(run, episode, name, node))

    async def judgements(
        self, run: str, *, limit: int | None = None, **query: Unpack[JudgementsQuery]
    ) -> list[models.EpisodeJudgement]:
        """Judgements of people and scorers, by name, episode and step."""
        return [each async for each in self._transport.items(_calls.judgements(run, **query), limit)]

    async def add_endpoint(self, name: str, endpoint: Mapping[str, Any]) -> models.EndpointDetail:
        """``client.add_endpoint("local", {"kind": "openai", "base_url": "http://127.0.0.1:8000/v1"})``"""
        return await self._transport.send(_calls.add_endpoint(name, dict(endpoint)))

    async def change_endpoint(self, name: str, endpoint: Mapping[str, Any]) -> models.EndpointDetail:
        return await self._transport.send(_calls.change_endpoint(name, dict(endpoint)))

    async def remove_endpoint(self, name: str) -> None:
        await self._transport.send(_calls.delete("endpoints", name))

    async def test_endpoint(self, name: str, *, model: str | None = None, features: bool = False) -> models.EndpointTest:
        """Asks it one small question, or tries every feature that methods may need."""
        body: dict[str, Any] = {"features": True} if features else {}
        return await self._transport.send(_calls.test_endpoint(name, body if model is None else {**body, "model": model}))

    async def import_trajectories(
        self,
        rows: Rows,
        format: str,
        *,
        name: str | None = None,
        idempotency_key: str | None = None,
        progress: bool = True,
        **settings: Unpack[ImportSettings],
    ) -> models.TrajectoryImport:
        """Imports a file of JSON lines, or rows, in bodies of a bounded size.

        :param format: such as ``"openai"``, ``"eto"`` or ``"atif"``
        :returns: the import with the number of rows taken and rejected; :meth:`rejections` has the reasons
        """
        query: dict[str, Any] = {"format": format, "name": name, **settings}
        found: models.TrajectoryImport | None = None
        bar = progress_bar(0, "import", progress, "row")
        try:
            for lines, first, more in bodies_of(rows):
                if found is None:
                    found = await self._transport.send(_calls.begin_import({**query, "more": more}, lines, idempotency_key))
                else:
                    found = await self._transport.send(
                        _calls.append_import(found.id, {"first": found.next, "more": more}, lines)
                    )
                bar.update(lines.count("\n") + 1)
        finally:
            bar.close()
        assert found is not None
        return found

    async def get_import(self, import_id: str) -> models.TrajectoryImport:
        return await self._transport.send(_calls.get_import(import_id))

    async def rejections(self, import_id: str, *, limit: int | None = None) -> list[models.TrajectoryRejection]:
        """The rows that were not taken, with the reason for each: the first 1,000."""
        return [each async for each in self._transport.items(_calls.rejections(import_id), limit)]

    async def sweep(
        self,
        name: str,
        *,
        environments: Sequence[Choice],
        methods: Sequence[Choice],
        models: Sequence[Choice],
        seeds: Sequence[int] = (0,),
        parallel: int = 1,
        progress: bool = True,
        **settings: Unpack[RunSettings],
    ) -> list[AsyncRun]:
        """Plays each environment with each method, model and seed, as the runs of one experiment.

        The same name and choices find the same runs, so that a script that broke off goes on.

        :param environments: ids, or mappings ``{"environment": …, "split": …}``
        :param parallel: runs at a time
        :returns: the runs in that order, ended; ``leaderboard(experiment=name)`` ranks them
        """
        cells = cells_of(name, environments, methods, models, seeds, settings)
        bar = progress_bar(len(cells), name, progress, "run")
        try:
            return await play_cells(self._transport, cells, parallel, bar)
        finally:
            bar.close()
