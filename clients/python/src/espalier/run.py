"""A run, as a handle on what the service keeps of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from . import _calls, models
from ._events import RunMessage
from ._handle import AnyHandle, Handle
from ._optional import need, progress_bar
from .dataset import Dataset
from .errors import RunFailedError
from .frames import EPISODE_COLUMNS, episode_rows, episodes_frame, polars_frame
from .report import Report
from .streams import RunRows, run_rows
from .tree import Tree

if TYPE_CHECKING:
    import datasets
    import pandas
    import polars
    from typing_extensions import Self, Unpack

    from ._queries import EpisodesQuery, ReportQuery
    from .requests import (
        DatasetFormatName,
        DatasetKindName,
        ExtendSettings,
        LabelSettings,
        ResumeSettings,
        RowSettings,
    )

FINAL = frozenset({"succeeded", "failed", "cancelled"})


class Run(Handle[models.Run]):
    """Episodes of one method with one model. ``data`` is the run as it was read last; ``refresh()`` reads it again."""

    _read = staticmethod(_calls.run)

    @property
    def name(self) -> str:
        """Its name, or its id where it has none."""
        return self.data.request.name or self.id

    @property
    def passport(self) -> models.Passport | None:
        """The terms that runs share to be ranked together; none if the run plays no tasks."""
        return self.data.passport

    def wait(self, *, progress: bool = True, timeout: float | None = None) -> Self:
        """Follows the run to its end, with a bar where ``tqdm`` is installed.

        :param timeout: seconds; the run goes on after them
        :raises RunFailedError: where it failed or was cancelled, or paused, with the reason
        :raises TimeoutError: after the timeout
        """
        started = time.monotonic()
        with_end = ended_of(self.data.episodes)
        bar = progress_bar(self.data.episodes.total, self.name, progress)
        bar.update(with_end)
        try:
            for message in self.events():
                if isinstance(message, models.Run):
                    self.data = message
                    ended = ended_of(message.episodes)
                    bar.update(max(0, ended - with_end))
                    with_end = max(with_end, ended)
                    bar.set_postfix_str(describe_counts(message.episodes))
                if self.status in FINAL or self.status == "paused":
                    break
                if timeout is not None and time.monotonic() - started > timeout:
                    raise TimeoutError(f"{self.id} is {self.status} after {timeout:g} s. It goes on.")
        finally:
            bar.close()
        return checked(self.refresh())

    def events(self, *, after: int | None = None) -> Iterator[RunMessage]:
        """What happens, as it happens: events, and the run itself in between, until it has ended."""
        return self._transport.events("runs", self.id, after)

    def stream_rows(self, *, min_reward: float | None = None) -> Iterator[dict[str, Any]]:
        """A row for each ended episode as it ends, until the run has ended: ``messages``, ``task``, ``reward``.

        An episode that erred, or answers without an action, gives no row. Datasets (:meth:`dataset`) also mask, check and deduplicate rows.
        """
        return run_rows(self._transport, self.id, min_reward)

    def to_iterable(self, *, min_reward: float | None = None) -> datasets.IterableDataset:
        """:meth:`stream_rows` as an ``IterableDataset`` of Hugging Face's ``datasets``."""
        library = need("datasets", "datasets")
        transport = self._transport
        rows = RunRows(transport.address, transport.key, transport.timeout, self.id, min_reward)
        return library.IterableDataset.from_generator(rows)

    def label(self, **labels: Unpack[LabelSettings]) -> Self:
        """Names, tags, notes or archives it."""
        return self._replace(_calls.label_run(self.id, dict(labels)))

    def pause(self) -> Self:
        return self._change("pause")

    def resume(self, **body: Unpack[ResumeSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return self._change("resume", **body)

    def cancel(self) -> Self:
        return self._change("cancel")

    def retry(self) -> Self:
        """Plays the episodes again that ended with an error."""
        return self._change("retry")

    def extend(self, **body: Unpack[ExtendSettings]) -> Self:
        """Plays ended episodes on with a larger budget."""
        return self._change("extend", **body)

    def _change(self, change: str, **body: Any) -> Self:
        return self._replace(_calls.change_run(self.id, change, body))

    def episodes(self, *, limit: int | None = None, **query: Unpack[EpisodesQuery]) -> Iterator[models.Episode]:
        """All episodes, page by page; ``status`` and ``task`` narrow them, ``sort`` and ``order`` order them."""
        return self._transport.items(_calls.episodes(self.id, **query), limit)

    def episode(self, episode: str) -> models.Episode:
        return self._transport.send(_calls.episode(self.id, episode))

    def episodes_df(self, **query: Unpack[EpisodesQuery]) -> pandas.DataFrame:
        """One row for each episode, by its id: task, status, reward, steps, calls, tokens, cost, seconds, error."""
        return episodes_frame(self.episodes(**query))

    def to_pandas(self, **query: Unpack[EpisodesQuery]) -> pandas.DataFrame:
        return self.episodes_df(**query)

    def to_polars(self, **query: Unpack[EpisodesQuery]) -> polars.DataFrame:
        """The columns of :meth:`episodes_df`, with ``id`` as the first."""
        return polars_frame(episode_rows(self.episodes(**query)), EPISODE_COLUMNS)

    def tree(self, episode: str) -> Tree:
        """The search tree, which grows while the episode is played."""
        return Tree(self._transport.send(_calls.tree(self.id, episode)))

    def trajectory(self, episode: str) -> models.Trajectory:
        """The path to the answer, in Harbor's ATIF."""
        return self._transport.send(_calls.trajectory(self.id, episode))

    def report(self, **query: Unpack[ReportQuery]) -> Report:
        """What it came to, with 95 % intervals; ``interval="bootstrap"`` draws tasks again."""
        return self._transport.send(_calls.report(self.id, **query))

    def dataset(
        self,
        kind: DatasetKindName,
        format: DatasetFormatName = "trl",
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[RowSettings],
    ) -> Dataset:
        """Builds a dataset of this run."""
        body: dict[str, Any] = {"runs": [self.id], "kind": kind, "format": format, **fields}
        return Dataset(self._transport, self._transport.send(_calls.create_dataset(body, idempotency_key)))

    def __repr__(self) -> str:
        return f"<Run {self.id} {self.status}: {describe_counts(self.data.episodes)}>"

    def _repr_html_(self) -> str:
        reason = "" if self.data.status_reason is None else f" ({escape(self.data.status_reason)})"
        cost = self.data.usage.cost
        price = "" if cost is None else f" · ${cost:.4f}"
        return (
            f"<div><b>{escape(self.name)}</b> <code>{escape(self.id)}</code><br>"
            f"{escape(self.status)}{reason} · {escape(describe_counts(self.data.episodes))}{price}</div>"
        )


def ended_of(counts: models.EpisodeCounts) -> int:
    return counts.succeeded + counts.failed + counts.limited + counts.errored + counts.cancelled


def describe_counts(counts: models.EpisodeCounts) -> str:
    parts = [f"{counts.succeeded} of {counts.total} solved"]
    parts += [f"{getattr(counts, name)} {name}" for name in ("errored", "limited") if getattr(counts, name)]
    return ", ".join(parts)


def ended_run(run: Run) -> Run:
    """Follows a run until it ends or pauses, whatever its end."""
    for message in run.events():
        if isinstance(message, models.Run):
            run.data = message
        if run.status in FINAL or run.status == "paused":
            break
    return run.refresh()


AnyRun = TypeVar("AnyRun", bound=AnyHandle[Any, models.Run])


def checked(run: AnyRun) -> AnyRun:
    """:raises RunFailedError: unless the run ended with results"""
    data = run.data
    if data.status == "succeeded":
        return run
    advice = (
        " run.resume() goes on, with limits=… where a cap was reached." if data.status == "paused" else ""
    )
    raise RunFailedError(f"{data.id} is {data.status}: {data.status_reason or 'no reason was given'}{advice}")
