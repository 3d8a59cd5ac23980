"""A rollout: groups of episodes for a trainer, read as they end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from . import _calls, models
from ._async_transport import AsyncTransport
from .rollout import RowsForm


class AsyncRollout:
    """``data`` is the rollout as it was read last."""

    def __init__(self, transport: AsyncTransport, data: models.Rollout):
        self._transport = transport
        self.data = data

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def status(self) -> str:
        return self.data.status

    async def refresh(self) -> AsyncRollout:
        self.data = await self._transport.send(_calls.rollout(self.id))
        return self

    async def events(self, *, after: int | None = None) -> AsyncIterator[models.GroupEvent]:
        """Ended groups, each once. Store ``sequence`` with your checkpoint, and go on ``after`` it."""
        async for message in self._transport.events("rollouts", self.id, after):
            if isinstance(message, models.GroupEvent):
                yield message
            elif isinstance(message, models.Rollout):
                self.data = message

    async def groups(self, *, after: int | None = None, form: RowsForm = "rollouts") -> AsyncIterator[models.GroupRows]:
        """Ended groups with their rows, in the order of the events."""
        async for event in self.events(after=after):
            yield await self.group(event.group.index, form=form)

    async def group(self, index: int, *, form: RowsForm = "rollouts") -> models.GroupRows:
        return await self._transport.send(_calls.rollout_group(self.id, index, form))

    async def change_policy(self, version: str, **model: Any) -> AsyncRollout:
        """Episodes that begin from now on play another version, at another ``endpoint`` or ``id`` if it is given."""
        self.data = await self._transport.send(
            _calls.change_rollout(self.id, "policy", {"version": version, "model": model})
        )
        return self

    async def cancel(self) -> AsyncRollout:
        self.data = await self._transport.send(_calls.change_rollout(self.id, "cancel"))
        return self

    def __repr__(self) -> str:
        return f"<AsyncRollout {self.id} {self.status}>"
