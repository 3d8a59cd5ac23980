"""Trains a model by reinforcement in an environment whose tools it calls, by TRL's GRPOTrainer and its `environment_factory`.

    pip install "./clients/python" "trl>=1.16"
    python examples/train_in_environment.py Qwen/Qwen3-0.6B ENVIRONMENT
"""

import sys

from datasets import Dataset
from espalier.environments import connect
from espalier.learners.trl_environment import trl_environment_factory
from trl import GRPOConfig, GRPOTrainer


def make_trainer(model, environment, tasks=None, *, address=None, tokenizer=None, **settings):
    """A trainer over tasks of an environment; by default the first 64 of its split `train`.

    :param address: of a running host; by default this process starts one
    :param settings: of GRPOConfig
    """
    with connect(environment, address=address) as env:
        chosen = tasks or [task.id for task, _ in zip(env.tasks("train"), range(64))]
    # The environment adds its rules and the first observation to this prompt.
    prompt = [{"role": "user", "content": "Solve the task by calling tools.\n\n"}]
    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=GRPOConfig(**{"output_dir": "trained", "num_generations": 8, **settings}),
        train_dataset=Dataset.from_list([{"prompt": prompt, "task": task} for task in chosen]),
        environment_factory=trl_environment_factory(environment, address=address),
    )


if __name__ == "__main__":
    make_trainer(*sys.argv[1:3]).train()
