"""Prefix trees as the message graph of verifiers, whose branches prime-rl trains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import models


def verifiers_nodes(tree: Any, decode: Callable[[list[int]], str]) -> list[dict[str, Any]]:
    """A row of the form ``rollout-trees`` as fields of verifiers' ``MessageNode``, in the order of ``Trace.nodes``.

    Each segment is a node that adds its own tokens, so that the branches of the trace are those of the tree.

    :param decode: of the policy's tokenizer, for the texts of the messages
    """
    credit = _credit(tree)
    nodes: list[dict[str, Any]] = []
    for place, segment in enumerate(tree.segments):
        text = decode(list(segment.ids))
        own = segment.learned
        nodes.append(
            {
                "parent": segment.parent,
                "message": {"role": "assistant" if own else "user", "content": text},
                "sampled": own,
                "token_ids": list(segment.ids),
                "mask": [own] * len(segment.ids),
                "logprobs": [_known(logprob) for logprob in segment.logprobs],
                "advantages": [credit[place]] * len(segment.ids) if place in credit else None,
            }
        )
    return nodes


def verifiers_rewards(tree: Any) -> list[float]:
    """The reward of each branch, in the order of their leaves."""
    return [branch.reward for branch in sorted(tree.branches, key=lambda branch: branch.segment)]


def trees_of(group: models.GroupRows) -> list[Any]:
    return [found.row for found in group.rows if found.row.type == "rollout-tree"]


def _credit(tree: Any) -> dict[int, float]:
    """The mean credit of each learned segment over the branches that pass it."""
    found: dict[int, list[float]] = {}
    for branch in tree.branches:
        way: list[int] = []
        at: int | None = branch.segment
        while at is not None:
            if tree.segments[at].learned:
                way.append(at)
            at = tree.segments[at].parent
        for place, advantage in zip(reversed(way), branch.advantages):
            found.setdefault(place, []).append(advantage)
    return {place: sum(values) / len(values) for place, values in found.items()}


def _known(logprob: float | None) -> float:
    if logprob is None:
        raise ValueError("The tree has tokens of unknown log-probability: its endpoint does not say them.")
    return logprob
