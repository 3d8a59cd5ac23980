"""Reads datasets with LLaMA-Factory's own loader, as its training does. A job: {folder, dataset, stage, settings}."""

import os

os.environ["DISABLE_VERSION_CHECK"] = "1"

from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
from llamafactory.hparams import DataArguments, ModelArguments
from transformers import Seq2SeqTrainingArguments

import rows
import tiny


def read(job):
    with open(os.path.join(job["folder"], "text.txt")) as file:
        tokenizer = tiny.tokenizer([file.read()])
    arguments = DataArguments(
        template=job.get("template", "chatml"),
        dataset=job["dataset"],
        dataset_dir=job["folder"],
        cutoff_len=job.get("cutoff_len", 4096),
        overwrite_cache=True,
        **job["settings"],
    )
    training = Seq2SeqTrainingArguments(output_dir=job["folder"], report_to="none", use_cpu=True, bf16=False)
    template = get_template_and_fix_tokenizer(tokenizer, arguments)
    module = get_dataset(template, ModelArguments(model_name_or_path="tiny"), arguments, training, job["stage"], tokenizer)
    return [told(tokenizer, row) for row in module["train_dataset"]]


def told(tokenizer, row):
    """What LLaMA-Factory made of a row: of each side, the whole text and what of it is learned."""
    sides = [name.removesuffix("input_ids") for name in row if name.endswith("input_ids") and not name.startswith("kl_")]
    made = {}
    for side in sides:
        ids, labels = row[f"{side}input_ids"], row[f"{side}labels"]
        made[side.rstrip("_") or "row"] = {"text": tokenizer.decode(ids), "learned": tiny.learned(tokenizer, ids, labels)}
    return {**made, **({"label": row["kto_tags"]} if "kto_tags" in row else {})}


rows.work(read)
