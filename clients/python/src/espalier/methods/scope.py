"""What a method's function works with: the tree so far, the operations on it, and the models."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from .._conversation import Conversation
from .values import Answer, Answered, Fork, ForkResult, Message, Node, Note, Proposal, Role, Tool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .values import CallSettings

Value = TypeVar("Value")
Question = tuple[str, dict[str, Any], Callable[[Any], Value]]
"""What is asked, with which fields, and how the answer is read."""


class _Episode:
    """What is known of the episode, and how each question is put."""

    def __init__(self, conversation: Conversation, episode: dict[str, Any]):
        self._conversation = conversation
        self.objective: str = episode["objective"]
        """The task in one line."""
        self.rules: str = episode["rules"]
        """The environment's rules, as the agent's prompt has them."""
        self.default_max_steps: int = episode["default_max_steps"]
        self.success_threshold: float = episode["success_threshold"]
        """The least reward of a success."""
        self.notes: list[Note] = [_note(note) for note in episode["notes"]]
        """What earlier episodes wrote down, when this one began."""
        self.nodes: list[Node] = [Node(**episode["root"])]
        """The tree so far, by index."""

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def path(self, node: Node) -> list[Node]:
        """The nodes from the root to this one, both included."""
        path = [node]
        while path[-1].parent is not None:
            path.append(self.nodes[path[-1].parent])
        return path[::-1]

    def _propose(
        self, node: Node, key: str, n: int, notes: str, system: str | None, settings: Mapping[str, Any]
    ) -> Question[list[Proposal]]:
        asked = {"node": node.index, "key": key, "n": n, "notes": notes, "system": system}
        fields = {**asked, **_settings(settings)}
        return "propose", fields, lambda found: [Proposal(**each) for each in found]

    def _step(self, node: Node, proposal: Proposal, max_depth: int | None) -> Question[Node]:
        fields = {"node": node.index, "proposal": proposal.to_json(), "max_depth": max_depth}
        return "step", fields, self._add

    def _unparsable(self, node: Node, proposal: Proposal) -> Question[Node]:
        return "unparsable", {"node": node.index, "proposal": proposal.to_json()}, self._add

    def _back_up(self, node: Node, value: float) -> Question[None]:
        return "back_up", {"node": node.index, "value": float(value)}, self._update

    def _ask(
        self,
        messages: str | Sequence[Message],
        key: str,
        role: Role,
        n: int,
        tools: Sequence[Tool],
        settings: Mapping[str, Any],
    ) -> Question[Answered]:
        asked = {"messages": _messages(messages), "key": key, "role": role, "n": n}
        fields = {**asked, **({"tools": list(tools)} if tools else {}), **_settings(settings)}
        return "ask", fields, lambda found: [Answer.of(each) for each in found]

    def _actions(self, node: Node) -> Question[list[str] | None]:
        return "actions", {"node": node.index}, lambda found: found

    def _fork_step(self, fork: Fork, action: str) -> Question[ForkResult]:
        fields = {"fork": fork.number, "action": action}
        return "fork_step", fields, lambda result: ForkResult(**result)

    def _land(
        self, fork: Fork, proposal: Proposal, observation: str, keep: bool, valid: bool
    ) -> Question[Node]:
        fields = {
            "node": fork.node.index,
            "proposal": proposal.to_json(),
            "fork": fork.number,
            "keep": keep,
            "observation": observation,
            "valid": valid,
        }
        return "land", fields, self._add

    def _add(self, fields: dict[str, Any]) -> Node:
        node = Node(**fields)
        self.nodes.append(node)
        if node.parent is not None:
            self.nodes[node.parent].children.append(node.index)
        return node

    def _update(self, changed: Iterable[dict[str, Any]]) -> None:
        for each in changed:
            node = self.nodes[each["index"]]
            node.visits, node.value = each["visits"], each["value"]


class Scope(_Episode):
    """The scope of a function: each operation waits for its result.

    Every call to a model has a ``key`` that says what it is for, the same in every replay and of no other call at that node.
    """

    def propose(
        self,
        node: Node,
        *,
        n: int = 1,
        key: str = "sample",
        notes: str = "",
        system: str | None = None,
        **settings: Unpack[CallSettings],
    ) -> list[Proposal]:
        """Asks the policy which action to take at a node, for ``n`` answers in one call.

        :param notes: advice that is shown with the last observation
        :param system: the system prompt, in place of the method's
        :param settings: of this call, in place of the run's: ``temperature``, ``top_p``, ``max_tokens``, ``stop``,
            ``reasoning_effort``, ``logprobs``
        """
        return self._wait(self._propose(node, key, n, notes, system, settings))

    def step(self, node: Node, proposal: Proposal, max_depth: int | None = None) -> Node:
        """Takes the proposed action in the node's state. :returns: the node that it leads to"""
        return self._wait(self._step(node, proposal, max_depth))

    def add_unparsable(self, node: Node, proposal: Proposal) -> Node:
        """Adds a node for an answer that no action could be read from, without a step."""
        return self._wait(self._unparsable(node, proposal))

    def back_up(self, node: Node, value: float) -> None:
        """Adds a visit and the value to the node and all above it."""
        self._wait(self._back_up(node, value))

    def commit(self, node: Node) -> None:
        """Makes the node the episode's answer."""
        self._wait(("commit", {"node": node.index}, _nothing))

    def ask(
        self,
        messages: str | Sequence[Message],
        *,
        key: str,
        role: Role = "policy",
        n: int = 1,
        tools: Sequence[Tool] = (),
        **settings: Unpack[CallSettings],
    ) -> Answered:
        """Asks a model anything. A text is one message of a user. Answers are texts, with their ``tool_calls``, ``reasoning``
        and ``logprobs`` beside the text."""
        return self._wait(self._ask(messages, key, role, n, tools, settings))

    def score(self, messages: Sequence[Message], *, key: str) -> float:
        """The value of a conversation by the model of the role ``value``, which was trained to give one."""
        return self._wait(("score", {"messages": _messages(messages), "key": key}, float))

    def transcript(self, node: Node, role: Role = "value") -> str:
        """The path to a node as text, as long as the role's model can take."""
        return self._wait(("transcript", {"node": node.index, "role": role}, str))

    def note_unread(self, effect: str, answers: int = 1) -> None:
        """Records that answers of a call could not be read."""
        self._wait(("note_unread", {"effect": effect, "answers": answers}, _nothing))

    def random(self, key: str) -> random.Random:
        """A generator that is the same in every replay; those of different keys are independent."""
        return self._wait(("random", {"key": key}, random.Random))

    def elapsed(self) -> float:
        """Seconds of working time so far, as the journal has it: the same in every replay."""
        return self._wait(("elapsed", {}, float))

    def fork(self, node: Node, key: str) -> Fork:
        """Begins steps away from a node."""
        return self._wait(("fork", {"node": node.index, "key": key}, lambda number: Fork(number, node)))

    def fork_step(self, fork: Fork, action: str) -> ForkResult:
        """Takes an action where the fork stands."""
        return self._wait(self._fork_step(fork, action))

    def land(
        self, fork: Fork, proposal: Proposal, observation: str, *, keep: bool = True, valid: bool = True
    ) -> Node:
        """Adds a node for what a fork did. :param keep: whether it is in the fork's state, or in the one before"""
        return self._wait(self._land(fork, proposal, observation, keep, valid))

    def recall(
        self,
        key: str,
        objective: str,
        observation: str,
        *,
        side: str = "task",
        most: int = 3,
        least: float = 0.0,
    ) -> list[Note]:
        """Notes of earlier episodes that fit a situation. :param least: the least relevance, at most 1"""
        return self._wait(_recall(key, objective, observation, side, most, least))

    def remember(
        self, key: str, note: str, observation: str, *, side: str = "task", action: str | None = None
    ) -> None:
        """Hands a note on to later episodes, found by the objective and what was seen."""
        self._wait(_remember(key, note, observation, side, action))

    def actions(self, node: Node) -> list[str] | None:
        """The possible actions at a node; None where the environment does not list them."""
        return self._wait(self._actions(node))

    @overload
    def effect(self, key: str, function: Callable[[], Awaitable[Value]]) -> Value: ...
    @overload
    def effect(self, key: str, function: Callable[[], Value]) -> Value: ...
    def effect(self, key: str, function: Callable[[], Any]) -> Any:
        """Calls a function of another library, such as an HTTP client. Its result is in the journal from then on, and no replay
        calls it again. What it raises ends the attempt.

        :param key: says what it is for, the same in every replay and of no other effect of the episode
        :param function: without arguments, sync or ``async``
        :returns: the result as JSON: texts, numbers, lists and mappings
        """
        return self._conversation.ask("effect", {"key": key}, function)

    def _wait(self, question: Question[Value]) -> Value:
        op, fields, read = question
        return read(self._conversation.ask(op, fields))


