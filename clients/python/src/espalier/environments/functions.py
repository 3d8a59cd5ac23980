"""Environments as generator functions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from .environment import Environment, StepResult, Task

Play = Callable[[Task, int], Generator[str | StepResult, str, None]]


def environment(
    id: str, *, rules: str, tasks: Sequence[Task] | Callable[[], Sequence[Task]], **facts: Any
) -> Callable[[Play], type[Environment]]:
    """Makes an environment of a generator that yields what the agent sees and is sent what it does.

    >>> @environment("echo", rules="Say: done", tasks=[Task("only")])
    ... def echo(task, seed):
    ...     action = yield "Say something."
    ...     while action != "done":
    ...         action = yield f"You said {action}."
    ...     yield StepResult("Well done.", reward=1, done=True)

    :param facts: further facts of the class, such as ``default_max_steps`` and ``success_threshold``
    """

    def decorate(play: Play) -> type[Environment]:
        class FunctionEnvironment(Environment):
            _play: Generator[str | StepResult, str, None]

            @classmethod
            def tasks(cls) -> Sequence[Task]:
                return tasks() if callable(tasks) else tasks

            def reset(self, task: Task, seed: int) -> str | StepResult:
                self._play = play(task, seed)
                return next(self._play)

            def step(self, action: str) -> StepResult:
                try:
                    answer = self._play.send(action)
                except StopIteration as end:
                    raise RuntimeError(
                        f"{id} returned without a last observation: yield StepResult(…, done=True) at its end."
                    ) from end
                return answer if isinstance(answer, StepResult) else StepResult(answer)

            def close(self) -> None:
                self._play.close()

        named = {
            "id": id,
            "rules": rules,
            "description": play.__doc__ or id,
            "__module__": play.__module__,
            # Names the source.
            "__wrapped__": play,
            **facts,
        }
        return type(play.__name__, (FunctionEnvironment,), named)

    return decorate
