"""verl's agent loop over a rollout server."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from .samples import Sample, Source


def verl_fields(sample: Sample) -> dict[str, Any]:
    """A sample as the fields of verl's ``AgentLoopOutput``."""
    return {
        "prompt_ids": sample.prompt_ids,
        "response_ids": sample.completion_ids,
        "response_mask": sample.mask,
        "response_logprobs": sample.logprobs,
        "reward_score": sample.reward,
        "num_turns": _turns(sample.mask),
        "metrics": {},
        "extra_fields": {"task": sample.task, "episode": sample.episode, "version": sample.version},
    }


async def run_agent_loop(
    source: Source, task: str, *, version: str = "verl", batch: str | None = None
) -> dict[str, Any]:
    """Plays one episode, as ``AgentLoopBase.run`` does. Call it in a loop of your own::

        @register("espalier")
        class EspalierLoop(AgentLoopBase):
            async def run(self, sampling_params, **row):
                return AgentLoopOutput(**await run_agent_loop(source, row["task"]))

    :param batch: names the call, if your loop knows a name that a restart repeats. By default each call is another
    """
    batch = batch or uuid4().hex
    [sample] = await asyncio.to_thread(source.draw, [task], version=version, batch=batch)
    return verl_fields(sample)


def _turns(mask: list[int]) -> int:
    """The agent's turns and the environment's between them, with the prompt."""
    return 1 + sum(own != before for before, own in zip([0, *mask], mask))
