"""A rollout: groups of episodes for a trainer, read as they end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._handle import AsyncHandle
from .rollout import RowsForm, rollout_failure

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncRollout(AsyncHandle[models.Rollout]):
    """``data`` is the rollout as it was read last."""

    _read = staticmethod(_calls.rollout)

    async def events(self, *, after: int | None = None) -> AsyncIterator[models.GroupEvent]:
        """Ended groups, each once. Store ``sequence`` with your checkpoint, and go on ``after`` it.

        While the rollout is paused they wait: ``client.get_run(rollout.data.run)`` resumes its run.
        """
        async for message in self._messages(after):
            if isinstance(message, models.GroupEvent):
                yield message

    async def _messages(self, after: int | None) -> AsyncIterator[models.GroupEvent | models.Rollout]:
        """The events, and in between the rollout as it is now, which becomes ``data``."""
        async for message in self._transport.events("rollouts", self.id, after):
            if isinstance(message, models.Rollout):
                self.data = message
            yield message

    async def groups(self, *, after: int | None = None, form: RowsForm = "rollouts") -> AsyncIterator[models.GroupRows]:
        """Ended groups with their rows, in the order of the events.

        :raises RunFailedError: when the rollout pauses, with the reason and with the ``after`` to go on from
        """
        async for message in self._messages(after):
            if isinstance(message, models.GroupEvent):
                yield await self.group(message.group.index, form=form)
                after = message.sequence
            elif self.status == "paused":
                raise rollout_failure(self.data, after=after)

    async def group(self, index: int, *, form: RowsForm = "rollouts") -> models.GroupRows:
        return await self._transport.send(_calls.rollout_group(self.id, index, form))

    async def change_policy(self, version: str, **model: Any) -> Self:
        """Episodes that begin from now on play another version, at another ``endpoint`` or ``id`` if it is given."""
        body = {"version": version, "model": model}
        return await self._replace(_calls.change_rollout(self.id, "policy", body))

    async def cancel(self) -> Self:
        return await self._replace(_calls.change_rollout(self.id, "cancel"))
