"""What an environment is: facts of the class, and one instance for each session."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .._pictures import picture


@dataclass(frozen=True)
class Task:
    """One problem, with a stable id. ``options`` are for the environment's own use; the service never sees them."""

    id: str
    split: str = "test"
    type: str = "any"
    description: str = ""
    max_steps: int | None = None
    options: Any = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        facts = {"id": self.id, "split": self.split, "type": self.type, "description": self.description}
        return facts if self.max_steps is None else {**facts, "max_steps": self.max_steps}


@dataclass(frozen=True)
class StepResult:
    """What a step answers.

    :param reward: what the episode earns if it ends with this step, not the step's share of it; below 0 it is a disaster
    :param valid: whether the action was understood and could be taken
    :param progress: the share of the goal that is reached, 0 to 1; the host keeps the best. None: it is the reward
    :param pictures: images beside the text, PNG, JPEG or WebP, as bytes
    """

    observation: str
    reward: float = 0.0
    done: bool = False
    valid: bool = True
    progress: float | None = None
    pictures: Sequence[bytes] = ()

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "observation": self.observation,
            "reward": float(self.reward),
            "done": bool(self.done),
            "valid": bool(self.valid),
        }
        if self.progress is not None:
            answer["progress"] = float(self.progress)
        if self.pictures:
            answer["pictures"] = [picture(each) for each in self.pictures]
        return answer


class Environment(ABC):
    """One session of an environment. The same task, seed and actions must always have the same answers.

    A search goes back to a state by taking the same steps again, and compares every answer. Where that cannot hold, say
    ``deterministic = False``: such an environment is played by methods that never go back.
    """

    id: ClassVar[str]
    """Lower-case letters, digits and dashes."""
    description: ClassVar[str] = ""
    rules: ClassVar[str]
    """What the agent is told of the rules and of the form of actions."""
    default_max_steps: ClassVar[int] = 30
    success_threshold: ClassVar[float] = 1.0
    deterministic: ClassVar[bool] = True
    tools: ClassVar[Sequence[dict[str, Any]]] = ()
    """The actions as tools, for agents that call tools: name, description, schema and action text of each."""
    sessions: ClassVar[int] = 100
    """How many sessions one process holds at once. One, where the environment is not deterministic and says nothing else: a
    session that ends its process would take others along, whose steps no process could take again."""

    copies: ClassVar[bool] = False
    """Whether a search returns to a state by ``copy.deepcopy`` of the instance, in place of its steps."""
    kept_states: ClassVar[int] = 10_000
    """How many states a process keeps. The oldest are dropped, and then reached by their steps."""

    @classmethod
    @abstractmethod
    def tasks(cls) -> Sequence[Task]: ...

    @abstractmethod
    def reset(self, task: Task, seed: int) -> str | StepResult:
        """Begins the task. :returns: the first observation"""

    @abstractmethod
    def step(self, action: str) -> StepResult:
        """Takes an action: any text that a model wrote. What is no action is answered with ``valid=False``, never raised."""

    def actions(self) -> Sequence[str] | None:
        """The actions that are possible now, where they can be listed."""
        return None

    def close(self) -> None:
        """Lets go of what the session holds."""

    def save(self) -> Any:
        """The state as a value that ``pickle`` or ``copy.deepcopy`` copies. Define it with :meth:`load`: a search then returns
        to a state without its steps, so that a node costs one step."""
        raise NotImplementedError

    def load(self, state: Any) -> None:
        """Goes to a state that :meth:`save` returned, in this session or in another of the same task and seed."""
        raise NotImplementedError

    @classmethod
    def keeps_states(cls) -> bool:
        """:raises TypeError: if only one of ``save`` and ``load`` is defined"""
        saves, loads = cls.save is not Environment.save, cls.load is not Environment.load
        if saves != loads:
            raise TypeError(f"{cls.id} defines {'save' if saves else 'load'} alone. Define save() and load(state).")
        return saves or cls.copies

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """The answer to ``describe``."""
        return {
            "environment": cls.id,
            "description": cls.description or cls.id,
            "rules": cls.rules,
            "default_max_steps": cls.default_max_steps,
            "success_threshold": cls.success_threshold,
            "deterministic": cls.deterministic,
            "sessions": cls.sessions if cls.deterministic or cls.sessions != Environment.sessions else 1,
            "actions": cls.actions is not Environment.actions,
            **({"keeps_states": True} if cls.keeps_states() else {}),
            **({"tools": list(cls.tools)} if cls.tools else {}),
            "tasks": [task.to_json() for task in cls.tasks()],
        }
