"""
Makes a tiny base, or compares what was made of an adapter. A job: {base, files} or {base, adapter, models}: for each of the models,
by how much its weights and its logits differ from those of peft's own merge, and from the base's.
"""

import gzip
import json
from pathlib import Path

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer, Qwen2Config, Qwen2ForCausalLM, set_seed

import rows
import tiny

torch.set_num_threads(1)


def make(job):
    read = [json.loads(line) for path in job["files"] for line in gzip.open(path, "rt")]
    tokenizer = tiny.tokenizer(rows.texts(read))
    tokenizer.save_pretrained(job["base"])
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
    Qwen2ForCausalLM(configuration).to(getattr(torch, job["dtype"])).save_pretrained(job["base"])


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def logits(model):
    with torch.no_grad():
        return model.eval()(input_ids=torch.arange(5, 45)[None]).logits


def compare(job):
    adapted = PeftModel.from_pretrained(load(job["base"]), job["adapter"])
    answers = logits(adapted)
    expected = adapted.merge_and_unload().state_dict()
    base = load(job["base"]).state_dict()
    found = []
    for folder in job["models"]:
        model = load(folder)
        weights = model.state_dict()
        assert weights.keys() == expected.keys()
        saved = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
        tokenizer = AutoTokenizer.from_pretrained(folder)
        found.append(
            {
                "from_peft": largest(weights, expected),
                "from_base": largest(weights, base),
                "from_answers": float((logits(model) - answers).abs().max()),
                "dtype": str(saved.dtype),
                "adapter": any(Path(folder).glob("adapter_*")),
                "has_template": tokenizer.chat_template is not None,
                "ends": tokenizer.eos_token == tiny.SPECIAL[2],
            }
        )
    return found


def largest(some, others):
    return max(float((some[name].float() - others[name].float()).abs().max()) for name in some)


rows.work(lambda job: make(job) if "files" in job else compare(job))
