"""What a method's function is given and gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .._pictures import SentPicture

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Role = Literal["policy", "value", "verifier", "reflection", "judge", "debate", "learner", "captioner"]


class Picture(TypedDict):
    """A picture that the service keeps, by its digest."""

    type: Literal["blob"]
    sha256: str
    media_type: str
    width: NotRequired[int]
    height: NotRequired[int]


class Message(TypedDict):
    """One turn of a chat. A turn of the role ``tool`` answers a call of the turn before, by its id."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    pictures: NotRequired[Sequence[Picture | SentPicture]]
    tool_calls: NotRequired[Sequence[ToolCall]]
    tool_call_id: NotRequired[str]


class Tool(TypedDict):
    """A function that a model may call. ``schema`` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


class CallSettings(TypedDict, total=False):
    """Settings of one call, in place of the run's.

    ``logprobs=True`` asks for the log-probabilities of the answers' tokens, which not every endpoint gives.
    """

    temperature: float
    top_p: float
    max_tokens: int
    stop: Sequence[str]
    reasoning_effort: str
    logprobs: bool


class ToolCall(TypedDict):
    """A call in an answer. ``arguments`` is JSON as the model wrote it, which may be malformed."""

    id: str
    name: str
    arguments: str


class TokenLogprob(TypedDict):
    """A token of an answer; what the endpoint does not say is None."""

    text: str | None
    id: int | None
    logprob: float | None


class Answer(str):
    """A model's answer: its text, with what came beside the text.

    :ivar reasoning: its thoughts, where they came in a field of their own
    :ivar finish_reason: ``"length"`` where the answer was cut
    :ivar logprobs: of its tokens, if the call asked for them and the endpoint gives them
    """

    finish_reason: str
    reasoning: str | None
    tool_calls: list[ToolCall]
    logprobs: list[TokenLogprob] | None

    @classmethod
    def of(cls, fields: str | dict[str, Any]) -> Answer:
        """Reads an answer of the service; those of earlier versions are texts alone."""
        given: dict[str, Any] = {"content": fields} if isinstance(fields, str) else fields
        answer = cls(given["content"])
        answer.finish_reason = given.get("finish_reason", "stop")
        answer.reasoning = given.get("reasoning")
        answer.tool_calls = given.get("tool_calls", [])
        answer.logprobs = given.get("logprobs")
        return answer


@dataclass
class Node:
    """A node of the episode's tree: the state that an action led to.

    :ivar reward: what the episode earns if it ends here
    :ivar progress: the share of the goal that is reached; None where the environment does not say
    :ivar terminal: no action is taken from here; ``done``: the task has ended
    :ivar value: the mean of the values that were backed up; None without any
    :ivar pictures: those of the observation, to be shown in messages
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
    pictures: list[Picture] = field(default_factory=list)


@dataclass(frozen=True)
class Proposal:
    """A model's answer to the question what to do at a node.

    :ivar message: the whole answer, such as a thought and an action
    :ivar action: what was read from it
    :ivar complaint: what is observed in place of a step, where no action could be read
    :ivar reasoning: the model's thoughts, where they came in a field of their own
    :ivar logprobs: of the answer's tokens, if the call asked for them and the endpoint gives them
    """

    message: str
    action: str
    effect: str
    complaint: str | None = None
    prior: float | None = None
    reasoning: str | None = None
    logprobs: Sequence[TokenLogprob] | None = None

    def with_action(self, action: str) -> Proposal:
        """The same answer with another action."""
        return replace(self, action=action, complaint=None)

    def to_json(self) -> dict[str, Any]:
        sent = ("message", "action", "effect", "complaint", "prior")
        return {name: value for name in sent if (value := getattr(self, name)) is not None}


Answered = list[Answer]
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
