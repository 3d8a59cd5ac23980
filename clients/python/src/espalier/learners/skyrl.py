"""SkyRL's generator over a rollout server."""

from __future__ import annotations

import asyncio
from typing import Any

from .samples import Source


class SkyrlGenerator:
    """Has the method of SkyRL's ``GeneratorInterface``. Each row of the training set names its task in ``env_extras``."""

    def __init__(self, source: Source, *, task_field: str = "task"):
        self._source = source
        self._field = task_field
        self._calls = 0

    async def generate(self, input_batch: dict[str, Any]) -> dict[str, Any]:
        """Samples in the order of the batch, as a ``GeneratorOutput``."""
        extras = input_batch.get("env_extras")
        if extras is None:
            raise ValueError(f'Each row of the training set needs its task, in the column "{self._field}".')
        tasks = [str(extra[self._field]) for extra in extras]
        metadata = input_batch.get("batch_metadata")
        step, phase = (0, "train") if metadata is None else (metadata.global_step, metadata.training_phase)
        self._calls += 1
        batch = f"{phase}-{step}" if metadata is not None else f"call-{self._calls}"
        samples = await asyncio.to_thread(self._source.draw, tasks, version=f"step-{step}", batch=batch)
        return {
            "prompt_token_ids": [each.prompt_ids for each in samples],
            "response_ids": [each.completion_ids for each in samples],
            "rewards": [each.reward for each in samples],
            "loss_masks": [each.mask for each in samples],
            "stop_reasons": ["stop"] * len(samples),
            "rollout_metrics": {"espalier/mean_reward": sum(each.reward for each in samples) / max(1, len(samples))},
            "rollout_logprobs": [each.logprobs for each in samples],
            "trajectory_ids": input_batch.get("trajectory_ids"),
        }
