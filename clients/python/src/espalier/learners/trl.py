"""TRL's ``GRPOTrainer`` over a rollout server, by its hook ``rollout_func``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from ..client import Client
from .samples import Source


def trl_rollout_func(
    client: Client,
    environment: str,
    method: str | Mapping[str, object],
    model: Any,
    *,
    serve: Callable[[Any, str], Any] | None = None,
    name: str | None = None,
    **settings: Any,
) -> Callable[[list[Any], Any], dict[str, list[Any]]]:
    """Makes a ``rollout_func``. The column ``prompt`` of the training set holds ids of tasks.

    :param serve: called with the trainer and the new version before each batch. It puts the weights where the endpoint
        serves them, and returns the model to play, or None for the same
    :param name: of this training. After a crash the same name and step get the groups that were played. The default is
        a new random id, with which each start plays its own
    :param settings: further fields of ``client.rollout``, such as ``timeout`` or ``limits``
    """
    name = name or uuid4().hex
    calls: dict[int, int] = {}

    def rollout_func(prompts: list[Any], trainer: Any) -> dict[str, list[Any]]:
        step = int(trainer.state.global_step)
        calls[step] = calls.get(step, 0) + 1
        version = f"step-{step}"
        served = None if serve is None else serve(trainer, version)
        source = Source(client, environment, method, model if served is None else served, settings, name)
        process = trainer.accelerator.process_index
        samples = source.draw(list(prompts), version=version, batch=f"{step}-{calls[step]}-{process}")
        return {
            "prompt_ids": [each.prompt_ids for each in samples],
            "completion_ids": [each.completion_ids for each in samples],
            "logprobs": [each.logprobs for each in samples],
            "env_mask": [each.mask for each in samples],
            "reward": [each.reward for each in samples],
        }

    return rollout_func


def trl_reward(reward: list[float], **_: Any) -> list[float]:
    """For ``reward_funcs``: the rewards that the environment gave."""
    return reward
