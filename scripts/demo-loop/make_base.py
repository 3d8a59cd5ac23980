"""Makes a tiny model with random weights, in the shape of Qwen2, and a tokenizer of the words that it will see.

usage: make_base.py TEXTS FOLDER SEED SHAPE, where TEXTS is a JSON list of texts and SHAPE a JSON object with width, layers, heads,
inner and repeat_steps. The tokenizer is byte-level BPE that is trained until every word is one token, so that the model
spends its few weights on the task, and not on spelling. With repeat_steps it first learns to repeat random tokens, so that it can copy
names that no training shows: as many steps at most, of 64 sequences.
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

CONTEXT = 1024
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
    shape = json.loads(sys.argv[4])
    tokenizer = train_tokenizer(texts)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=shape["width"],
        num_hidden_layers=shape["layers"],
        num_attention_heads=shape["heads"],
        num_key_value_heads=shape["heads"],
        intermediate_size=shape["inner"],
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    model = Qwen2ForCausalLM(config)
    learn_to_repeat(model, seed, shape["repeat_steps"])
    model.save_pretrained(folder)
    print(json.dumps({"parameters": model.num_parameters(), "vocabulary": len(tokenizer)}))


def learn_to_repeat(model: Qwen2ForCausalLM, seed: int, steps: int) -> None:
    """Trains on random tokens that repeat, until their repetition is predicted: an induction head (Olsson et al. 2022)."""
    length, specials = 48, 5
    random = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.99), weight_decay=0)
    for step in range(steps):
        ids = torch.empty(64, length, dtype=torch.long)
        labels = torch.full_like(ids, -100)
        for row in range(64):
            period = int(torch.randint(6, length // 2, (1,), generator=random))
            once = torch.randint(specials, model.config.vocab_size, (period,), generator=random)
            ids[row] = once.repeat(length // period + 1)[:length]
            labels[row, period + 1 :] = ids[row, period + 1 :]
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 50)
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if loss.item() < 0.1:
            return


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
