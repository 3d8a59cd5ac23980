"""
Makes tokenizers of every common kind and counts random conversations with transformers' own `apply_chat_template`. A job:
{kind, template, seed, conversations: how many}. A result: {tokenizer, configuration: its files, counts, conversations}.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

MARKS = ["<|pad|>", "<|im_start|>", "<|im_end|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
MARKS += ["<s>", "</s>", "<unk>"]
# How Qwen's and Llama 3's tokenizers divide a text into words.
QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LLAMA_3 = QWEN.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
WORDS = (
    "take the red apple from countertop 1 and put it in fridge 2 Thought: Action: Observation: You're don't HELLO "
    "x=3 123456 ... über Straße 漢字 mañana 😀 naïve"
).split(" ")
GAPS = [" ", " ", " ", "\n", "\n\n", "  ", "\t", "", " <|im_end|>", "</s>", "<s> "]


def text(numbers):
    parts = [numbers.choice(WORDS) + numbers.choice(GAPS) for _ in range(numbers.randrange(60))]
    if numbers.random() < 0.3:
        parts.append("".join(chr(numbers.randrange(32, 0x250)) for _ in range(8)))
    return "".join(parts)


def conversation(numbers):
    messages = [{"role": "system", "content": text(numbers)}] if numbers.random() < 0.7 else []
    for _ in range(numbers.randrange(5)):
        messages += [{"role": "user", "content": text(numbers)}, {"role": "assistant", "content": text(numbers)}]
    return [*messages, {"role": "user", "content": text(numbers)}]


def byte_level(pattern, normalizer=None, **settings):
    inner = Tokenizer(models.BPE(**settings))
    if normalizer is not None:
        inner.normalizer = normalizer
    divide = pre_tokenizers.Split(Regex(pattern), "isolated")
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [divide, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    inner.decoder = decoders.ByteLevel()
    return inner, trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=MARKS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )


def gpt_2():
    inner, trainer = byte_level(".")
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return inner, trainer


def with_byte_fallback(prepare):
    """Llama 2 and Mistral: letters that are not known are written as their bytes."""
    inner = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    prepare(inner)
    fallback = [f"<0x{byte:02X}>" for byte in range(256)]
    return inner, trainers.BpeTrainer(vocab_size=900, special_tokens=MARKS + fallback, show_progress=False)


def llama_2():
    def prepare(inner):
        inner.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])

    return with_byte_fallback(prepare)


def mistral():
    def prepare(inner):
        inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)

    return with_byte_fallback(prepare)


def unigram():
    inner = Tokenizer(models.Unigram())
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    return inner, trainers.UnigramTrainer(
        vocab_size=1200, special_tokens=MARKS, unk_token="<unk>", show_progress=False
    )


def word_piece():
    inner = Tokenizer(models.WordPiece(unk_token="<unk>"))
    inner.normalizer = normalizers.BertNormalizer()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return inner, trainers.WordPieceTrainer(vocab_size=700, special_tokens=MARKS, show_progress=False)


def word_level():
    inner = Tokenizer(models.WordLevel(unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    return inner, trainers.WordLevelTrainer(special_tokens=MARKS, show_progress=False)


KINDS = {
    "qwen": lambda: byte_level(QWEN, normalizers.NFC()),
    "llama-3": lambda: byte_level(LLAMA_3, ignore_merges=True),
    "gpt-2": gpt_2,
    "llama-2": llama_2,
    "mistral": mistral,
    "unigram": unigram,
    "word-piece": word_piece,
    "word-level": word_level,
}


def train(kind):
    inner, trainer = KINDS[kind]()
    numbers = random.Random(1)
    inner.train_from_iterator([text(numbers) for _ in range(200)], trainer)
    # Bytes that letters fall back to are ordinary tokens.
    made = json.loads(inner.to_str())
    made["added_tokens"] = [token for token in made["added_tokens"] if not token["content"].startswith("<0x")]
    return Tokenizer.from_str(json.dumps(made))


def count(job, trained):
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=trained,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        chat_template=job["template"],
    )
    numbers = random.Random(job["seed"])
    conversations = [conversation(numbers) for _ in range(job["conversations"])]
    counts = [
        len(tokenizer.apply_chat_template(each, add_generation_prompt=True, return_dict=False))
        for each in conversations
    ]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        read = lambda name: (Path(folder) / name).read_text(encoding="utf-8")
        tokenizer_file, configuration = read("tokenizer.json"), read("tokenizer_config.json")
    return {
        "tokenizer": tokenizer_file,
        "configuration": configuration,
        "conversations": conversations,
        "counts": counts,
    }


def main():
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    trained = {kind: train(kind) for kind in {job["kind"] for job in jobs}}
    results = [count(job, trained[job["kind"]]) for job in jobs]
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
