"""Branches of groups as flat token sequences, which every adapter starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import uuid4

from .. import models
from ..client import Client
from ..rollout import Rollout, rollout_failure

ATTEMPTS = 3
"""Rollouts played for one batch at most, the first included."""


@dataclass(frozen=True)
class Sample:
    """A branch. ``mask`` is 1 for the agent's own tokens; lists about tokens are as long as ``completion_ids``."""

    task: str
    episode: str
    version: str | None
    prompt_ids: list[int]
    completion_ids: list[int]
    mask: list[int]
    logprobs: list[float]
    """0 for tokens that are not the agent's."""
    advantages: list[float] | None
    reward: float


def samples_of(group: models.GroupRows) -> list[Sample]:
    """The branches of a group.

    :raises ValueError: if a log-probability is unknown, or a branch was not recorded in one piece
    """
    return [_sample(group.task, found.episode, found.version, found.row) for found in group.rows]


def _sample(task: str, episode: str, version: str | None, row: Any) -> Sample:
    if row.type != "rollout":
        raise ValueError('Ask for groups with form="rollouts": a prefix tree is no flat sequence.')
    if row.parts > 1:
        raise ValueError(
            f"{episode} of {task} was recorded in {row.parts} parts, because the server tokenized its turns anew. "
            'Play with {"prompting": "tokens"} in the model, so that each branch is one sequence.'
        )
    mask = [int(own) for own in row.completion_mask]
    logprobs = list(row.logprobs)
    if any(own and logprob is None for own, logprob in zip(mask, logprobs)):
        raise ValueError(f"{episode} of {task} has tokens of unknown log-probability: its endpoint does not say them.")
    return Sample(
        task=task,
        episode=episode,
        version=version,
        prompt_ids=list(row.prompt_ids),
        completion_ids=list(row.completion_ids),
        mask=mask,
        logprobs=[logprob if own else 0.0 for own, logprob in zip(mask, logprobs)],
        advantages=None if row.advantages is None else list(row.advantages),
        reward=row.reward,
    )


@dataclass(frozen=True)
class Source:
    """The request of the rollouts that an adapter begins: fields of ``client.rollout``, without tasks and sizes.

    ``name`` names the training: a source of the same name gets the episodes that its batches had before. The default
    is a new random id, so that each training plays its own.
    """

    client: Client
    environment: str
    method: str | Mapping[str, object]
    model: Any
    settings: Mapping[str, Any]
    name: str = field(default_factory=lambda: uuid4().hex)

    def draw(self, tasks: Sequence[str], *, version: str, batch: str) -> list[Sample]:
        """One sample for each task of the list, which repeats tasks as often as their groups are large.

        Each is an episode of its own. Episodes that errored, were cut or timed out are no samples: more of their task
        are played.

        :param batch: names the batch. A trainer that starts again gets the samples it had under the same name
        :raises RunFailedError: if a rollout paused or was cancelled, or the first failed with several episodes
        :raises RuntimeError: if members are still missing after ``ATTEMPTS`` rollouts, with the reasons
        :raises ValueError: if an episode has several branches
        """
        found: dict[str, list[Sample]] = {task: [] for task in tasks}
        wanted = {task: tasks.count(task) for task in found}
        reasons: list[str] = []
        for attempt in range(ATTEMPTS):
            short = {task: count - len(found[task]) for task, count in wanted.items() if len(found[task]) < count}
            for size in sorted(set(short.values())):
                ids = [task for task, count in short.items() if count == size]
                rollout = self._begin(ids, size, version, f"{batch}-{attempt}-{size}")
                for group in rollout.groups():
                    found[group.task] += _episodes_of(group)
                    reasons += _reasons(group)
                # A missing member, or an only one, is played again.
                has_failed = attempt == 0 and rollout.status == "failed" and rollout.data.episodes.total > 1
                if has_failed or rollout.status == "cancelled":
                    raise rollout_failure(rollout.data, reasons=reasons)
        if any(len(found[task]) < count for task, count in wanted.items()):
            raise RuntimeError(f"Members are missing after {ATTEMPTS} rollouts: {'; '.join(sorted(set(reasons)))}")
        turn = {task: iter(samples) for task, samples in found.items()}
        return [next(turn[task]) for task in tasks]

    def _begin(self, ids: list[str], size: int, version: str, batch: str) -> Rollout:
        key = f"{self.name}-{batch}-{sha256(chr(10).join(ids).encode()).hexdigest()[:16]}"
        # Batches of one sampling seed would repeat the episodes that a task had before.
        seed = self.settings.get("sampling_seed", self.settings.get("seed", 0))
        drawn = int.from_bytes(sha256(f"{seed}/{key}".encode()).digest()[:4], "big") % 2**31
        asked = {"tasks": {"ids": ids}, "group_size": size, "version": version, "sampling_seed": drawn}
        return self.client.rollout(
            self.environment, self.method, self.model, idempotency_key=key, **{**self.settings, **asked}
        )


def _episodes_of(group: models.GroupRows) -> list[Sample]:
    """The samples of a group whose episodes have one branch each."""
    samples = samples_of(group)
    branches = Counter(sample.episode for sample in samples)
    for episode, count in branches.items():
        if count > 1:
            raise ValueError(
                f"{episode} of {group.task} has {count} branches, and this trainer takes one sample of each episode. "
                "Train all of them in a loop of your own, by torch_batches, or play with a method that does not "
                'branch. credit={"paths": "answer"} trains the path to the answer alone.'
            )
    return samples


def _reasons(group: models.GroupRows) -> list[str]:
    missing = [f"{member.missing}: {member.detail}" for member in group.members if member.missing is not None]
    return missing + [f"{left.episode} gave no row: {left.reason}" for left in group.left_out]
