"""Groups as padded batches of torch tensors, for a loop of your own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .. import models
from ..errors import RunFailedError
from .samples import Sample, samples_of

if TYPE_CHECKING:
    import torch


def torch_batches(
    groups: Iterable[models.GroupRows], *, batch_size: int, pad_id: int = 0
) -> Iterator[dict[str, torch.Tensor]]:
    """Batches of whole samples, in the order of the groups; the last one may be smaller.

    Each has ``input_ids``, ``attention_mask``, ``loss_mask`` (1 for the agent's own tokens), ``logprobs``, ``advantages``
    and ``rewards``. Everything but ``rewards`` is padded on the right, over prompt and completion. If the groups end with a
    ``RunFailedError``, the samples that wait come before it.
    """
    waiting: list[Sample] = []
    failure: RunFailedError | None = None
    try:
        for group in groups:
            waiting += samples_of(group)
            while len(waiting) >= batch_size:
                yield _batch(waiting[:batch_size], pad_id)
                waiting = waiting[batch_size:]
    except RunFailedError as error:
        failure = error
    if waiting:
        yield _batch(waiting, pad_id)
    if failure is not None:
        raise failure


def _batch(samples: list[Sample], pad_id: int) -> dict[str, torch.Tensor]:
    import torch

    width = max(len(each.prompt_ids) + len(each.completion_ids) for each in samples)

    def padded(lists: list[list[float]], pad: float, dtype: torch.dtype) -> torch.Tensor:
        return torch.tensor([each + [pad] * (width - len(each)) for each in lists], dtype=dtype)

    def behind_prompt(values: list[list[float]]) -> list[list[float]]:
        return [[0.0] * len(each.prompt_ids) + own for each, own in zip(samples, values)]

    ids = [each.prompt_ids + each.completion_ids for each in samples]
    credit = [each.advantages or [0.0] * len(each.completion_ids) for each in samples]
    return {
        "input_ids": padded(ids, pad_id, torch.long),
        "attention_mask": padded([[1] * len(each) for each in ids], 0, torch.long),
        "loss_mask": padded(behind_prompt([each.mask for each in samples]), 0, torch.long),
        "logprobs": padded(behind_prompt([each.logprobs for each in samples]), 0.0, torch.float32),
        "advantages": padded(behind_prompt(credit), 0.0, torch.float32),
        "rewards": torch.tensor([each.reward for each in samples], dtype=torch.float32),
    }