class AsyncScope(_Episode):
    """The scope of an ``async`` function: as :class:`Scope`, with every operation awaited, so that ``asyncio.gather`` makes calls
    side by side. Steps in the environment should follow each other: then the tree does not depend on which answer comes first.
    """

    async def propose(
        self,
        node: Node,
        *,
        n: int = 1,
        key: str = "sample",
        notes: str = "",
        system: str | None = None,
        **settings: Unpack[CallSettings],
    ) -> list[Proposal]:
        return await self._wait(self._propose(node, key, n, notes, system, settings))

    async def step(self, node: Node, proposal: Proposal, max_depth: int | None = None) -> Node:
        return await self._wait(self._step(node, proposal, max_depth))

    async def add_unparsable(self, node: Node, proposal: Proposal) -> Node:
        return await self._wait(self._unparsable(node, proposal))

    async def back_up(self, node: Node, value: float) -> None:
        await self._wait(self._back_up(node, value))

    async def commit(self, node: Node) -> None:
        await self._wait(("commit", {"node": node.index}, _nothing))

    async def ask(
        self,
        messages: str | Sequence[Message],
        *,
        key: str,
        role: Role = "policy",
        n: int = 1,
        tools: Sequence[Tool] = (),
        **settings: Unpack[CallSettings],
    ) -> Answered:
        return await self._wait(self._ask(messages, key, role, n, tools, settings))

    async def score(self, messages: Sequence[Message], *, key: str) -> float:
        return await self._wait(("score", {"messages": _messages(messages), "key": key}, float))

    async def transcript(self, node: Node, role: Role = "value") -> str:
        return await self._wait(("transcript", {"node": node.index, "role": role}, str))

    async def note_unread(self, effect: str, answers: int = 1) -> None:
        await self._wait(("note_unread", {"effect": effect, "answers": answers}, _nothing))

    async def random(self, key: str) -> random.Random:
        return await self._wait(("random", {"key": key}, random.Random))

    async def elapsed(self) -> float:
        return await self._wait(("elapsed", {}, float))

    async def fork(self, node: Node, key: str) -> Fork:
        return await self._wait(("fork", {"node": node.index, "key": key}, lambda number: Fork(number, node)))

    async def fork_step(self, fork: Fork, action: str) -> ForkResult:
        return await self._wait(self._fork_step(fork, action))

    async def land(
        self, fork: Fork, proposal: Proposal, observation: str, *, keep: bool = True, valid: bool = True
    ) -> Node:
        return await self._wait(self._land(fork, proposal, observation, keep, valid))

    async def recall(
        self,
        key: str,
        objective: str,
        observation: str,
        *,
        side: str = "task",
        most: int = 3,
        least: float = 0.0,
    ) -> list[Note]:
        return await self._wait(_recall(key, objective, observation, side, most, least))

    async def remember(
        self, key: str, note: str, observation: str, *, side: str = "task", action: str | None = None
    ) -> None:
        await self._wait(_remember(key, note, observation, side, action))

    async def actions(self, node: Node) -> list[str] | None:
        return await self._wait(self._actions(node))

    @overload
    async def effect(self, key: str, function: Callable[[], Awaitable[Value]]) -> Value: ...
    @overload
    async def effect(self, key: str, function: Callable[[], Value]) -> Value: ...
    async def effect(self, key: str, function: Callable[[], Any]) -> Any:
        """As in :class:`Scope`. Functions run in threads, beside each other."""
        return await self._conversation.ask_later("effect", {"key": key}, function)

    async def _wait(self, question: Question[Value]) -> Value:
        op, fields, read = question
        return read(await self._conversation.ask_later(op, fields))


def _recall(
    key: str, objective: str, observation: str, side: str, most: int, least: float
) -> Question[list[Note]]:
    fields = {"key": key, "objective": objective, "observation": observation, "side": side}
    return "recall", {**fields, "most": most, "least": least}, lambda notes: [_note(note) for note in notes]


def _remember(key: str, note: str, observation: str, side: str, action: str | None) -> Question[None]:
    fields = {"key": key, "note": note, "observation": observation, "side": side, "action": action}
    return "remember", fields, _nothing


def _note(fields: dict[str, Any]) -> Note:
    return Note(**fields)


def _messages(messages: str | Sequence[Message]) -> list[dict[str, Any]]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    return [_message(message) for message in messages]


def _message(message: Message) -> dict[str, Any]:
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in message.get("tool_calls", ())
    ]
    return {**cast("dict[str, Any]", message), **({"tool_calls": calls} if calls else {})}


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"settings": dict(settings)} if settings else {}


def _nothing(_answer: object) -> None:
    return None
