"""A rollout: groups of episodes for a trainer, read as they end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from . import _calls, models
from ._handle import Handle

if TYPE_CHECKING:
    from typing_extensions import Self

RowsForm = Literal["rollouts", "rollout-trees"]


class Rollout(Handle[models.Rollout]):
    """``data`` is the rollout as it was read last."""

    _read = staticmethod(_calls.rollout)

    def events(self, *, after: int | None = None) -> Iterator[models.GroupEvent]:
        """Ended groups, each once. Store ``sequence`` with your checkpoint, and go on ``after`` it."""
        for message in self._transport.events("rollouts", self.id, after):
            if isinstance(message, models.GroupEvent):
                yield message
            elif isinstance(message, models.Rollout):
                self.data = message

    def groups(self, *, after: int | None = None, form: RowsForm = "rollouts") -> Iterator[models.GroupRows]:
        """Ended groups with their rows, in the order of the events."""
        for event in self.events(after=after):
            yield self.group(event.group.index, form=form)

    def group(self, index: int, *, form: RowsForm = "rollouts") -> models.GroupRows:
        return self._transport.send(_calls.rollout_group(self.id, index, form))

    def change_policy(self, version: str, **model: Any) -> Self:
        """Episodes that begin from now on play another version, at another ``endpoint`` or ``id`` if it is given."""
        body = {"version": version, "model": model}
        return self._replace(_calls.change_rollout(self.id, "policy", body))

    def cancel(self) -> Self:
        return self._replace(_calls.change_rollout(self.id, "cancel"))
