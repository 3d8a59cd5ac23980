"""Plays the cells of a sweep."""

from __future__ import annotations

from typing import Any

from . import _calls
from ._sweep_cells import Cell
from ._sync_transport import SyncTransport
from .run import Run, ended_run


def play_cells(transport: SyncTransport, cells: list[Cell], parallel: int, bar: Any) -> list[Run]:
    """:param parallel: runs at a time"""
    runs: list[Run] = []
    for at, cell in enumerate(cells):
        if at >= parallel:
            ended_run(runs[at - parallel])
            bar.update(1)
        made = transport.send(_calls.create_run(cell.body, cell.idempotency_key))
        runs.append(Run(transport, made))
    for run in runs[max(0, len(cells) - parallel) :]:
        ended_run(run)
        bar.update(1)
    return runs
