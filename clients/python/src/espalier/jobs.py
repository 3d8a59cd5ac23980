"""Trainings and loops, as handles on what the service keeps of them."""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._sync_transport import SyncTransport
from ._optional import progress_bar
from .errors import RunFailedError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .requests import ResumeLoopSettings, ResumeTrainingSettings


class Training:
    """``data`` is the training as it was read last."""

    def __init__(self, transport: SyncTransport, data: models.Training):
        self._transport = transport
        self.data = data

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def status(self) -> str:
        return self.data.status

    def refresh(self) -> Training:
        self.data = self._transport.send(_calls.training(self.id))
        return self

    def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 2.0) -> Training:
        """Follows the training to its end, with a bar where ``tqdm`` is installed.

        :raises RunFailedError: where it failed, paused or was cancelled, with the reason
        :raises TimeoutError: after so many seconds; the training goes on
        """
        started = time.monotonic()
        bar = progress_bar(self.data.progress.steps or 0, self.id, progress)
        shown = 0
        try:
            while self.status in {"queued", "running"}:
                if timeout is not None and time.monotonic() - started > timeout:
                    raise TimeoutError(f"{self.id} is {self.status} after {timeout:g} s. It goes on.")
                time.sleep(poll)
                self.refresh()
                reached = self.data.progress.step
                bar.update(max(0, reached - shown))
                shown = max(shown, reached)
        finally:
            bar.close()
        if self.status != "succeeded":
            raise RunFailedError(f"{self.id} is {self.status}: {self.data.error or 'no reason was given'}")
        return self

    def pause(self) -> Training:
        return self._change("pause")

    def resume(self, **body: Unpack[ResumeTrainingSettings]) -> Training:
        """Goes on, with other ``limits`` where they are given."""
        return self._change("resume", dict(body))

    def cancel(self) -> Training:
        return self._change("cancel")

    def _change(self, change: str, body: dict[str, Any] | None = None) -> Training:
        self.data = self._transport.send(_calls.change_training(self.id, change, body))
        return self

    def metrics(self) -> list[models.TrainingMetric]:
        """The logged steps: loss, accuracy, learning rate."""
        return self._transport.send(_calls.training_metrics(self.id)).data

    def __repr__(self) -> str:
        return f"<Training {self.id} {self.status}>"

    def _repr_html_(self) -> str:
        return f"<div><b>{escape(self.data.name or self.id)}</b> <code>{escape(self.id)}</code> {escape(self.status)}</div>"


class Loop:
    """``data`` is the loop as it was read last."""

    def __init__(self, transport: SyncTransport, data: models.Loop):
        self._transport = transport
        self.data = data

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def status(self) -> str:
        return self.data.status

    def refresh(self) -> Loop:
        self.data = self._transport.send(_calls.loop(self.id))
        return self

    def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 2.0) -> Loop:
        """Follows the loop to its end, with a bar where ``tqdm`` is installed.

        :raises RunFailedError: where it failed, paused or was cancelled, with the reason
        :raises TimeoutError: after so many seconds; the loop goes on
        """
        started = time.monotonic()
        bar = progress_bar(self.data.progress.rounds, self.id, progress)
        shown = 0
        try:
            while self.status in {"queued", "running"}:
                if timeout is not None and time.monotonic() - started > timeout:
                    raise TimeoutError(f"{self.id} is {self.status} after {timeout:g} s. It goes on.")
                time.sleep(poll)
                self.refresh()
                reached = self.data.progress.round
                bar.update(max(0, reached - shown))
                shown = max(shown, reached)
        finally:
            bar.close()
        if self.status != "succeeded":
            raise RunFailedError(f"{self.id} is {self.status}: {self.data.reason or 'no reason was given'}")
        return self

    def pause(self) -> Loop:
        return self._change("pause")

    def resume(self, **body: Unpack[ResumeLoopSettings]) -> Loop:
        """Goes on, with other ``limits`` where they are given."""
        return self._change("resume", dict(body))

    def cancel(self) -> Loop:
        return self._change("cancel")

    def _change(self, change: str, body: dict[str, Any] | None = None) -> Loop:
        self.data = self._transport.send(_calls.change_loop(self.id, change, body))
        return self

    def report(self) -> models.LoopReport:
        """Success by round, minus the start and the control, with intervals."""
        return self._transport.send(_calls.loop_report(self.id))

    def __repr__(self) -> str:
        return f"<Loop {self.id} {self.status}>"

    def _repr_html_(self) -> str:
        return f"<div><b>{escape(self.data.name or self.id)}</b> <code>{escape(self.id)}</code> {escape(self.status)}</div>"
