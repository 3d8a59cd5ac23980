"""Trains three steps of GRPO on stored rollouts by TRL's hook. A job: {rows, vocabulary}."""

import tempfile
from itertools import cycle

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

import rows
import tiny


class Watched(GRPOTrainer):
    """Keeps what the loss is computed of."""

    seen: list

    def _generate_and_score_completions(self, inputs):
        made = super()._generate_and_score_completions(inputs)
        for ids, mask, own in zip(made["completion_ids"], made["completion_mask"], made["tool_mask"]):
            counted = [int(i) for i, whole, agent in zip(ids, mask, own) if whole and agent]
            self.seen.append(counted)
        return made


def train(job):
    groups = {}
    for row in job["rows"]:
        groups.setdefault(row["group"], []).append(row)
    turn = {name: cycle(members) for name, members in groups.items()}
    fields = ("prompt_ids", "completion_ids", "logprobs", "env_mask", "reward")

    def rollout_func(prompts, trainer):
        drawn = [next(turn[name]) for name in prompts]
        return {name: [row[name] for row in drawn] for name in fields}

    tokenizer = tiny.tokenizer([" ".join(groups)])
    with tempfile.TemporaryDirectory() as folder:
        settings = {**tiny.two_steps, "max_steps": 3, "num_generations": 2}
        trainer = Watched(
            model=tiny.model(tokenizer),
            args=GRPOConfig(output_dir=folder, **settings),
            processing_class=tokenizer,
            rollout_func=rollout_func,
            train_dataset=Dataset.from_dict({"prompt": list(groups)}),
            reward_funcs=lambda reward, **_: reward,
        )
        trainer.seen = []
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return {"losses": losses, "counted": trainer.seen}


rows.work(train)
