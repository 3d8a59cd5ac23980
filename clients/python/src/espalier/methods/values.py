"""What a method's function is given and gives back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict

Role = Literal["policy", "value", "verifier", "reflection", "judge", "debate", "learner", "captioner"]


class Message(TypedDict):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass
class Node:
    """A node of the episode's tree: the state that an action led to.

    :ivar reward: what the episode earns if it ends here
    :ivar progress: the share of the goal that is reached; None where the environment does not say
    :ivar terminal: no action is taken from here; ``done``: the task has ended
    :ivar value: the mean of the values that were backed up; None without any
    """

    index: int
    parent: int | None
    depth: int
    action: str | None
    message: str | None
    observation: str
    reward: float
    progress: float | None
    terminal: bool
    done: bool
    disaster: bool
    valid: bool
    visits: int
    value: float | None
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Proposal:
    """A model's answer to the question what to do at a node.

    :ivar message: the whole answer, such as a thought and an action
    :ivar action: what was read from it
    :ivar complaint: what is observed in place of a step, where no action could be read
    """

    message: str
    action: str
    effect: str
    complaint: str | None = None
    prior: float | None = None

    def with_action(self, action: str) -> Proposal:
        """The same answer with another action."""
        return replace(self, action=action, complaint=None)

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}


Answered = list[str]
"""The answers of one call, in their order."""


@dataclass(frozen=True)
class ForkResult:
    """What a step away from the tree was answered with."""

    observation: str
    reward: float
    done: bool
    valid: bool
    progress: float | None


@dataclass(frozen=True)
class Fork:
    """Steps away from a node that lead to no node of their own, unless they are landed."""

    number: int
    node: Node


@dataclass(frozen=True)
class Note:
    """What an earlier episode wrote down."""

    id: str
    side: Literal["task", "policy", "value"]
    episode: str
    task: str
    objective: str
    observation: str
    action: str | None
    note: str
    group: str | None = None
    surprise: float | None = None
