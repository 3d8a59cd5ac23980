"""Groups as trajectories of OpenPipe's ART."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from .. import models
from .samples import Sample, samples_of


def art_trajectories(group: models.GroupRows, decode: Callable[[list[int]], str]) -> list[dict[str, Any]]:
    """The branches of a group as fields of ``art.Trajectory``::

        art.TrajectoryGroup([art.Trajectory(**fields) for fields in art_trajectories(group, tokenizer.decode)])

    The agent's answers are choices with the log-probability of each token, named ``token_id:…`` as vLLM names them.
    ART renders the messages with its own chat template: use it if that template gives these prompts back.

    :param decode: of the policy's tokenizer
    """
    return [_trajectory(sample, decode) for sample in samples_of(group)]


def _trajectory(sample: Sample, decode: Callable[[list[int]], str]) -> dict[str, Any]:
    turns: list[dict[str, Any]] = [{"role": "user", "content": decode(sample.prompt_ids)}]
    places = range(len(sample.mask))
    for own, part in groupby(places, key=lambda place: sample.mask[place]):
        span = list(part)
        ids = [sample.completion_ids[place] for place in span]
        if own:
            turns.append(_choice(decode(ids), ids, [sample.logprobs[place] for place in span]))
        else:
            turns.append({"role": "user", "content": decode(ids)})
    metadata = {"task": sample.task, "episode": sample.episode, "policy_version": sample.version}
    return {"messages_and_choices": turns, "reward": sample.reward, "metadata": metadata}


def _choice(content: str, ids: list[int], logprobs: list[float]) -> dict[str, Any]:
    tokens = [
        {"token": f"token_id:{id}", "logprob": logprob, "bytes": None, "top_logprobs": []}
        for id, logprob in zip(ids, logprobs)
    ]
    return {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content},
        "logprobs": {"content": tokens, "refusal": None},
    }
