"""Plays the cells of a sweep, for programs with an event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from . import _calls
from ._sweep_cells import Cell

if TYPE_CHECKING:
    from ._async_transport import AsyncTransport
    from .async_client import AsyncRun


async def play_cells(transport: AsyncTransport, cells: list[Cell], parallel: int, bar: Any) -> list[AsyncRun]:
    """:param parallel: runs at a time"""
    from .async_client import AsyncRun

    places = asyncio.Semaphore(parallel)

    async def play(cell: Cell) -> AsyncRun:
        async with places:
            made = await transport.send(_calls.create_run(cell.body, cell.idempotency_key))
            run = AsyncRun(transport, made)
            await run.follow()
            bar.update(1)
            return run

    return list(await asyncio.gather(*map(play, cells)))
