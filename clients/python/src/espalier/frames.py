"""Lists of the API as data frames of pandas and polars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import models
from ._optional import need

if TYPE_CHECKING:
    import pandas
    import polars

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
EPISODE_COLUMNS = (
    *("id", "index", "task", "epoch", "purpose", "status"),
    *(*_RESULT_FIELDS, *_USAGE_FIELDS, "error"),
)


def episodes_frame(episodes: Iterable[models.Episode]) -> pandas.DataFrame:
    """An episode that has not ended, or that erred, has no figures: they are missing, never 0."""
    pandas = need("pandas", "frames")
    return pandas.DataFrame(episode_rows(episodes), columns=list(EPISODE_COLUMNS)).set_index("id")


def episode_rows(episodes: Iterable[models.Episode]) -> list[dict[str, Any]]:
    return [_episode_row(episode) for episode in episodes]


def polars_frame(rows: list[dict[str, Any]], columns: Iterable[str]) -> polars.DataFrame:
    """Rows as a frame whose missing values are null; the whole of each column decides its type."""
    polars = need("polars", "polars")
    names = list(columns)
    filled = [{name: row.get(name) for name in names} for row in rows]
    return polars.DataFrame(filled, schema=None if filled else names, infer_schema_length=None)


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
    frame = pandas.DataFrame(node_rows(tree))
    frame.index.name = "node"
    return frame


def node_rows(tree: models.Tree) -> list[dict[str, Any]]:
    return [
        {**node.model_dump(exclude={"observation", "primitives"}), "observation": text_of(node.observation)}
        for node in tree.nodes
    ]


def text_of(observation: Iterable[Any]) -> str:
    """The text of an observation; a picture is named by its digest."""
    return "\n".join(
        f"[picture {part.sha256}]" if isinstance(part, models.Picture) else part.text for part in observation
    )
