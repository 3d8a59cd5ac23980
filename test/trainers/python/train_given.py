"""
Trains with the recipe `policy-gradient` of the trainer that we ship. A job: {rows, hyperparameters, lora, cut: the greatest
length, or None}. Gives the batch that the loss is computed of, the log-probabilities by an untouched model, and the steps.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM, set_seed

# The modules of the trainer, of which one has the name of one beside this script.
sys.path.insert(0, str(Path(__file__).parents[3] / "containers" / "trainer"))

import check
import progress
import recipes
import rows

torch.set_num_threads(1)


def save_base(folder):
    import tiny

    tokenizer = tiny.tokenizer(["one two three"])
    tokenizer.save_pretrained(folder)
    set_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "max_position_embeddings": 64}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    ends = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "bos_token_id": None}
    model = Qwen2ForCausalLM(Qwen2Config(vocab_size=len(tokenizer), **shape, **heads, **ends)).float()
    model.save_pretrained(folder)


def train(given):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        save_base(folder / "base")
        base = AutoModelForCausalLM.from_pretrained(folder / "base", dtype=torch.float32).eval()
        played = [{**row, "logprobs": logprobs_of(base, row)} for row in given["rows"]]
        (folder / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in played))
        job = {
            "recipe": "policy-gradient",
            "data": [{"dataset": "0", "split": "train", "files": [str(folder / "rows.jsonl")]}],
            "base": {"folder": str(folder / "base")},
            "hyperparameters": given["hyperparameters"],
            "lora": given["lora"],
            "seed": 1,
            "output": str(folder / "output"),
            "checkpoint_steps": None,
            "keep_checkpoints": 1,
        }
        loaded, counts = rows.load(job)
        tokenizer = check.load_tokenizer(job["base"])
        log = progress.Progress(str(folder / "progress.jsonl"), writes=True)
        try:
            kept, max_length = check.check(job, loaded, counts, tokenizer, log)
        except progress.TrainingError as error:
            return {"refused": str(error)}
        trainer = recipes.build(job, kept, max_length, tokenizer, 1)
        counted = [counted_in(batch) for batch in trainer.get_train_dataloader()]
        trainer.train()
        facts = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
        return {
            "counted": [row for batch in counted for row in batch],
            "measured": next(line for line in facts if line["event"] == "rows"),
            "tokens": trainer._total_train_tokens,
            "steps": [entry for entry in trainer.state.log_history if "loss" in entry],
        }


def logprobs_of(model, row):
    """As the server of the weights would have recorded them: 0 for what is not the agent's."""
    prompt, completion = row["prompt_ids"], row["completion_ids"]
    with torch.no_grad():
        logits = model(torch.tensor([prompt + completion])).logits[0, len(prompt) - 1 : -1]
    found = logits.log_softmax(-1).gather(1, torch.tensor(completion)[:, None])[:, 0].tolist()
    return [value if own else 0.0 for value, own in zip(found, row["env_mask"], strict=True)]


def counted_in(batch):
    """Each row of a batch: the ids in its loss, with their advantages, and its whole sequence."""
    made = []
    for at, ids in enumerate(batch["completion_ids"]):
        own = (batch["completion_mask"][at] * batch["tool_mask"][at]).bool()
        prompt = batch["prompt_ids"][at][batch["prompt_mask"][at].bool()]
        whole = torch.cat([prompt, ids[batch["completion_mask"][at].bool()]])
        made.append({"whole": whole.tolist(), "ids": ids[own].tolist(), "advantages": batch["advantages"][at][own].tolist()})
    return made


asked, answered = sys.argv[1:]
results = [train(job) for job in json.loads(Path(asked).read_text(encoding="utf-8"))]
Path(answered).write_text(json.dumps(results), encoding="utf-8")
