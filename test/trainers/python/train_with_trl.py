"""Trains two steps with a trainer of TRL on each dataset. A job: {trainer, folder, settings}."""

import tempfile

from datasets import load_dataset
from trl import DPOConfig, DPOTrainer, KTOConfig, KTOTrainer, SFTConfig, SFTTrainer

import rows
import tiny

TRAINERS = {"sft": (SFTTrainer, SFTConfig), "dpo": (DPOTrainer, DPOConfig), "kto": (KTOTrainer, KTOConfig)}


def sides(tokenizer, trainer, row):
    """What the trainer made of a row, in text."""
    if trainer == "sft":
        text = tokenizer.decode(row["input_ids"])
        return {"text": text, "learned": tiny.learned(tokenizer, row["input_ids"], row["labels"])}
    if trainer == "dpo":
        return {name: tokenizer.decode(row[f"{name}_ids"]) for name in ("prompt", "chosen", "rejected")}
    texts = {name: tokenizer.decode(row[f"{name}_ids"]) for name in ("prompt", "completion")}
    return {**texts, "label": row["label"]}


def train(job):
    data = load_dataset(job["folder"], split="train")
    tokenizer = tiny.tokenizer(rows.texts(data.to_list()))
    kind, configuration = TRAINERS[job["trainer"]]
    reference = {} if job["trainer"] == "sft" else {"ref_model": tiny.model(tokenizer)}
    with tempfile.TemporaryDirectory() as folder:
        args = configuration(output_dir=folder, **tiny.two_steps, **job["settings"])
        trainer = kind(
            model=tiny.model(tokenizer), args=args, processing_class=tokenizer, train_dataset=data, **reference
        )
        made = [sides(tokenizer, job["trainer"], row) for row in trainer.train_dataset]
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return {"rows": made, "losses": losses}


rows.work(train)
