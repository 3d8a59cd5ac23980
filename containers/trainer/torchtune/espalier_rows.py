"""Rows in the shapes of TRL as datasets of torchtune. A configuration of torchtune names the two functions as its dataset."""

from typing import Any

from torchtune.data import Message
from torchtune.datasets import PackedDataset, PreferenceDataset, SFTDataset


def conversations(tokenizer: Any, *, files: list[str], learns_all: bool = False, packed: bool = False) -> Any:
    """Conversations, of which the model's turns are learned; of a row with a prompt, those behind it alone."""
    rows = SFTDataset(
        source="json",
        message_transform=Conversation(learns_all),
        model_transform=tokenizer,
        data_files=list(files),
        split="train",
    )
    return PackedDataset(rows, max_seq_len=tokenizer.max_seq_len) if packed else rows


def pairs(tokenizer: Any, *, files: list[str]) -> PreferenceDataset:
    """Pairs with their prompt on both sides."""
    return PreferenceDataset(
        source="json", message_transform=pair, tokenizer=tokenizer, data_files=list(files), split="train"
    )


class Conversation:
    """Turns a row into messages with their masks."""

    def __init__(self, learns_all: bool) -> None:
        self._learns_all = learns_all

    def __call__(self, sample: dict[str, Any]) -> dict[str, Any]:
        prompt = sample.get("prompt") or []
        turns = sample.get("messages") or sample["completion"]
        learned = [_message(turn, turn["role"] != "assistant" and not self._learns_all) for turn in turns]
        return {"messages": [_message(turn, not self._learns_all) for turn in prompt] + learned}


def pair(sample: dict[str, Any]) -> dict[str, Any]:
    prompt = [_message(turn, True) for turn in sample["prompt"]]
    sides = {name: [_message(turn, turn["role"] != "assistant") for turn in sample[name]] for name in ("chosen", "rejected")}
    return {name: prompt + side for name, side in sides.items()}


def _message(turn: dict[str, Any], masked: bool) -> Message:
    return Message(role=turn["role"], content=turn["content"], masked=masked)
