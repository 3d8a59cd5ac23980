"""Beam search: of all actions sampled at the states of the beam, the states of highest value go on."""

import asyncio
import re
from typing import Annotated

from pydantic import Field

from espalier.methods import AsyncScope, Node, method

QUESTION = """{transcript}

How far has the agent come with its task? Answer with a number from 0 (nowhere) to 10 (done)."""


@method(
    "beam",
    branches=True,
    answer="best",
    roles=["value"],
    source="Beam search over states that a model judges.",
)
async def beam(
    scope: AsyncScope,
    width: Annotated[int, Field(ge=1, le=16, description="States that go on.")] = 2,
    samples: Annotated[int, Field(ge=1, le=16, description="Actions sampled at each of them.")] = 3,
    max_steps: Annotated[int | None, Field(ge=1, description="The longest trajectory.")] = None,
) -> None:
    """Keeps the few best states at each depth, as the model judges them."""
    states = [scope.root]
    for _ in range(max_steps or scope.default_max_steps):
        sampled = await asyncio.gather(*(scope.propose(state, n=samples) for state in states))
        reached: list[Node] = []
        for state, proposals in zip(states, sampled, strict=True):
            for proposal in {each.action: each for each in proposals}.values():
                reached.append(await scope.step(state, proposal))
        values = await asyncio.gather(*(judge(scope, node) for node in reached))
        for node, value in zip(reached, values, strict=True):
            await scope.back_up(node, value)
        if any(node.reward >= scope.success_threshold for node in reached):
            return
        best = sorted(reached, key=lambda node: node.value or 0, reverse=True)
        states = [node for node in best if not node.terminal][:width]
        if not states:
            return


async def judge(scope: AsyncScope, node: Node) -> float:
    """The value of a state, 0 to 1: what it earned where the task has ended, else what the model says."""
    if node.done:
        return node.reward
    key = f"value/{node.index}"
    question = QUESTION.format(transcript=await scope.transcript(node))
    (answer,) = await scope.ask(question, key=key, role="value")
    found = re.search(r"\d+(?:\.\d+)?", answer)
    if found is None:
        await scope.note_unread(key)
        return 0.0
    return min(float(found.group()) / 10, 1.0)
