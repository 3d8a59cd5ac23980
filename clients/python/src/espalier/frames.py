"""Lists of the API as data frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import models
from ._optional import need

if TYPE_CHECKING:
    import pandas

_RESULT_FIELDS = (
    "reward",
    "success",
    "limit",
    "steps",
    "nodes",
    "path_length",
    "progress_rate",
    "grounding_accuracy",
    "invalid_actions",
    "working_seconds",
)
_USAGE_FIELDS = ("model_calls", "input_tokens", "output_tokens", "cost")


def episodes_frame(episodes: Iterable[models.Episode]) -> pandas.DataFrame:
    """An episode that has not ended, or that erred, has no figures: they are missing, never 0."""
    pandas = need("pandas", "frames")
    rows = [_episode_row(episode) for episode in episodes]
    columns = ["id", "index", "task", "epoch", "purpose", "status", *_RESULT_FIELDS, *_USAGE_FIELDS, "error"]
    return pandas.DataFrame(rows, columns=columns).set_index("id")


def _episode_row(episode: models.Episode) -> dict[str, Any]:
    row = {name: getattr(episode, name) for name in ("id", "index", "task", "epoch", "purpose", "status")}
    result = episode.result
    if result is None:
        return row
    row.update({name: getattr(result, name) for name in _RESULT_FIELDS})
    row.update({name: getattr(result.usage, name) for name in _USAGE_FIELDS})
    row["error"] = None if result.error is None else f"{result.error.name}: {result.error.message}"
    return row


def nodes_frame(tree: models.Tree) -> pandas.DataFrame:
    """One row for each node, by its position in the tree; observations as text."""
    pandas = need("pandas", "frames")
    rows = [
        {**node.model_dump(exclude={"observation", "primitives"}), "observation": text_of(node.observation)}
        for node in tree.nodes
    ]
    frame = pandas.DataFrame(rows)
    frame.index.name = "node"
    return frame


def text_of(observation: Iterable[Any]) -> str:
    """The text of an observation; a picture is named by its digest."""
    return "\n".join(
        f"[picture {part.sha256}]" if isinstance(part, models.Picture) else part.text for part in observation
    )
