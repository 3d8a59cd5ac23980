"""Makes a tiny model with random weights, in the shape of Qwen2, and a tokenizer of the words that it will see.

usage: make_base.py TEXTS FOLDER SEED, where TEXTS is a JSON list of texts. The tokenizer is byte-level BPE that is trained until
every word is one token, so that the model spends its few weights on the task, and not on spelling.
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 4, 2, 192, 1024
MARKS = {"system": "<|system|>", "user": "<|user|>", "assistant": "<|assistant|>"}
PAD, END = "<|endoftext|>", "<|im_end|>"
# As Qwen's tokenizers divide a text into words, which transformers and llama.cpp both do for a model of this shape.
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' }}"
    "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message['content'] + '<|im_end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def main() -> None:
    texts, folder, seed = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2], int(sys.argv[3])
    tokenizer = train_tokenizer(texts)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        intermediate_size=INNER,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    model = Qwen2ForCausalLM(config)
    model.save_pretrained(folder)
    print(json.dumps({"parameters": model.num_parameters(), "vocabulary": len(tokenizer)}))


def train_tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    whole = Tokenizer(models.BPE())
    whole.normalizer = normalizers.NFC()
    whole.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    whole.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        min_frequency=1,
        initial_alphabet=alphabet,
        special_tokens=[PAD, END, *MARKS.values()],
        show_progress=False,
    )
    whole.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=whole,
        eos_token=END,
        pad_token=PAD,
        chat_template=TEMPLATE,
        model_max_length=CONTEXT,
    )


main()
