"""Adapts groups of a live rollout server to the types that trainers publish. A job: {address, tasks, beside}.

verl, SkyRL, verifiers and ART need a GPU's libraries or many more packages, so that none is imported whole: a class is
executed from its source if it needs pydantic alone, else its fields are read.
"""

import asyncio
import sys
from pathlib import Path

import beside  # noqa: F401
import ast
from typing import Any, Optional

import rows
import torch
from espalier import Client
from espalier.learners.art import art_trajectories
from espalier.learners.samples import Source, samples_of
from espalier.learners.skyrl import SkyrlGenerator
from espalier.learners.verifiers import trees_of, verifiers_nodes, verifiers_rewards
from espalier.learners.verl import run_agent_loop
from pydantic import BaseModel, ConfigDict


def classes(module, *names):
    folder = next(Path(path) for path in sys.path if (Path(path) / module).exists())
    body = ast.parse((folder / module).read_text()).body
    return [next(node for node in body if isinstance(node, ast.ClassDef) and node.name == name) for name in names]


def fields(module, name):
    [found] = classes(module, name)
    return {node.target.id for node in found.body if isinstance(node, ast.AnnAssign)}


def verl_output():
    names = {"BaseModel": BaseModel, "ConfigDict": ConfigDict, "Optional": Optional, "Any": Any, "torch": torch}
    found = classes("verl/experimental/agent_loop/agent_loop.py", "AgentLoopMetrics", "AgentLoopOutput")
    exec(compile(ast.Module(found, []), "agent_loop.py", "exec"), names)
    return names["AgentLoopOutput"]


def way(nodes, leaf):
    at, ids = leaf, []
    while at is not None:
        ids = nodes[at]["token_ids"] + ids
        at = nodes[at]["parent"]
    return ids


async def adapt(client, tasks):
    method = {"id": "fork-rollouts", "forks": 2, "max_steps": 3}
    source = Source(client, "textcraft", {"id": "react", "max_steps": 3}, "lab/player", {}, "adapted")
    lengths = {"prompt_length": 1_000_000, "response_length": 1_000_000}
    made = verl_output()(**await run_agent_loop(source, tasks[0], version="step-0", batch="0-0", **lengths))
    extras = [{"task": task} for task in tasks for _ in range(2)]
    generated = await SkyrlGenerator(source).generate({"env_extras": extras, "trajectory_ids": None})
    rollout = client.rollout("textcraft", method, "lab/player", ids=tasks, group_size=2)
    flat = {group.index: group for group in rollout.groups()}
    trees = {group.index: group for group in rollout.groups(form="rollout-trees")}
    known, spoken, trajectories = [], [], []
    for index, group in flat.items():
        samples = samples_of(group)
        sent = {(*each.prompt_ids, *each.completion_ids) for each in samples}
        for tree in trees_of(trees[index]):
            nodes = verifiers_nodes(tree, str)
            known.append({tuple(way(nodes, branch.segment)) for branch in tree.branches} <= sent)
            spoken.append(all(len(node["logprobs"]) == sum(node["mask"]) for node in nodes))
            spoken.append(len(verifiers_rewards(tree)) == len(tree.branches))
            spoken.append(set(nodes[0]) <= fields("verifiers/v1/graph.py", "MessageNode"))
        trajectories += art_trajectories(group, str)
    choice = next(turn for turn in trajectories[0]["messages_and_choices"] if "logprobs" in turn)
    return {
        "verl": {"own": int(sum(made.response_mask)), "logprobs": len(made.response_logprobs), "turns": made.num_turns},
        "responses": len(made.response_ids),
        "skyrl": sorted(set(generated) - fields("skyrl/train/generators/base.py", "GeneratorOutput")),
        "rows": len(generated["response_ids"]),
        "branches": known,
        "nodes": spoken,
        "art": sorted({name for each in trajectories for name in each} - fields("art/trajectories.py", "Trajectory")),
        "tokens": [token["token"] for token in choice["logprobs"]["content"]][:1],
    }


def work(job):
    with Client(job["address"]) as client:
        return asyncio.run(adapt(client, job["tasks"]))


rows.work(work)
