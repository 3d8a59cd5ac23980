"""A rollout: groups of episodes for a trainer, read as they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from . import _calls, models
from ._handle import Handle
from .errors import RunFailedError

if TYPE_CHECKING:
    from typing_extensions import Self

RowsForm = Literal["rollouts", "rollout-trees"]


class Rollout(Handle[models.Rollout]):
    """``data`` is the rollout as it was read last."""

    _read = staticmethod(_calls.rollout)

    def events(self, *, after: int | None = None) -> Iterator[models.GroupEvent]:
        """Ended groups, each once. Store ``sequence`` with your checkpoint, and go on ``after`` it.

        While the rollout is paused they wait: ``client.get_run(rollout.data.run)`` resumes its run.
        """
        for message in self._messages(after):
            if isinstance(message, models.GroupEvent):
                yield message

    def _messages(self, after: int | None) -> Iterator[models.GroupEvent | models.Rollout]:
        """The events, and in between the rollout as it is now, which becomes ``data``."""
        for message in self._transport.events("rollouts", self.id, after):
            if isinstance(message, models.Rollout):
                self.data = message
            yield message

    def groups(self, *, after: int | None = None, form: RowsForm = "rollouts") -> Iterator[models.GroupRows]:
        """Ended groups with their rows, in the order of the events.

        :raises RunFailedError: when the rollout pauses, with the reason and with the ``after`` to go on from
        """
        for message in self._messages(after):
            if isinstance(message, models.GroupEvent):
                yield self.group(message.group.index, form=form)
                after = message.sequence
            elif self.status == "paused":
                raise rollout_failure(self.data, after=after)

    def group(self, index: int, *, form: RowsForm = "rollouts") -> models.GroupRows:
        return self._transport.send(_calls.rollout_group(self.id, index, form))

    def change_policy(self, version: str, **model: Any) -> Self:
        """Episodes that begin from now on play another version, at another ``endpoint`` or ``id`` if it is given."""
        body = {"version": version, "model": model}
        return self._replace(_calls.change_rollout(self.id, "policy", body))

    def cancel(self) -> Self:
        return self._replace(_calls.change_rollout(self.id, "cancel"))


def rollout_failure(
    rollout: models.Rollout, *, after: int | None = None, reasons: Iterable[str] = ()
) -> RunFailedError:
    said = "; ".join([rollout.status_reason or "no reason was given", *sorted(set(reasons))])
    groups = "groups()" if after is None else f"groups(after={after})"
    advice = f" Resume its run, {rollout.run}; {groups} goes on from here." if rollout.status == "paused" else ""
    return RunFailedError(f"{rollout.id} is {rollout.status}: {said}{advice}")
