"""GRPO's loss on played rollouts: tokens, log-probabilities and advantages are given, and nothing is generated."""

from typing import Any

import torch
from peft import PeftModel
from transformers import Trainer
from trl import GRPOTrainer
from trl.trainer.utils import pad
from rows import COLUMNS


class GivenAdvantagesTrainer(GRPOTrainer):
    """TRL computes advantages from rewards, and has no hook for given ones. Its loss takes one for each token."""

    def __init__(self, *, max_length: int, **given: Any) -> None:
        # TRL asks for a reward function, which is never called.
        super().__init__(reward_funcs=lambda completions, **_: [0.0] * len(completions), **given)
        self.data_collator = GivenRows(self._tokenizer.pad_token_id, max_length)

    def _set_signature_columns_if_needed(self) -> None:
        self._signature_columns = COLUMNS["policy-gradient"]

    def get_train_dataloader(self) -> Any:
        return Trainer.get_train_dataloader(self)

    def _get_train_sampler(self, dataset: Any = None) -> Any:
        return Trainer._get_train_sampler(self, dataset)

    def _prepare_inputs(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        made = Trainer._prepare_inputs(self, batch)
        seen = made["prompt_mask"].sum() + made["completion_mask"].sum()
        self._total_train_tokens += int(self.accelerator.gather(seen).sum())
        if self.beta != 0.0:
            made["ref_per_token_logps"] = self._reference(made)
        return made

    def _reference(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Log-probabilities of the start: the reference model's, or of adapters the weights below them."""
        ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
        mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
        asked = (ids, mask, batch["completion_ids"].size(1))
        with torch.no_grad():
            if self.ref_model is not None:
                return self._get_per_token_logps_and_entropies(self.ref_model, *asked)[0]
            model: PeftModel = self.accelerator.unwrap_model(self.model)
            with model.disable_adapter():
                return self._get_per_token_logps_and_entropies(self.model, *asked)[0]


class GivenRows:
    """Collates rows: prompts are padded on the left, completions on the right, and cut at `max_length` of both."""

    def __init__(self, filler: int, max_length: int) -> None:
        self._filler, self._max_length = filler, max_length

    def __call__(self, rows: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
        prompts = [torch.tensor(row["prompt_ids"]) for row in rows]
        kept = [max(0, self._max_length - len(prompt)) for prompt in prompts]

        def completions(name: str, dtype: torch.dtype, filler: float) -> torch.Tensor:
            cut = [torch.tensor(row[name][:length], dtype=dtype) for row, length in zip(rows, kept, strict=True)]
            return pad(cut, padding_value=filler, padding_side="right")

        seen = [torch.ones(min(length, len(row["completion_ids"]))) for row, length in zip(rows, kept, strict=True)]
        return {
            "prompt_ids": pad(prompts, padding_value=self._filler, padding_side="left"),
            "prompt_mask": pad([torch.ones_like(each) for each in prompts], padding_value=0, padding_side="left"),
            "completion_ids": completions("completion_ids", torch.long, self._filler),
            "completion_mask": pad(seen, padding_value=0, padding_side="right").long(),
            "tool_mask": completions("env_mask", torch.long, 0),
            "advantages": completions("advantages", torch.float32, 0.0),
            "old_per_token_logps": completions("logprobs", torch.float32, 0.0),
        }
