"""Writes the tokenizer of a model into a GGUF file: byte-level BPE, as Qwen, Llama 3 and GPT-2 have it."""

import json
from pathlib import Path
from typing import Any

import gguf

# How llama.cpp names the pre-tokenizers whose patterns it knows.
CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS = r"|[^\r\n\p{L}\p{N}]?\p{L}+"
PATTERNS = {
    CONTRACTIONS + WORDS + r"|\p{N}" + REST: "qwen2",
    CONTRACTIONS + WORDS + r"|\p{N}{1,3}" + REST: "llama-bpe",
}


def write_vocabulary(writer: gguf.GGUFWriter, folder: Path, size: int) -> None:
    tokenizer = read_json(folder / "tokenizer.json")
    settings = read_json(folder / "tokenizer_config.json")
    model = tokenizer["model"]
    if model["type"] != "BPE" or model.get("byte_fallback"):
        raise SystemExit(f"The tokenizer is {model['type']}; llama.cpp is given byte-level BPE alone. Serve it by another driver.")
    if tokenizer.get("normalizer") not in (None, {"type": "NFC"}):
        raise SystemExit(f"The tokenizer normalizes texts by {tokenizer['normalizer']['type']}, which llama.cpp does not.")
    tokens = [f"[unused {place}]" for place in range(size)]
    kinds = [gguf.TokenType.UNUSED] * size
    for token, place in model["vocab"].items():
        tokens[place], kinds[place] = token, gguf.TokenType.NORMAL
    for added in tokenizer.get("added_tokens", []):
        kind = gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED
        tokens[added["id"]], kinds[added["id"]] = added["content"], kind
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre_tokenizer(tokenizer.get("pre_tokenizer")))
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(merges or no_merge(tokens))
    places = {token: place for place, token in enumerate(tokens)}
    eos = places.get(name_of(settings.get("eos_token")))
    if eos is not None:
        writer.add_eos_token_id(eos)
    pad = places.get(name_of(settings.get("pad_token")))
    if pad is not None:
        writer.add_pad_token_id(pad)
    bos = places.get(name_of(settings.get("bos_token")))
    if bos is not None:
        writer.add_bos_token_id(bos)
    # Templates write what begins a prompt themselves.
    writer.add_add_bos_token(False)


def pre_tokenizer(found: dict[str, Any] | None) -> str:
    """llama.cpp's name for it. An unknown one is refused: other tokens would be counted and learned than served."""
    parts = found.get("pretokenizers", [found]) if found else []
    if [part["type"] for part in parts] == ["ByteLevel"] and parts[0].get("use_regex", True):
        return "gpt-2"
    if [part["type"] for part in parts] == ["Split", "ByteLevel"]:
        pattern = parts[0]["pattern"].get("Regex")
        if pattern in PATTERNS:
            return PATTERNS[pattern]
    raise SystemExit("The pre-tokenizer is none that llama.cpp is known to have. Serve the model by another driver.")


def no_merge(tokens: list[str]) -> list[str]:
    """llama.cpp wants at least one merge: of two that no text holds."""
    return [f"{tokens[0]} {tokens[0]}"]


def name_of(token: Any) -> Any:
    return token.get("content") if isinstance(token, dict) else token


def read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))
