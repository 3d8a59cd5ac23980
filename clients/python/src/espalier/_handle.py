"""The bases of handles on the objects that the service keeps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from html import escape
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ._async_transport import AsyncTransport
from ._optional import progress_bar
from ._requests import Request
from ._sync_transport import SyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self


class _Kept(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def status(self) -> Any: ...


Data = TypeVar("Data", bound=_Kept)
Transport = TypeVar("Transport", SyncTransport, AsyncTransport)


class AnyHandle(Generic[Transport, Data]):
    """``data`` is the object as the service last answered."""

    _read: Callable[[str], Request[Data]]
    _unit = ""

    def __init__(self, transport: Transport, data: Data):
        self._transport = transport
        self.data = data

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def status(self) -> str:
        return self.data.status

    def _reached(self) -> tuple[int, int]:
        """The units that are done, and all of them."""
        return 0, 0

    def _polls(self, progress: bool, timeout: float | None) -> Iterator[None]:
        """Yields before each poll until the work has ended, with a bar where ``tqdm`` is installed.

        :raises TimeoutError: after the timeout
        """
        started = time.monotonic()
        bar = progress_bar(self._reached()[1], self.id, progress, self._unit)
        shown = 0
        try:
            while True:
                reached, bar.total = self._reached()
                bar.update(max(0, reached - shown))
                shown = max(shown, reached)
                if self.status not in {"queued", "running"}:
                    return
                if timeout is not None and time.monotonic() - started > timeout:
                    raise TimeoutError(f"{self.id} is {self.status} after {timeout:g} s. It goes on.")
                yield
        finally:
            bar.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.status}>"

    def _repr_html_(self) -> str:
        name = getattr(self.data, "name", None) or self.id
        return f"<div><b>{escape(name)}</b> <code>{escape(self.id)}</code> {escape(self.status)}</div>"


class Handle(AnyHandle[SyncTransport, Data]):
    def refresh(self) -> Self:
        """Reads ``data`` again."""
        return self._replace(self._read(self.id))

    def _replace(self, request: Request[Data]) -> Self:
        self.data = self._transport.send(request)
        return self

    def _poll(self, progress: bool, timeout: float | None, pause: float) -> None:
        with closing(self._polls(progress, timeout)) as polls:
            for _ in polls:
                time.sleep(pause)
                self.refresh()


class AsyncHandle(AnyHandle[AsyncTransport, Data]):
    async def refresh(self) -> Self:
        """Reads ``data`` again."""
        return await self._replace(self._read(self.id))

    async def _replace(self, request: Request[Data]) -> Self:
        self.data = await self._transport.send(request)
        return self

    async def _poll(self, progress: bool, timeout: float | None, pause: float) -> None:
        with closing(self._polls(progress, timeout)) as polls:
            for _ in polls:
                await asyncio.sleep(pause)
                await self.refresh()
