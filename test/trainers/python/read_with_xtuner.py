"""Encodes datasets with XTuner's own functions, as its training does. A job: {folder}."""

import importlib.util
import os
import sys
import types

from datasets import load_dataset

import rows
import tiny

# XTuner's packages import all of it, older Transformers included; what reads data needs none of that.
for name in ("xtuner", "xtuner.utils", "xtuner.dataset", "xtuner.dataset.map_fns"):
    package = types.ModuleType(name)
    place = os.path.dirname(importlib.util.find_spec("xtuner").origin) if name == "xtuner" else sys.modules["xtuner"].__path__[0]
    package.__path__ = [os.path.join(place, *name.split(".")[1:])]
    sys.modules[name] = package

from xtuner.utils import constants, templates

vars(sys.modules["xtuner.utils"]).update(vars(constants))

from xtuner.dataset.map_fns.template_map_fn import template_map_fn
from xtuner.dataset.utils import encode_fn


def read(job):
    data = load_dataset("json", data_files=job["files"], split="train")
    tokenizer = tiny.tokenizer(rows.texts(data.to_list()))
    # XTuner goes by the name: Qwen's tokenizers, whose template is ChatML too, begin with no token.
    tokenizer.__class__ = type("Qwen2TokenizerFast", (type(tokenizer),), {})
    return [told(tokenizer, row) for row in data]


def told(tokenizer, row):
    template = templates.PROMPT_TEMPLATE.qwen_chat
    encoded = encode_fn(template_map_fn(row, template), tokenizer, max_length=4096)
    ids = encoded["input_ids"]
    return {"text": tokenizer.decode(ids), "learned": tiny.learned(tokenizer, ids, encoded["labels"])}


rows.work(read)
