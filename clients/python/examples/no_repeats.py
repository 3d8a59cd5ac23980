"""The share of an episode's actions that it had not taken before: ``espalier score RUN --name no-repeats --scorer no_repeats.py``."""

import json

from espalier.scorers import Episode


def score(episode: Episode) -> dict[str, float | str]:
    steps = episode["trajectory"]["steps"]
    actions = [json.dumps(call["arguments"]) for step in steps for call in step.get("tool_calls", [])]
    if not actions:
        raise ValueError("It took no action.")
    different = len(set(actions))
    return {"value": different / len(actions), "note": f"{different} of {len(actions)} actions are new"}
