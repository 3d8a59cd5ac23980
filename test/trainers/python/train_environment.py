"""Trains GRPO in an environment by the example `train_in_environment.py`. A job: {address, examples, task, right, wrong, beside}."""

import json
import sys
import tempfile

import beside  # noqa: F401

import torch
from transformers import LlamaConfig, LlamaForCausalLM, set_seed
from trl import GRPOTrainer
from trl.chat_template_utils import qwen2_5_chat_template

import rows
import tiny
from espalier.learners.trl_environment import trl_environment_factory


def spoken(calls, env, start):
    """A conversation that makes the calls, with the answers of the environment."""
    messages = [{"role": "user", "content": start}]
    for name, arguments in calls:
        call = {"type": "function", "function": {"name": name, "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "name": name, "content": getattr(env, name)(**arguments)})
    return [*messages, {"role": "assistant", "content": "Done."}]


def imitate(model, tokenizer, conversations, tools):
    """Trains on the conversations until the model says them."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    batch = []
    for messages in conversations:
        text = tokenizer.apply_chat_template(messages, tools=tools, tokenize=False)
        first = tokenizer.apply_chat_template(messages[:1], tools=tools, tokenize=False, add_generation_prompt=True)
        ids = tokenizer(text, return_tensors="pt").input_ids
        labels = ids.clone()
        labels[:, : len(tokenizer(first).input_ids)] = -100
        batch.append((ids, labels))
    for _ in range(200):
        for ids, labels in batch:
            # Each token counts alike, however long the conversation.
            (model(input_ids=ids, labels=labels).loss * int((labels >= 0).sum()) / 100).backward()
        optimizer.step()
        optimizer.zero_grad()


def wider(tokenizer):
    """The tiny model with room for two conversations."""
    facts = tiny.configuration(tokenizer).to_dict()
    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "head_dim": 32}
    set_seed(0)
    return LlamaForCausalLM(LlamaConfig(**{**facts, **shape})).to(torch.float32)


def train(job):
    sys.path.append(job["examples"])
    from train_in_environment import make_trainer

    seen = []
    score = GRPOTrainer._calculate_rewards

    def watched(self, inputs, prompts, completions, completion_ids_list):
        rewards = score(self, inputs, prompts, completions, completion_ids_list)
        for completion, reward in zip(completions, rewards[:, 0].tolist()):
            calls = [call["function"] for turn in completion for call in turn.get("tool_calls") or []]
            seen.append({"calls": [[call["name"], call["arguments"]] for call in calls], "reward": reward})
        return rewards

    GRPOTrainer._calculate_rewards = watched
    env = trl_environment_factory("textcraft", address=job["address"])()
    # In the order in which TRL offers them.
    tools = [env.craft, env.get, env.inventory]
    conversations = []
    for calls in (job["right"], job["wrong"]):
        opening = "Solve the task by calling tools.\n\n" + env.reset(task=job["task"])
        conversations.append(spoken(calls, env, opening))
    text = [tiny.SPECIAL[1], *rows.texts(conversations), json.dumps(conversations)]
    tokenizer = tiny.tokenizer(text)
    tokenizer.chat_template = qwen2_5_chat_template
    model = wider(tokenizer)
    imitate(model, tokenizer, conversations, tools)
    before = [each.detach().clone() for each in model.parameters()]
    with tempfile.TemporaryDirectory() as folder:
        settings = {**tiny.two_steps, "output_dir": folder, "num_generations": 8, "per_device_train_batch_size": 8}
        trainer = make_trainer(
            model, "textcraft", [job["task"]], address=job["address"], tokenizer=tokenizer, **settings
        )
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
        means = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    changed = any(not torch.equal(one, other) for one, other in zip(before, model.parameters()))
    return {"losses": losses, "means": means, "seen": seen, "changed": changed}


rows.work(train)
