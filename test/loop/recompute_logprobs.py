"""Computes the log-probabilities of recorded answers by PyTorch, from the weights of their model.

usage: recompute_logprobs.py FOLDER CALLS RESULTS, where CALLS is a JSON list of {prompt, answer}, lists of token ids.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM


def main() -> None:
    folder, calls, results = sys.argv[1:]
    torch.set_num_threads(1)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    computed = [logprobs_of(model, **call) for call in json.loads(Path(calls).read_text(encoding="utf-8"))]
    Path(results).write_text(json.dumps(computed), encoding="utf-8")


def logprobs_of(model, prompt: list[int], answer: list[int]) -> list[float]:
    with torch.no_grad():
        logits = model(torch.tensor([prompt + answer])).logits[0, len(prompt) - 1 : -1]
    of_answer = torch.log_softmax(logits.double(), dim=-1).gather(1, torch.tensor(answer)[:, None])
    return of_answer[:, 0].tolist()


main()
