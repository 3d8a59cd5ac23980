"""Methods in Python, as a worker speaks with them."""

import asyncio
import io
import json
from typing import Annotated

import pytest
from pydantic import Field

from espalier.methods import AsyncScope, Scope, method
from espalier._conversation import Conversation
from espalier.methods.method import schema_of

ROOT = {
    "index": 0,
    "parent": None,
    "depth": 0,
    "action": None,
    "message": None,
    "observation": "A corridor.",
    "reward": 0,
    "progress": None,
    "terminal": False,
    "done": False,
    "disaster": False,
    "valid": True,
    "visits": 0,
    "value": None,
}
EPISODE = {
    "objective": "reach the end",
    "rules": "Walk.",
    "default_max_steps": 5,
    "success_threshold": 1,
    "notes": [],
    "root": ROOT,
}


def converse(played, *replies, **parameters):
    """What a method asks, given what the worker says in turn."""
    lines = [
        {"id": 1, "op": "play"},
        *({"id": 2 + at, "op": "go", **each} for at, each in enumerate(replies)),
    ]
    answers = io.StringIO()
    conversation = Conversation(io.StringIO("".join(json.dumps(line) + "\n" for line in lines)), answers)
    conversation.read()
    try:
        played.run(conversation, parameters, EPISODE)
    except SystemExit:
        pass
    return [request for line in answers.getvalue().splitlines() for request in json.loads(line)["requests"]]


@method("both", branches=True)
async def both(scope: AsyncScope, max_steps: int | None = None):
    """Asks twice at once."""
    first, second = await asyncio.gather(
        scope.ask("one", key="one"), scope.propose(scope.root, key="two", n=2)
    )
    await scope.back_up(scope.root, len(first) + len(second))


def test_what_is_asked_side_by_side_is_sent_at_once_and_results_may_come_in_any_order():
    proposal = {"message": "Action: go", "action": "go", "effect": "two"}
    results = [{"call": 2, "result": [proposal, proposal]}, {"call": 1, "result": ["yes"]}]
    for replies in (results, results[::-1]):
        asked = converse(both, *replies)
        assert [(request["call"], request["op"]) for request in asked] == [
            (1, "ask"),
            (2, "propose"),
            (3, "back_up"),
        ]
        assert asked[0]["messages"] == [{"role": "user", "content": "one"}]
        assert asked[2]["value"] == 3


def test_the_tree_is_kept_as_steps_and_values_come():
    seen = []

    @method("one-step", branches=False)
    def one_step(scope: Scope, max_steps: int = 3):
        (proposal,) = scope.propose(scope.root)
        node = scope.step(scope.root, proposal)
        scope.back_up(node, 0.5)
        seen.extend([scope.root.children, scope.path(node), node.visits, node.value])

    child = {**ROOT, "index": 1, "parent": 0, "depth": 1, "action": "go", "reward": 1}
    proposal = {"message": "Action: go", "action": "go", "effect": "node/0/sample"}
    changed = [{"index": 0, "visits": 1, "value": 0.5}, {"index": 1, "visits": 1, "value": 0.5}]
    converse(
        one_step,
        {"call": 1, "result": [proposal]},
        {"call": 2, "result": child},
        {"call": 3, "result": changed},
    )
    assert seen[0] == [1] and [node.index for node in seen[1]] == [0, 1] and seen[2:] == [1, 0.5]


def test_parameters_are_those_of_the_function():
    @method("own", branches=True)
    def own(
        scope: Scope,
        width: Annotated[int, Field(ge=1, description="How wide.")] = 2,
        max_steps: int | None = None,
    ):
        """Does something."""

    facts = own.facts()
    assert facts["description"] == "Does something."
    assert facts["parameters"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "width": {"type": "integer", "minimum": 1, "default": 2, "description": "How wide."},
            "max_steps": {"type": "integer"},
        },
    }
    with pytest.raises(ValueError, match="width"):
        own.parameters()(width=0)
    assert schema_of(own.parameters()) == facts["parameters"]


def test_an_operation_that_cannot_be_done_is_raised_where_it_was_asked():
    caught = []

    @method("careful", branches=True)
    async def careful(scope: AsyncScope, max_steps: int = 3):
        try:
            await scope.commit(scope.root)
        except RuntimeError as error:
            caught.append(str(error))

    converse(careful, {"call": 1, "error": "The tree has no node 7."})
    assert caught == ["The tree has no node 7."]
