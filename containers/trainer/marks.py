"""Which checkpoints are complete: a kill, or a copy that was cut short, leaves one without its mark or without some of its files."""

from pathlib import Path
from typing import Any

MARKER = "espalier.json"


def files_of(folder: Path) -> dict[str, int]:
    """The files of a checkpoint with their bytes, for its mark: where files are copied one by one, it may be there first."""
    return {str(file.relative_to(folder)): file.stat().st_size for file in folder.rglob("*") if file.is_file()}


def is_whole(folder: Path, facts: dict[str, Any]) -> bool:
    """Whether every file is there that the mark names; marks of earlier versions name none."""
    files: dict[str, int] = facts.get("files", {})
    return all((folder / name).is_file() and (folder / name).stat().st_size == size for name, size in files.items())
