"""
Adds the adapter of a checkpoint to the weights of its base: `python merge.py job.json`.

The job names the recipe, the base, the folder of the adapter and the one to write to. It adds in full precision, on the
processor, and writes the weights in the number format of the base, as the end of a training does.
"""

import json
import sys
import traceback
from pathlib import Path
from typing import Any

from guard import exit_with_parent
from progress import EXIT_CODES, TrainingError, reason_of


def main() -> int:
    exit_with_parent()
    try:
        merge(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
        return 0
    except Exception as error:  # noqa: BLE001 - whatever ends it is reported
        traceback.print_exc()
        reason, message = reason_of(error)
        print(message, file=sys.stderr)
        return EXIT_CODES.get(reason, 70)


def merge(job: dict[str, Any]) -> None:
    # Loading these takes seconds.
    import torch
    from base import name_of
    from check import load_tokenizer
    from peft import PeftModel
    from recipes import model_class, save_whole
    from transformers import AutoConfig

    base, adapter = job["base"], Path(job["adapter"])
    name, revision = name_of(base), base.get("revision")
    kind, settings = model_class(job["recipe"])
    try:
        dtype = getattr(AutoConfig.from_pretrained(name, revision=revision), "dtype", None)
        weights = kind.from_pretrained(name, revision=revision, dtype=torch.float32, **settings)
    except (OSError, ValueError) as error:
        raise TrainingError("refused", f"The weights of {name} cannot be read: {error}") from error
    model = PeftModel.from_pretrained(weights, adapter).merge_and_unload()
    # The trainer saves the tokenizer with its checkpoints, as it was changed for the training.
    has_tokenizer = (adapter / "tokenizer_config.json").is_file()
    tokenizer = load_tokenizer({"folder": str(adapter)} if has_tokenizer else base)
    save_whole(model, dtype, tokenizer, job["output"])


if __name__ == "__main__":
    sys.exit(main())
