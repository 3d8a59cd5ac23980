"""Encodes datasets with XTuner's own functions, as its training does. A job: {folder}."""

from datasets import load_dataset

import rows
import stubbed_xtuner
import tiny

from xtuner.dataset.map_fns.template_map_fn import template_map_fn
from xtuner.dataset.utils import encode_fn


def read(job):
    data = load_dataset("json", data_files=job["files"], split="train")
    tokenizer = tiny.tokenizer(rows.texts(data.to_list()))
    # XTuner goes by the name: Qwen's tokenizers, whose template is ChatML too, begin with no token.
    tokenizer.__class__ = type("Qwen2TokenizerFast", (type(tokenizer),), {})
    return [told(tokenizer, row) for row in data]


def told(tokenizer, row):
    template = stubbed_xtuner.templates.PROMPT_TEMPLATE.qwen_chat
    encoded = encode_fn(template_map_fn(row, template), tokenizer, max_length=4096)
    ids = encoded["input_ids"]
    return {"text": tokenizer.decode(ids), "learned": tiny.learned(tokenizer, ids, encoded["labels"])}


rows.work(read)
