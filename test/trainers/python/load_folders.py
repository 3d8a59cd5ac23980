"""Loads whole folders with Hugging Face datasets, going by their README.md. A job: {folder}."""

from datasets import load_dataset

import rows


def load(job):
    splits = load_dataset(job["folder"])
    return {name: split.to_list() for name, split in splits.items()}


rows.work(load)
