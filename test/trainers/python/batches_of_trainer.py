"""
Collates batches with the trainer that we ship, `containers/trainer`, and trains two steps on all of its rows at once.
A job: {recipe, files: a list of data files for each dataset, hyperparameters, lora, rows: how many, cut: at which part of the
longest row, or None}.
"""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM, set_seed

import rows
import tiny

# Several threads wait for each other longer than so small a model computes.
torch.set_num_threads(1)

TRAINER = Path(__file__).parents[3] / "containers" / "trainer"
sys.path.append(str(TRAINER))

import check
import progress
import recipes

# Its module of rows has the name of the one beside this script.
spec = importlib.util.spec_from_file_location("row_files", TRAINER / "rows.py")
row_files = importlib.util.module_from_spec(spec)
spec.loader.exec_module(row_files)


def save_base(folder, texts):
    """A model in the shape of Qwen2, with random weights."""
    tokenizer = tiny.tokenizer(texts)
    tokenizer.save_pretrained(folder)
    set_seed(0)
    configuration = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    Qwen2ForCausalLM(configuration).to(torch.float32).save_pretrained(folder)


def spread(count, total):
    """Places over all rows, the first and the last among them."""
    return sorted({round(at * (total - 1) / max(1, count - 1)) for at in range(min(count, total))})


def collate(given):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        job = {
            "recipe": given["recipe"],
            "data": [{"dataset": str(at), "split": "train", "files": files} for at, files in enumerate(given["files"])],
            "base": {"folder": str(folder / "base")},
            "hyperparameters": given["hyperparameters"],
            "lora": given["lora"],
            "seed": 1,
            "output": str(folder / "output"),
            "checkpoint_steps": None,
            "keep_checkpoints": 1,
        }
        loaded, counts = row_files.load(job)
        loaded = loaded.select(spread(given["rows"], len(loaded)))
        save_base(job["base"]["folder"], list(rows.texts(loaded.to_list())))
        tokenizer = check.load_tokenizer(job["base"])
        if given["cut"] is not None:
            turns = [row.get("messages") or row["prompt"] + row["chosen"] for row in loaded]
            longest = max(len(tokenizer.apply_chat_template(each, return_dict=False)) for each in turns)
            job["hyperparameters"] |= {"max_length": int(given["cut"] * longest), "long_rows": "truncate"}
        log = progress.Progress(str(folder / "progress.jsonl"), writes=True)
        try:
            kept, max_length = check.check(job, loaded, counts, tokenizer, log)
        except progress.TrainingError as error:
            return {"refused": str(error)}
        job["hyperparameters"] |= {"batch_size": len(kept), "micro_batch_size": len(kept)}
        trainer = recipes.build(job, kept, max_length, tokenizer, 1)
        batch = next(iter(trainer.get_train_dataloader()))
        made = read_batch(job["recipe"], batch, tokenizer)
        # Other answers to the same prompts, from which KTO estimates its reference point.
        others = read_batch("kl", kl_of(batch), tokenizer) if "KL_input_ids" in batch else []
        base = AutoModelForCausalLM.from_pretrained(job["base"]["folder"], dtype=torch.float32)
        base_logps = logps(base, batch) if "completion_mask" in batch else []
        trainer.train()
        facts = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
        return {
            "rows": made,
            "others": others,
            "base_logps": base_logps,
            "measured": next(line for line in facts if line["event"] == "rows"),
            "learned_tokens": learned_tokens(batch),
            "steps": [entry for entry in trainer.state.log_history if "loss" in entry],
        }


def read_batch(recipe, batch, tokenizer):
    """Each sequence of a batch: its text, and the stretches of it that are learned."""
    made = []
    for at, ids in enumerate(batch["input_ids"]):
        seen = batch["attention_mask"][at].bool()
        if recipe == "sft":
            labels = batch["labels"][at]
            assert bool((labels[~seen] == -100).all()), "padding is learned"
        else:
            labels = ids.masked_fill(batch["completion_mask"][at] == 0, -100)
        ids, labels = ids[seen].tolist(), labels[seen].tolist()
        row = {"text": tokenizer.decode(ids), "learned": tiny.learned(tokenizer, ids, labels)}
        made.append({**row, **({"label": bool(batch["label"][at])} if recipe == "kto" else {})})
    return made


def kl_of(batch):
    return {name.removeprefix("KL_"): values for name, values in batch.items() if name.startswith("KL_")}


def learned_tokens(batch):
    return int((batch["labels"] != -100).sum()) if "labels" in batch else int(batch["completion_mask"].sum())


def logps(model, batch):
    """The log-probability of the learned tokens of each sequence, by a model that no trainer has touched."""
    model.eval()
    with torch.no_grad():
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits[:, :-1]
    chosen = logits.log_softmax(-1).gather(2, batch["input_ids"][:, 1:, None])[:, :, 0]
    return (chosen * batch["completion_mask"][:, 1:]).sum(1).tolist()


rows.work(collate)
