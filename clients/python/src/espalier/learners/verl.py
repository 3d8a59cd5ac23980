"""verl's agent loop over a rollout server."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from .samples import Sample, Source


def verl_fields(sample: Sample, *, prompt_length: int, response_length: int) -> dict[str, Any]:
    """A sample as the fields of verl's ``AgentLoopOutput``.

    verl pads both to the lengths of its configuration, and fails at longer ones. As its own loops do, this cuts the
    response.

    :raises ValueError: if the prompt is too long
    """
    if len(sample.prompt_ids) > prompt_length:
        raise ValueError(
            f"The prompt of {sample.episode} of {sample.task} has {len(sample.prompt_ids)} tokens, and verl takes "
            f"{prompt_length}. Raise data.max_prompt_length, or leave the task out."
        )
    return {
        "prompt_ids": sample.prompt_ids,
        "response_ids": sample.completion_ids[:response_length],
        "response_mask": sample.mask[:response_length],
        "response_logprobs": sample.logprobs[:response_length],
        "reward_score": sample.reward,
        "num_turns": _turns(sample.mask),
        "metrics": {},
        "extra_fields": {"task": sample.task, "episode": sample.episode, "version": sample.version},
    }


async def run_agent_loop(
    source: Source,
    task: str,
    *,
    prompt_length: int,
    response_length: int,
    version: str = "verl",
    batch: str | None = None,
) -> dict[str, Any]:
    """Plays one episode, as ``AgentLoopBase.run`` does. Call it in a loop of your own::

        @register("espalier")
        class EspalierLoop(AgentLoopBase):
            async def run(self, sampling_params, **row):
                lengths = self.rollout_config
                return AgentLoopOutput(
                    **await run_agent_loop(
                        source,
                        row["task"],
                        prompt_length=lengths.prompt_length,
                        response_length=lengths.response_length,
                    )
                )

    :param prompt_length: the most tokens of a prompt; verl fails at more, so that this raises ``ValueError``
    :param response_length: the most tokens of a response; longer ones are cut, as by verl's own loops
    :param batch: names the call, if your loop knows a name that a restart repeats. By default each call is another
    """
    batch = batch or uuid4().hex
    [sample] = await asyncio.to_thread(source.draw, [task], version=version, batch=batch)
    return verl_fields(sample, prompt_length=prompt_length, response_length=response_length)


def _turns(mask: list[int]) -> int:
    """The agent's turns and the environment's between them, with the prompt."""
    return 1 + sum(own != before for before, own in zip([0, *mask], mask))
