"""An environment of Espalier as one of Gymnasium: texts in, texts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._optional import need
from .connected import ConnectedEnvironment, connect


def to_gymnasium(
    environment: str | ConnectedEnvironment,
    *,
    tasks: Sequence[str] | None = None,
    split: str | None = None,
    max_steps: int | None = None,
) -> Any:
    """A ``gymnasium.Env`` whose observations and actions are texts. The reward of a step is its share of what is earned.

    >>> env = to_gymnasium("maze", split="train")
    >>> observation, info = env.reset(seed=1)

    :param tasks: to be played; default: those of ``split``, or all. ``reset(options={"task": id})`` takes one, else ``seed`` draws it
    :param max_steps: after which an episode is truncated; default: the environment's
    :returns: a ``gymnasium.Env[str, str]``
    :raises MissingPackageError: where ``gymnasium`` is not installed
    """
    gymnasium = need("gymnasium", "gymnasium")
    connected = connect(environment) if isinstance(environment, str) else environment
    chosen = list(tasks) if tasks is not None else [task.id for task in connected.tasks(split)]
    if not chosen:
        raise ValueError(f"{connected.facts.id} has no tasks of the split {split}.")
    most = max_steps or connected.facts.default_max_steps

    class AnyText(gymnasium.spaces.Space):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(shape=None, dtype=None)

        def sample(self, mask: Any = None, probability: Any = None) -> str:
            listed = connected.actions() if connected.is_open else None
            return str(self.np_random.choice(listed)) if listed else ""

        def contains(self, x: Any) -> bool:
            return isinstance(x, str)

        @property
        def is_np_flattenable(self) -> bool:
            return False

    class EspalierEnv(gymnasium.Env):  # type: ignore[misc]
        metadata = {"render_modes": []}

        def __init__(self) -> None:
            self.observation_space = AnyText()
            self.action_space = AnyText()
            self._earned = 0.0
            self._steps = 0

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
            super().reset(seed=seed)
            named = (options or {}).get("task")
            task = named if named is not None else chosen[int(self.np_random.integers(len(chosen)))]
            self._earned, self._steps = 0.0, 0
            seen = connected.reset(task, (options or {}).get("seed", 0))
            return seen.observation, {"task": task, "rules": connected.rules}

        def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
            seen = connected.step(action)
            share, self._earned, self._steps = seen.reward - self._earned, seen.reward, self._steps + 1
            info = {"valid": seen.valid, "progress": seen.progress, "earned": seen.reward}
            return seen.observation, share, seen.done, not seen.done and self._steps >= most, info

        def close(self) -> None:
            connected.close()

    return EspalierEnv()
