"""How busy the programs on the desktop are, by which callers see whether they still react to an action."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
DRAWING = {b"Xvfb"}
"""Looking at the screen keeps the screen busy."""


def used_seconds() -> float:
    """Seconds of processor that the processes that run now have used, but for this one and the screen."""
    ticks = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            stat = (folder / "stat").read_bytes()
        except OSError:
            # It has ended meanwhile.
            continue
        name, _, rest = stat.rpartition(b")")
        if name.partition(b"(")[2] in DRAWING:
            continue
        fields = rest.split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS
