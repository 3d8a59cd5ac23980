"""A rollout: groups of episodes for a trainer, read as they end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from . import _calls, models
from ._sync_transport import SyncTransport

RowsForm = Literal["rollouts", "rollout-trees"]


class Rollout:
    """``data`` is the rollout as it was read last."""

    def __init__(self, transport: SyncTransport, data: models.Rollout):
        self._transport = transport
        self.data = data

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def status(self) -> str:
        return self.data.status

    def refresh(self) -> Rollout:
        self.data = self._transport.send(_calls.rollout(self.id))
        return self

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

    def change_policy(self, version: str, **model: Any) -> Rollout:
        """Episodes that begin from now on play another version, at another ``endpoint`` or ``id`` if it is given."""
        self.data = self._transport.send(
            _calls.change_rollout(self.id, "policy", {"version": version, "model": model})
        )
        return self

    def cancel(self) -> Rollout:
        self.data = self._transport.send(_calls.change_rollout(self.id, "cancel"))
        return self

    def __repr__(self) -> str:
        return f"<Rollout {self.id} {self.status}>"
