"""Trains three steps of GRPO on a live rollout server. A job: {address, tasks, vocabulary, beside}."""

import tempfile

import beside  # noqa: F401

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

import rows
import tiny
from espalier import Client
from espalier.learners.samples import samples_of
from espalier.learners.torch_batches import torch_batches
from espalier.learners.trl import trl_reward, trl_rollout_func


class Watched(GRPOTrainer):
    """Keeps what the loss is computed of."""

    seen: list

    def _generate_and_score_completions(self, inputs):
        made = super()._generate_and_score_completions(inputs)
        for ids, mask, own in zip(made["completion_ids"], made["completion_mask"], made["tool_mask"]):
            self.seen.append([int(i) for i, whole, agent in zip(ids, mask, own) if whole and agent])
        return made


def train(job):
    tokenizer = tiny.tokenizer(job["tasks"])
    tokenizer.add_tokens([f"<|{number}|>" for number in range(len(tokenizer), job["vocabulary"])])
    with Client(job["address"]) as client, tempfile.TemporaryDirectory() as folder:
        served = []

        def serve(trainer, version):
            served.append(version)

        hook = trl_rollout_func(client, "textcraft", {"id": "react", "max_steps": 3}, "lab/player", serve=serve)
        settings = {**tiny.two_steps, "max_steps": 3, "num_generations": 2}
        trainer = Watched(
            model=tiny.model(tokenizer),
            args=GRPOConfig(output_dir=folder, **settings),
            processing_class=tokenizer,
            rollout_func=hook,
            train_dataset=Dataset.from_dict({"prompt": job["tasks"]}),
            reward_funcs=trl_reward,
        )
        trainer.seen = []
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
        groups = [group for rollout in client.rollouts() for group in rollout.groups()]
        batches = list(torch_batches(groups, batch_size=4))
        samples = [sample for group in groups for sample in samples_of(group)]
    return {
        "losses": losses,
        "counted": trainer.seen,
        "served": served,
        "versions": sorted({sample.version for sample in samples}),
        "samples": len(samples),
        "batches": [list(batch["input_ids"].shape) for batch in batches],
        "kept": [
            [int(token) for token in ids[own.bool()]]
            for batch in batches
            for ids, own in zip(batch["input_ids"], batch["loss_mask"])
        ],
        "finite": all(bool(torch.isfinite(batch["logprobs"]).all()) for batch in batches),
    }


rows.work(train)
