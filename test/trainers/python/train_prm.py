"""Trains two steps with TRL's trainer of process reward models on each dataset. A job: {folder}."""

import tempfile

import torch
from datasets import load_dataset
from transformers import LlamaForTokenClassification, set_seed
from trl.experimental.prm import PRMConfig, PRMTrainer

import rows
import tiny


def train(job):
    data = load_dataset(job["folder"], split="train").select_columns(["prompt", "completions", "labels"])
    tokenizer = tiny.tokenizer(rows.texts(data.to_list()))
    set_seed(0)
    model = LlamaForTokenClassification(tiny.configuration(tokenizer, num_labels=2)).to(torch.float32)
    with tempfile.TemporaryDirectory() as folder:
        args = PRMConfig(output_dir=folder, max_length=None, max_completion_length=None, **tiny.two_steps)
        trainer = PRMTrainer(model=model, args=args, processing_class=tokenizer, train_dataset=data)
        made = [steps(tokenizer, row) for row in trainer.train_dataset]
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return {"rows": made, "losses": losses}


def steps(tokenizer, row):
    """The text up to each label, and the labels."""
    ends = [index for index, label in enumerate(row["labels"]) if label != -100]
    texts = [tokenizer.decode(row["input_ids"][: end + 1]) for end in ends]
    return {"texts": texts, "labels": [row["labels"][end] for end in ends]}


rows.work(train)
