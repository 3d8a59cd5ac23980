"""
Reads datasets with torchtune's own classes, by the functions that our configurations name. A job: {files, pairs}. A token is a
character, so that what is learned can be read.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "containers/trainer/torchtune"))

import rows
import stubbed_torchtune  # noqa: F401

import espalier_rows

IGNORED = -100


class Characters:
    """A tokenizer of torchtune with ChatML as its template."""

    max_seq_len = None

    def tokenize_messages(self, messages, **_):
        tokens, mask = [], []
        for message in messages:
            head, body = f"<|im_start|>{message.role}\n", f"{message.text_content}<|im_end|>"
            for text, masked in ((head, True), (body, message.masked), ("\n", True)):
                tokens += [ord(character) for character in text]
                mask += [masked] * len(text)
        return tokens, mask

    def __call__(self, sample, inference=False):
        tokens, mask = self.tokenize_messages(sample.pop("messages"))
        return {**sample, "tokens": tokens, "mask": mask}


def read(job):
    if job["pairs"]:
        sides = ("chosen", "rejected")
        data = espalier_rows.pairs(Characters(), files=job["files"])
        return [{side: learned(row[f"{side}_input_ids"], row[f"{side}_labels"]) for side in sides} for row in data]
    data = espalier_rows.conversations(Characters(), files=job["files"])
    return [learned(row["tokens"], row["labels"]) for row in data]


def learned(tokens, labels):
    parts, part = [], ""
    for token, label in zip(tokens, labels, strict=True):
        if label == IGNORED and part:
            parts.append(part)
            part = ""
        elif label != IGNORED:
            assert label == token
            part += chr(token)
    return {"text": "".join(map(chr, tokens)), "learned": parts + ([part] if part else [])}


rows.work(read)
