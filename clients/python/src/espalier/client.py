"""The client for scripts and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _calls, models
from ._in_process import MethodChoice, run_body_here
from ._service_calls import ServiceCalls
from ._service_address import USUAL_FOLDER, find_service
from ._sync_transport import SyncTransport
from ._writing_calls import WritingCalls
from .dataset import Dataset
from .report import Comparison
from .run import Run
from .service import Service, ServiceNotStartedError, start_service

if TYPE_CHECKING:
    from .environments import Environment
    from typing_extensions import Self, Unpack

    from ._queries import LabelQuery, RunsQuery, TasksQuery
    from .requests import DatasetRequestInput, DatasetSettings, ModelChoiceInput, RunSettings


class Client(ServiceCalls, WritingCalls):
    """A service of Espalier.

    Without an address or a folder it takes the service of ``ESPALIER_URL``, else that of ``.espalier``. If no service holds
    the folder, it starts one over it, which ends with the client. The key is taken from ``ESPALIER_API_KEY`` unless it is given.

    Requests that break off are sent again where that is safe; those that make something carry an idempotency key.

    >>> with Client() as client:
    ...     run = client.run(environment="textcraft", method="react", model="simulated", limit=5).wait()
    ...     print(run.report().success_rate.mean)
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        key: str | None = None,
        folder: str | None = None,
        timeout: float = 60.0,
    ):
        self._service: Service | None = None
        found = find_service(address, key, folder)
        if found is None:
            try:
                self._service = start_service(folder or USUAL_FOLDER)
                found = self._service.address, self._service.key
            except ServiceNotStartedError:
                # Another process was faster.
                found = find_service(address, key, folder)
                if found is None:
                    raise
        self.address = found[0]
        self._folder = folder
        self._transport = SyncTransport(*found, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of connections; a service that was started here commits and ends."""
        self._transport.close()
        if self._service is not None:
            self._service.stop()

    def health(self) -> dict[str, Any]:
        return self._transport.send(_calls.health())

    def environments(self) -> list[models.Environment]:
        return list(self._transport.items(_calls.environments()))

    def tasks(
        self, environment: str, *, limit: int | None = None, **query: Unpack[TasksQuery]
    ) -> list[models.Task]:
        """Tasks of an environment; ``split``, ``limit`` and ``after`` narrow them."""
        return list(self._transport.items(_calls.tasks(environment, **query), limit))

    def methods(self) -> list[models.Method]:
        return list(self._transport.items(_calls.methods()))

    def endpoints(self) -> list[models.Endpoint]:
        """Where models answer, with prices."""
        return list(self._transport.items(_calls.endpoints()))

    def run(
        self,
        environment: str | type[Environment],
        method: MethodChoice,
        model: str | ModelChoiceInput,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[RunSettings],
    ) -> Run:
        """Starts a run.

        :param environment: an id, or a class that is played in this process: ``breakpoint()`` and prints work, an edited class is
            played without a restart, and the run pauses when this process ends. Only a service of this machine plays it
        :param method: an id such as ``"mcts"``, or a mapping with parameters, ``{"id": "mcts", "iterations": 8}``. A function under
            ``@method``, or any function of a scope, in place of the id is played in this process, as a class is
        :param model: ``"endpoint/model"``, ``"simulated"``, or a mapping ``{"endpoint": …, "id": …}``
        :param idempotency_key: the same key and request make one run, however often they are sent
        :param settings: further fields of the request (``limits``, ``roles``, ``seed``, ``epochs``, …); ``split``, ``limit``,
            ``ids`` and ``types`` are short for those of ``tasks``
        :raises ApiError: with ``param`` naming the field that is wrong
        """
        body = run_body_here((self.address, self._folder), environment, method, model, settings)
        return Run(self._transport, self._transport.send(_calls.create_run(body, idempotency_key)))

    def estimate(
        self,
        environment: str | type[Environment],
        method: MethodChoice,
        model: str | ModelChoiceInput,
        **settings: Unpack[RunSettings],
    ) -> models.RunEstimate:
        """What such a run would take; nothing is stored or spent."""
        body = run_body_here((self.address, self._folder), environment, method, model, settings)
        return self._transport.send(_calls.estimate_run(body))

    def get_run(self, run: str) -> Run:
        return Run(self._transport, self._transport.send(_calls.run(run)))

    def runs(self, *, limit: int | None = 20, **query: Unpack[RunsQuery]) -> list[Run]:
        """The newest runs; ``status``, ``environment``, ``method``, ``model`` and ``name`` narrow them.

        :param limit: the most runs, here and in every list; None: all
        """
        return [Run(self._transport, data) for data in self._transport.items(_calls.runs(**query), limit)]

    def all_runs(self, *, limit: int | None = None, **query: Unpack[RunsQuery]) -> Iterator[Run]:
        """Every run, page by page."""
        for data in self._transport.items(_calls.runs(**query), limit):
            yield Run(self._transport, data)

    def compare(self, *runs: Run | str, interval: Literal["t", "bootstrap"] | None = None) -> Comparison:
        """Two runs or more on the tasks that they share; the first is the baseline of the differences."""
        ids = [run if isinstance(run, str) else run.id for run in runs]
        return self._transport.send(_calls.compare(ids, interval))

    def dataset(
        self,
        request: DatasetRequestInput | None = None,
        *,
        runs: Sequence[Run | str] | None = None,
        idempotency_key: str | None = None,
        **fields: Unpack[DatasetSettings],
    ) -> Dataset:
        """Builds a dataset: ``client.dataset(kind="sft", format="trl", runs=[run])``. :returns: one that may still be building"""
        body: dict[str, Any] = {**(request or {}), **fields}
        if runs is not None:
            body["runs"] = [run.id if isinstance(run, Run) else run for run in runs]
        return Dataset(self._transport, self._transport.send(_calls.create_dataset(body, idempotency_key)))

    def get_dataset(self, dataset: str) -> Dataset:
        return Dataset(self._transport, self._transport.send(_calls.dataset(dataset)))

    def datasets(self, *, limit: int | None = 20, **query: Unpack[LabelQuery]) -> list[Dataset]:
        found = self._transport.items(_calls.datasets(**query), limit)
        return [Dataset(self._transport, data) for data in found]
