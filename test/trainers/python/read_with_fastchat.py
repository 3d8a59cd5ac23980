"""Prepares conversations with FastChat's own `preprocess`, which ETO trains with. A job: {file}."""

import json
import string

from fastchat.train.train import preprocess
from tokenizers import AddedToken, SentencePieceBPETokenizer, processors
from transformers import PreTrainedTokenizerFast

import rows


def tokenizer(texts):
    """One that begins a text as Llama's does, whose lengths FastChat counts on."""
    inner = SentencePieceBPETokenizer()
    inner.train_from_iterator(
        texts,
        vocab_size=600,
        special_tokens=["<unk>", "<s>", "</s>"],
        initial_alphabet=sorted(set(string.printable).union(*texts)),
        show_progress=False,
    )
    inner.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner._tokenizer,
        unk_token="<unk>",
        bos_token="<s>",
        eos_token=AddedToken("</s>", normalized=False),
        pad_token="<unk>",
        model_max_length=2048,
    )
    made.legacy = True
    return made


def read(job):
    with open(job["file"]) as file:
        data = json.load(file)
    made = tokenizer(list(rows.texts(data)))
    results = []
    for row in data:
        prepared = preprocess([row["conversations"]], made)
        pairs = list(zip(prepared["input_ids"][0].tolist(), prepared["labels"][0].tolist()))
        text = made.decode([token for token, _ in pairs if token != made.pad_token_id])
        learned = made.decode([label for _, label in pairs if label != -100])
        results.append({"text": text, "learned": learned})
    return results


rows.work(read)
