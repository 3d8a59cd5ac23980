"""Environments of Gymnasium, as texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from .._optional import need
from ._rewards import episode_reward, refuse_scale
from .environment import Environment, StepResult, Task


class GymnasiumEnvironment(Environment):
    """One episode of a Gymnasium environment. Subclass it, or use :func:`from_gymnasium`.

    Actions are names where ``action_names`` gives them (Discrete spaces), else what ``parse_action`` reads. The reward of
    a step is what the episode earns if it ends there: the sum of Gymnasium's rewards so far, or 0 if that is negative.
    ``reward_range`` is the lowest and the highest sum, which become 0 and 1: ``(-200, 0)`` for MountainCar. If the lowest
    is negative, an episode earns 0 until it ends.
    """

    make: ClassVar[Callable[[], Any]]
    action_names: ClassVar[Sequence[str] | None] = None
    reward_range: ClassVar[tuple[float, float] | None] = None
    seeds: ClassVar[dict[str, range]] = {"train": range(100), "test": range(1000, 1100)}
    """Of each split, the seeds that are its tasks."""

    def __init_subclass__(cls) -> None:
        refuse_scale(cls)
        super().__init_subclass__()

    @classmethod
    def tasks(cls) -> Sequence[Task]:
        return [
            Task(f"{split}-{seed}", split=split, options=seed)
            for split, seeds in cls.seeds.items()
            for seed in seeds
        ]

    def describe_observation(self, observation: Any) -> str:
        """The text that the agent sees."""
        return str(observation)

    def parse_action(self, action: str) -> Any | None:
        """The action of Gymnasium; None for a text that is none."""
        names = type(self).action_names
        text = action.strip()
        if names is not None:
            return names.index(text) if text in names else None
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            return None
        value = int(text)
        return value if self._game.action_space.contains(value) else None

    def reset(self, task: Task, seed: int) -> str:
        self._game = type(self).make()
        self._earned = 0.0
        # A run's seed makes another episode of the same task; without one, the task's seed is Gymnasium's.
        observation, _ = self._game.reset(seed=int(task.options) + 1_000_003 * seed)
        self._last = self.describe_observation(observation)
        return self._last

    def step(self, action: str) -> StepResult:
        chosen = self.parse_action(action)
        if chosen is None:
            names = type(self).action_names
            hint = (
                f"one of: {', '.join(names)}"
                if names is not None
                else f"a number of {self._game.action_space}"
            )
            return StepResult(f"That is no action. Write {hint}.", reward=self._reward(False), valid=False)
        observation, earned, terminated, truncated, _ = self._game.step(chosen)
        self._earned += float(earned)
        self._last = self.describe_observation(observation)
        is_over = bool(terminated or truncated)
        return StepResult(self._last, reward=self._reward(is_over), done=is_over)

    def actions(self) -> Sequence[str] | None:
        names = type(self).action_names
        return sorted(names) if names is not None else None

    def close(self) -> None:
        self._game.close()

    def _reward(self, is_over: bool) -> float:
        return episode_reward(self._earned, type(self).reward_range, is_over)


def from_gymnasium(
    gymnasium_id: str,
    *,
    id: str | None = None,
    rules: str,
    action_names: Sequence[str] | None = None,
    describe: Callable[[Any], str] | None = None,
    parse: Callable[[str], Any | None] | None = None,
    make_options: dict[str, Any] | None = None,
    **facts: Any,
) -> type[GymnasiumEnvironment]:
    """
    >>> lake = from_gymnasium("FrozenLake-v1", rules="Reach the goal.", action_names=["left", "down", "right", "up"])

    :param describe: turns an observation into text
    :param parse: turns a text into an action, None where it is none
    :param facts: further facts of the class: ``seeds``, ``reward_range``, ``success_threshold``, ``default_max_steps``, …
    :raises MissingPackageError: where ``gymnasium`` is not installed
    """
    library = need("gymnasium", "gymnasium")
    members: dict[str, Any] = {
        "id": id or gymnasium_id.lower().replace("/", "-").replace("_", "-"),
        "description": f"{gymnasium_id} of Gymnasium.",
        "rules": rules,
        "action_names": action_names,
        "make": staticmethod(lambda: library.make(gymnasium_id, **(make_options or {}))),
        **facts,
    }
    if describe is not None:
        members["describe_observation"] = lambda self, observation: describe(observation)
    if parse is not None:
        members["parse_action"] = lambda self, action: parse(action)
    return type("FromGymnasium", (GymnasiumEnvironment,), members)
