"""Scorers written in Python: what an ended episode is worth, as one function.

``espalier score RUN --name NAME --scorer ./score.py`` gives each ended episode of a run to the function ``score`` of the file, and
stores its value beside the environment's reward.
"""

from typing import Any, TypedDict


class Episode(TypedDict):
    """An episode as a scorer is given it."""

    run: str
    episode: str
    """Its id."""
    task: str
    environment: str
    method: str
    status: str
    """How it ended: ``succeeded``, ``failed`` or ``limited``."""
    reward: float | None
    """The environment's; ``None`` where a limit on money or time ended it."""
    success: bool
    steps: int
    """Environment steps taken."""
    trajectory: dict[str, Any]
    """The path to its answer, in the ATIF format."""


__all__ = ["Episode"]
