"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _calls, models
from ._async_service_calls import AsyncServiceCalls
from ._async_transport import AsyncTransport
from ._async_writing_calls import AsyncWritingCalls
from ._events import RunMessage
from ._handle import AsyncHandle
from ._optional import progress_bar
from ._in_process import MethodChoice, run_body_here
from ._service_address import USUAL_FOLDER, find_service
from .async_dataset import AsyncDataset
from .errors import ApiError, ServiceUnreachableError
from .report import Comparison, Report
from .frames import EPISODE_COLUMNS, episode_rows, episodes_frame, polars_frame
from .run import FINAL, checked, describe_counts, ended_of
from .streams import has_action, is_row, row_of
from .tree import Tree

if TYPE_CHECKING:
    from .environments import Environment
    import pandas
    import polars
    from typing_extensions import Self, Unpack

    from ._queries import EpisodesQuery, LabelQuery, ReportQuery, RunsQuery, TasksQuery
    from .requests import (
        DatasetFormatName,
        DatasetKindName,
        DatasetRequestInput,
        DatasetSettings,
        ExtendSettings,
        LabelSettings,
        ModelChoiceInput,
        ResumeSettings,
        RowSettings,
        RunSettings,
    )


class AsyncClient(AsyncServiceCalls, AsyncWritingCalls):
    """A service of Espalier, over ``httpx.AsyncClient``. It starts none: give its address, or set ``ESPALIER_URL``.

    >>> async with AsyncClient("http://127.0.0.1:8080") as client:
    ...     run = await client.run(environment="textcraft", method="react", model="simulated", limit=5)
    ...     await run.wait()
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        key: str | None = None,
        folder: str | None = None,
        timeout: float = 60.0,
    ):
        found = find_service(address, key, folder)
        if found is None:
            raise ServiceUnreachableError(f"No service holds {folder or USUAL_FOLDER}. Start one, or give an address.")
        self.address = found[0]
        self._folder = folder
        self._transport = AsyncTransport(*found, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def health(self) -> dict[str, Any]:
        return await self._transport.send(_calls.health())

    async def environments(self) -> list[models.Environment]:
        return [each async for each in self._transport.items(_calls.environments())]

    async def methods(self) -> list[models.Method]:
        return [each async for each in self._transport.items(_calls.methods())]

    async def run(
        self,
        environment: str | type[Environment],
        method: MethodChoice,
        model: str | ModelChoiceInput,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[RunSettings],
    ) -> AsyncRun:
        """Starts a run, as :meth:`Client.run`."""
        body = run_body_here((self.address, self._folder), environment, method, model, settings)
        return AsyncRun(self._transport, await self._transport.send(_calls.create_run(body, idempotency_key)))

    async def estimate(
        self,
        environment: str | type[Environment],
        method: MethodChoice,
        model: str | ModelChoiceInput,
        **settings: Unpack[RunSettings],
    ) -> models.RunEstimate:
        """The calls, tokens and cost of such a run; nothing is stored or spent."""
        body = run_body_here((self.address, self._folder), environment, method, model, settings)
        return await self._transport.send(_calls.estimate_run(body))

    async def tasks(
        self, environment: str, *, limit: int | None = None, **query: Unpack[TasksQuery]
    ) -> list[models.Task]:
        return [each async for each in self._transport.items(_calls.tasks(environment, **query), limit)]

    async def endpoints(self) -> list[models.Endpoint]:
        return [each async for each in self._transport.items(_calls.endpoints())]

    async def get_run(self, run: str) -> AsyncRun:
        return AsyncRun(self._transport, await self._transport.send(_calls.run(run)))

    async def runs(self, *, limit: int | None = 20, **query: Unpack[RunsQuery]) -> list[AsyncRun]:
        found = self._transport.items(_calls.runs(**query), limit)
        return [AsyncRun(self._transport, data) async for data in found]

    async def all_runs(self, *, limit: int | None = None, **query: Unpack[RunsQuery]) -> AsyncIterator[AsyncRun]:
        """Every run, page by page."""
        async for data in self._transport.items(_calls.runs(**query), limit):
            yield AsyncRun(self._transport, data)

    async def dataset(
        self,
        request: DatasetRequestInput | None = None,
        *,
        runs: Sequence[AsyncRun | str] | None = None,
        idempotency_key: str | None = None,
        **fields: Unpack[DatasetSettings],
    ) -> AsyncDataset:
        """Builds a dataset, as :meth:`Client.dataset`. :returns: one that may still be building"""
        body: dict[str, Any] = {**(request or {}), **fields}
        if runs is not None:
            body["runs"] = [run if isinstance(run, str) else run.id for run in runs]
        return AsyncDataset(self._transport, await self._transport.send(_calls.create_dataset(body, idempotency_key)))

    async def get_dataset(self, dataset: str) -> AsyncDataset:
        return AsyncDataset(self._transport, await self._transport.send(_calls.dataset(dataset)))

    async def datasets(self, *, limit: int | None = 20, **query: Unpack[LabelQuery]) -> list[AsyncDataset]:
        found = self._transport.items(_calls.datasets(**query), limit)
        return [AsyncDataset(self._transport, data) async for data in found]

    async def compare(self, *runs: AsyncRun | str, interval: Literal["t", "bootstrap"] | None = None) -> Comparison:
        """Two runs or more on the tasks that they share; the first is the baseline of the differences."""
        ids = [run if isinstance(run, str) else run.id for run in runs]
        return await self._transport.send(_calls.compare(ids, interval))


class AsyncRun(AsyncHandle[models.Run]):
    """A run; ``data`` is the run as it was read last."""

    _read = staticmethod(_calls.run)

    @property
    def passport(self) -> models.Passport | None:
        """The terms that runs share to be ranked together; none if the run plays no tasks."""
        return self.data.passport

    async def wait(self, *, progress: bool = True, timeout: float | None = None) -> Self:
        """Follows the run to its end, with a bar where ``tqdm`` is installed.

        :raises RunFailedError: where it failed or was cancelled, or paused, with the reason
        :raises TimeoutError: after so many seconds; the run goes on
        """
        try:
            await asyncio.wait_for(self._follow(progress), timeout)
        except asyncio.TimeoutError as error:
            raise TimeoutError(f"{self.id} is {self.status} after {timeout:g} s. It goes on.") from error
        return checked(await self.refresh())

    async def follow(self) -> Self:
        """Waits until it ends or pauses, whatever its end."""
        await self._follow(False)
        return await self.refresh()

    async def _follow(self, progress: bool) -> None:
        shown = ended_of(self.data.episodes)
        bar = progress_bar(self.data.episodes.total, self.data.request.name or self.id, progress)
        bar.update(shown)
        try:
            async for message in self.events():
                if isinstance(message, models.Run):
                    self.data = message
                    ended = ended_of(message.episodes)
                    bar.update(max(0, ended - shown))
                    shown = max(shown, ended)
                    bar.set_postfix_str(describe_counts(message.episodes))
                if self.status in FINAL or self.status == "paused":
                    break
        finally:
            bar.close()

    async def stream_rows(self, *, min_reward: float | None = None) -> AsyncIterator[dict[str, Any]]:
        """A row for each ended episode as it ends, as :meth:`Run.stream_rows`."""
        async for message in self.events(after=0):
            if is_row(message, min_reward):
                event: Any = message.root  # type: ignore[union-attr]
                try:
                    trajectory = await self.trajectory(event.episode)
                except ApiError as error:
                    if error.code != "not_found" or has_action(await self.episode(event.episode)):
                        raise
                else:
                    yield row_of(message, trajectory)

    async def to_pandas(self, **query: Unpack[EpisodesQuery]) -> pandas.DataFrame:
        return episodes_frame([episode async for episode in self.episodes(**query)])

    async def to_polars(self, **query: Unpack[EpisodesQuery]) -> polars.DataFrame:
        return polars_frame(episode_rows([episode async for episode in self.episodes(**query)]), EPISODE_COLUMNS)

    async def label(self, **labels: Unpack[LabelSettings]) -> Self:
        """Names, tags, notes or archives it."""
        return await self._replace(_calls.label_run(self.id, dict(labels)))

    def events(self, *, after: int | None = None) -> AsyncIterator[RunMessage]:
        """What happens, as it happens, until the run has ended."""
        return self._transport.events("runs", self.id, after)

    async def pause(self) -> Self:
        return await self.change("pause")

    async def resume(self, **body: Unpack[ResumeSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return await self.change("resume", **body)

    async def cancel(self) -> Self:
        return await self.change("cancel")

    async def retry(self) -> Self:
        """Plays the episodes again that ended with an error."""
        return await self.change("retry")

    async def extend(self, **body: Unpack[ExtendSettings]) -> Self:
        """Plays ended episodes on with a larger budget."""
        return await self.change("extend", **body)

    async def episode(self, episode: str) -> models.Episode:
        return await self._transport.send(_calls.episode(self.id, episode))

    async def dataset(
        self,
        kind: DatasetKindName,
        format: DatasetFormatName = "trl",
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[RowSettings],
    ) -> AsyncDataset:
        """Builds a dataset of this run."""
        body: dict[str, Any] = {"runs": [self.id], "kind": kind, "format": format, **fields}
        return AsyncDataset(self._transport, await self._transport.send(_calls.create_dataset(body, idempotency_key)))

    async def change(self, change: str, **body: Any) -> Self:
        """``pause``, ``resume``, ``cancel``, ``extend`` or ``retry``."""
        return await self._replace(_calls.change_run(self.id, change, body))

    def episodes(
        self, *, limit: int | None = None, **query: Unpack[EpisodesQuery]
    ) -> AsyncIterator[models.Episode]:
        """All episodes, page by page."""
        return self._transport.items(_calls.episodes(self.id, **query), limit)

    async def tree(self, episode: str) -> Tree:
        return Tree(await self._transport.send(_calls.tree(self.id, episode)))

    async def trajectory(self, episode: str) -> models.Trajectory:
        return await self._transport.send(_calls.trajectory(self.id, episode))

    async def report(self, **query: Unpack[ReportQuery]) -> Report:
        return await self._transport.send(_calls.report(self.id, **query))
