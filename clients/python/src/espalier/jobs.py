"""Trainings and loops, as handles on what the service keeps of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import _calls, models
from ._handle import Handle
from ._requests import Request
from .errors import RunFailedError

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .requests import ResumeLoopSettings, ResumeTrainingSettings

AnyJob = TypeVar("AnyJob", models.Training, models.Loop)


class Job(Handle[AnyJob]):
    """A training or a loop."""

    _changed: Callable[[str, str, dict[str, Any] | None], Request[AnyJob]]

    def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 2.0) -> Self:
        """Follows it to its end, with a bar where ``tqdm`` is installed.

        :raises RunFailedError: where it failed, paused or was cancelled, with the reason
        :raises TimeoutError: after so many seconds; it goes on
        """
        self._poll(progress, timeout, poll)
        check_job(self.data)
        return self

    def pause(self) -> Self:
        return self._change("pause")

    def cancel(self) -> Self:
        return self._change("cancel")

    def _change(self, change: str, body: dict[str, Any] | None = None) -> Self:
        return self._replace(self._changed(self.id, change, body))

    def _reached(self) -> tuple[int, int]:
        return reached_of(self.data)


class Training(Job[models.Training]):
    """``data`` is the training as it was read last."""

    _read = staticmethod(_calls.training)
    _changed = staticmethod(_calls.change_training)
    _unit = "step"

    def resume(self, **body: Unpack[ResumeTrainingSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return self._change("resume", dict(body))

    def metrics(self) -> list[models.TrainingMetric]:
        """The logged steps: loss, accuracy, learning rate."""
        return self._transport.send(_calls.training_metrics(self.id)).data


class Loop(Job[models.Loop]):
    """``data`` is the loop as it was read last."""

    _read = staticmethod(_calls.loop)
    _changed = staticmethod(_calls.change_loop)
    _unit = "round"

    def resume(self, **body: Unpack[ResumeLoopSettings]) -> Self:
        """Goes on, with other ``limits`` where they are given."""
        return self._change("resume", dict(body))

    def report(self) -> models.LoopReport:
        """Success by round, minus the start and the control, with intervals."""
        return self._transport.send(_calls.loop_report(self.id))


def reached_of(job: models.Training | models.Loop) -> tuple[int, int]:
    """Steps or rounds that are done, and all of them."""
    if isinstance(job, models.Training):
        return job.progress.step, job.progress.steps or 0
    return job.progress.round, job.progress.rounds


def check_job(job: models.Training | models.Loop) -> None:
    """:raises RunFailedError: unless it succeeded"""
    if job.status == "succeeded":
        return
    reason = job.error if isinstance(job, models.Training) else job.reason
    raise RunFailedError(f"{job.id} is {job.status}: {reason or 'no reason was given'}")
