"""The rows of a training: read from the files of its datasets, mixed by their shares, in an order that the seed decides."""

import random
from typing import Any

from datasets import Dataset, Features, concatenate_datasets, load_dataset

from progress import TrainingError

COLUMNS = {
    "dpo": ["prompt", "chosen", "rejected"],
    "rpo": ["prompt", "chosen", "rejected"],
    "kto": ["prompt", "completion", "label"],
    "prm": ["prompt", "completions", "labels"],
    "grpo": ["prompt", "reference"],
    # Of TRL's rollout hook, with advantages.
    "policy-gradient": ["prompt_ids", "completion_ids", "env_mask", "logprobs", "advantages"],
}


def load(job: dict[str, Any]) -> tuple[Dataset, list[dict[str, Any]]]:
    """The mixed rows of an epoch, and what each dataset gave."""
    parts = [_read(source["files"]) for source in job["data"]]
    parts = _alike(job["recipe"], parts)
    shares = [source.get("share") for source in job["data"]]
    taken = mix([len(part) for part in parts], shares, job["seed"])
    counts = [
        {"dataset": source["dataset"], "split": source["split"], "rows": len(part), "used": len(indices)}
        for source, part, indices in zip(job["data"], parts, taken, strict=True)
    ]
    chosen = [part.select(indices) for part, indices in zip(parts, taken, strict=True)]
    rows = concatenate_datasets(chosen)
    if len(rows) == 0:
        raise TrainingError("refused", "The datasets have no rows to learn from.")
    return rows.shuffle(seed=job["seed"]), counts


def mix(sizes: list[int], shares: list[float | None], seed: int) -> list[list[int]]:
    """
    Which rows of each dataset an epoch has. Without shares: all of them, once. With shares, an epoch has as many rows as all
    datasets together; one whose share asks for more rows than it has is repeated, each time in another order, and of one whose
    share asks for fewer the seed chooses which.
    """
    if all(share is None for share in shares):
        return [list(range(size)) for size in sizes]
    total, whole = sum(sizes), sum(share or 0.0 for share in shares)
    taken = []
    for place, (size, share) in enumerate(zip(sizes, shares, strict=True)):
        wanted = round(total * (share or 0.0) / whole)
        if wanted > 0 and size == 0:
            raise TrainingError("refused", f"The dataset at place {place} has no rows, and a share of {share}.")
        chance = random.Random(f"{seed}/{place}")
        indices: list[int] = []
        while len(indices) < wanted:
            order = list(range(size))
            chance.shuffle(order)
            indices += order[: wanted - len(indices)]
        taken.append(indices)
    return taken


def _read(files: list[str]) -> Dataset:
    if not files:
        raise TrainingError("refused", "A dataset has no files in the split that was asked for.")
    return load_dataset("json", data_files={"train": files}, split="train")


def _alike(recipe: str, parts: list[Dataset]) -> list[Dataset]:
    """The same columns in every part: rows of different kinds may teach one recipe."""
    if recipe != "sft":
        wanted = COLUMNS[recipe]
        for part in parts:
            missing = [name for name in wanted if name not in part.column_names and name != "reference"]
            if missing:
                raise TrainingError("refused", f"The rows have no {', '.join(missing)}, which {recipe} learns from.")
        kept = [part.select_columns([name for name in wanted if name in part.column_names]) for part in parts]
        return _with_features_of_first(kept)
    if all("messages" in part.column_names for part in parts):
        return _with_features_of_first([part.select_columns(["messages"]) for part in parts])
    return _with_features_of_first([_split(part) for part in parts])


def _split(part: Dataset) -> Dataset:
    """Conversations as prompt and completion: what comes before the first answer, and the rest, whose answers are learned."""
    if "messages" not in part.column_names:
        return part.select_columns(["prompt", "completion"])

    def split(row: dict[str, Any]) -> dict[str, Any]:
        turns = row["messages"]
        first = next(index for index, turn in enumerate(turns) if turn["role"] == "assistant")
        return {"prompt": turns[:first], "completion": turns[first:]}

    return part.map(split, remove_columns=part.column_names)


def _with_features_of_first(parts: list[Dataset]) -> list[Dataset]:
    features: Features = parts[0].features
    return [part if part.features == features else part.cast(features) for part in parts]
