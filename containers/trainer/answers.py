"""Pairs and judged rows of which the model's own turns are learned. TRL itself learns everything behind the prompt."""

from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase
from trl import DPOTrainer, KTOTrainer

from check import SIDES
from progress import TrainingError


class AnswersOnly:
    """A collator whose batches are learned at the model's own turns. `groups`: a prefix of the batch, and columns of rows."""

    def __init__(self, inner: Any, groups: dict[str, tuple[str, ...]]) -> None:
        self._inner, self._groups = inner, groups

    def __call__(self, examples: list[dict[str, Any]]) -> dict[str, Any]:
        batch = self._inner(examples)
        for prefix, sides in self._groups.items():
            mask = batch.get(f"{prefix}completion_mask")
            if mask is None:
                continue
            marks = [[0] * len(row["prompt_ids"]) + row[_marks(side)] for side in sides for row in examples]
            for place, marked in enumerate(marks):
                kept = marked[: mask.shape[1]]
                mask[place, : len(kept)] *= mask.new_tensor(kept)
        return batch


class _Marked:
    """Adds the marks of answers to the rows of a trainer of TRL, and has its batches go by them."""

    sides: tuple[str, ...] = ()
    groups: dict[str, tuple[str, ...]] = {}

    def __init__(self, *, template: str | None, **given: Any) -> None:
        self._template = template
        super().__init__(**given)
        self.data_collator = AnswersOnly(self.data_collator, self.groups)

    def _prepare_dataset(self, dataset: Dataset, processing_class: Any, args: Any, dataset_name: str) -> Dataset:
        made = super()._prepare_dataset(dataset, processing_class, args, dataset_name)
        about = {"tokenizer": processing_class, "template": self._template, "sides": self.sides}
        made = made.map(mark, fn_kwargs=about, desc="Marking answers")
        if "KL_completion_ids" not in made.column_names:
            return made
        # As TRL rotates the completions themselves.
        return made.map(rotate, batched=True, batch_size=args.per_device_train_batch_size)

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()
        columns = [_marks(side) for sides in self.groups.values() for side in sides]
        self._signature_columns += [name for name in columns if name not in self._signature_columns]


class MarkedDPOTrainer(_Marked, DPOTrainer):
    sides = SIDES["dpo"]
    groups = {"": SIDES["dpo"]}


class MarkedKTOTrainer(_Marked, KTOTrainer):
    sides = SIDES["kto"]
    groups = {"": SIDES["kto"], "KL_": ("KL_completion",)}


def mark(
    row: dict[str, Any], tokenizer: PreTrainedTokenizerBase, template: str | None, sides: tuple[str, ...]
) -> dict[str, list[int]]:
    """Which tokens of each side are the model's own."""
    marks = {}
    for side in sides:
        made = tokenizer.apply_chat_template(
            row["prompt"] + row[side],
            tokenize=True,
            return_dict=True,
            return_assistant_tokens_mask=True,
            chat_template=template,
        )
        before = len(row["prompt_ids"])
        if made["input_ids"] != row["prompt_ids"] + row[f"{side}_ids"]:
            raise TrainingError(
                "refused",
                "The chat template that marks answers writes other text than that of the base. Mark answers with "
                '{% generation %} in the template of the base, or set hyperparameters.loss_on to "completion".',
            )
        marks[_marks(side)] = made["assistant_masks"][before:]
    return marks


def rotate(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    marks = rows[_marks("completion")]
    return {_marks("KL_completion"): [marks[-1], *marks[:-1]]}


def _marks(side: str) -> str:
    return f"{side}_answers"
