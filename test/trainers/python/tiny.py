"""A tokenizer trained on the rows and a tiny model with random weights: what trainers need to run on a CPU."""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

SPECIAL = ["<|pad|>", "<|im_start|>", "<|im_end|>"]

# Calls and offered tools as Qwen's template has them.
CALLS = (
    "{% for call in message['tool_calls'] or [] %}"
    "{{ '\n<tool_call>\n' + ({'name': call['function']['name'], 'arguments': call['function']['arguments']} | tojson) }}"
    "{{ '\n</tool_call>' }}"
    "{% endfor %}"
)

TEMPLATE = (
    "{% if tools %}{{ '<|im_start|>tools\n' + (tools | tojson) + '<|im_end|>\n' }}{% endif %}"
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' }}"
    "{% if message['role'] == 'assistant' %}"
    "{% generation %}{{ message['content'] }}" + CALLS + "{{ '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message['content'] + '<|im_end|>' }}{% endif %}"
    "{{ '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def tokenizer(texts):
    """A byte-level BPE tokenizer with ChatML as its chat template."""
    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator(texts, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<|pad|>", eos_token="<|im_end|>", model_max_length=4096
    )
    made.chat_template = TEMPLATE
    return made


# How every trainer trains here.
two_steps = {
    "max_steps": 2,
    "per_device_train_batch_size": 2,
    "use_cpu": True,
    "bf16": False,
    "report_to": "none",
    "save_strategy": "no",
    "logging_steps": 1,
    "seed": 0,
    "disable_tqdm": True,
}


def configuration(tokenizer, **rest):
    return LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=4096,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        **rest,
    )


def model(tokenizer):
    set_seed(0)
    return LlamaForCausalLM(configuration(tokenizer)).to(torch.float32)


def learned(tokenizer, ids, labels):
    """The texts that a row is trained on: every unbroken stretch of tokens with a label, which must be the token itself."""
    parts, part = [], []
    for token, label in zip(ids, labels, strict=True):
        if label == -100:
            if part:
                parts.append(tokenizer.decode(part))
                part = []
            continue
        assert label == token, f"the label {label} stands for the token {token}"
        part.append(token)
    return parts + ([tokenizer.decode(part)] if part else [])
