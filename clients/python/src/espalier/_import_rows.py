"""Rows of an import as request bodies of a bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

MOST_BYTES = 3_000_000
"""Of one body: below the limit of every service."""

Rows = str | Path | Iterable[Mapping[str, Any]]


def bodies_of(rows: Rows) -> Iterator[tuple[str, int, bool]]:
    """Each body as JSON lines, the number of its first row, and whether more follow.

    :param rows: a file of JSON lines or of one JSON list, or the rows themselves
    """
    lines: list[str] = []
    size, first = 0, 0
    for line in _lines_of(rows):
        length = len(line.encode()) + 1
        if lines and size + length > MOST_BYTES:
            yield "\n".join(lines), first, True
            first += len(lines)
            lines, size = [], 0
        lines.append(line)
        size += length
    yield "\n".join(lines), first, False


def _lines_of(rows: Rows) -> Iterator[str]:
    if not isinstance(rows, str | Path):
        yield from (json.dumps(row) for row in rows)
        return
    text = Path(rows).read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        yield from (json.dumps(row) for row in json.loads(text))
    else:
        yield from (line for line in text.split("\n") if line.strip())
