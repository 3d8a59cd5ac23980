"""Trainings and loops, as handles on what the service keeps of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._handle import AsyncHandle
from ._requests import Request
from .jobs import AnyJob, check_job, reached_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .requests import ResumeLoopSettings, ResumeTrainingSettings


class AsyncJob(AsyncHandle[AnyJob]):
    """A training or a loop."""

    _changed: Callable[[str, str, dict[str, Any] | None], Request[AnyJob]]

    async def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 2.0) -> Self:
        """Follows it to its end, as :meth:`Job.wait`."""
        await self._poll(progress, timeout, poll)
        check_job(self.data)
        return self

    async def pause(self) -> Self:
        return await self._change("pause")

    async def cancel(self) -> Self:
        return await self._change("cancel")

    async def _change(self, change: str, body: dict[str, Any] | None = None) -> Self:
        return await self._replace(self._changed(self.id, change, body))

    def _reached(self) -> tuple[int, int]:
        return reached_of(self.data)


class AsyncTraining(AsyncJob[models.Training]):
    """``data`` is the training as it was read last."""

    _read = staticmethod(_calls.training)
    _changed = staticmethod(_calls.change_training)
    _unit = "step"

    async def resume(self, **body: Unpack[ResumeTrainingSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return await self._change("resume", dict(body))

    async def metrics(self) -> list[models.TrainingMetric]:
        """The logged steps: loss, accuracy, learning rate."""
        return (await self._transport.send(_calls.training_metrics(self.id))).data


class AsyncLoop(AsyncJob[models.Loop]):
    """``data`` is the loop as it was read last."""

    _read = staticmethod(_calls.loop)
    _changed = staticmethod(_calls.change_loop)
    _unit = "round"

    async def resume(self, **body: Unpack[ResumeLoopSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return await self._change("resume", dict(body))

    async def report(self) -> models.LoopReport:
        """Success by round, minus the start and the control, with intervals."""
        return await self._transport.send(_calls.loop_report(self.id))
