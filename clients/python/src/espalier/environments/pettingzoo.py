"""Environments of PettingZoo: the agent plays one seat, and a function plays the others."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from ._rewards import episode_reward, refuse_scale
from .environment import Environment, StepResult, Task


class Turn(NamedTuple):
    """A turn of another seat. ``actions`` are the legal ones, None if the space is no list of them."""

    seat: str
    observation: Any
    actions: Sequence[int] | None
    space: Any
    random: random.Random


def play_randomly(turn: Turn) -> Any:
    """A legal action, drawn by the task's seed."""
    if turn.actions is not None:
        return turn.random.choice(list(turn.actions))
    turn.space.seed(turn.random.randrange(2**31))
    return turn.space.sample()


class PettingZooEnvironment(Environment):
    """One episode at one seat. Subclass it, or use :func:`from_pettingzoo`.

    The reward of a step is the seat's if the episode ends there: the sum of its rewards so far, or 0 if that is
    negative. ``reward_range`` is the lowest and the highest sum, which become 0 and 1: with ``(-1, 1)`` a draw earns 0.5. If
    the lowest is negative, an episode earns 0 until it ends.
    """

    make: ClassVar[Callable[[], Any]]
    seat: ClassVar[str | None] = None
    others: ClassVar[Callable[[Turn], Any]]
    action_names: ClassVar[Sequence[str] | None] = None
    reward_range: ClassVar[tuple[float, float] | None] = None
    seeds: ClassVar[dict[str, range]] = {"train": range(100), "test": range(1000, 1100)}

    def __init_subclass__(cls) -> None:
        refuse_scale(cls)
        super().__init_subclass__()

    @classmethod
    def tasks(cls) -> Sequence[Task]:
        return [
            Task(f"{split}-{seed}", split=split, options=seed) for split, seeds in cls.seeds.items() for seed in seeds
        ]

    def describe_observation(self, observation: Any) -> str:
        """The text that the agent sees."""
        return str(observation)

    def parse_action(self, action: str) -> Any | None:
        """The action of PettingZoo; None for a text that is none."""
        names, text = type(self).action_names, action.strip()
        if names is not None:
            return names.index(text) if text in names else None
        return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None

    def reset(self, task: Task, seed: int) -> str:
        self._game = type(self).make()
        start = int(task.options) + 1_000_003 * seed
        self._random = random.Random(start)
        self._game.reset(seed=start)
        self._own = type(self).seat or self._game.possible_agents[0]
        self._earned, self._over = 0.0, False
        return self._until_own_turn()

    def step(self, action: str) -> StepResult:
        chosen = self.parse_action(action)
        legal = _legal(self._observation)
        space = self._game.action_space(self._own)
        possible = chosen is not None and (chosen in legal if legal is not None else space.contains(chosen))
        if not possible:
            hint = ", ".join(self.actions() or []) or str(space)
            return StepResult(f"That is no legal action. Write one of: {hint}.", reward=self._reward(), valid=False)
        self._game.step(chosen)
        shown = self._until_own_turn()
        return StepResult(shown, reward=self._reward(), done=self._over)

    def actions(self) -> Sequence[str] | None:
        legal = _legal(self._observation)
        if legal is None:
            names = type(self).action_names
            return sorted(names) if names is not None else None
        return sorted(self._name(each) for each in legal)

    def close(self) -> None:
        self._game.close()

    def _name(self, action: int) -> str:
        names = type(self).action_names
        return str(action) if names is None else names[action]

    def _reward(self) -> float:
        return episode_reward(self._earned, type(self).reward_range, self._over)

    def _until_own_turn(self) -> str:
        """Plays the other seats. PettingZoo sums a seat's rewards from one of its turns to the next."""
        for seat in self._game.agent_iter():
            observation, earned, terminated, truncated, _ = self._game.last()
            is_over = bool(terminated or truncated)
            if seat == self._own:
                self._earned += float(earned)
                self._over = is_over
                self._observation = observation
                return self.describe_observation(observation)
            space = self._game.action_space(seat)
            turn = Turn(seat, observation, _legal(observation), space, self._random)
            self._game.step(None if is_over else type(self).others(turn))
        self._over = True
        return self.describe_observation(self._observation)


def from_pettingzoo(
    make: Callable[[], Any],
    *,
    id: str,
    rules: str,
    seat: str | None = None,
    others: Callable[[Turn], Any] = play_randomly,
    action_names: Sequence[str] | None = None,
    describe: Callable[[Any], str] | None = None,
    parse: Callable[[str], Any | None] | None = None,
    **facts: Any,
) -> type[PettingZooEnvironment]:
    """
    >>> from pettingzoo.classic import tictactoe_v3
    >>> game = from_pettingzoo(tictactoe_v3.env, id="tictactoe", rules="Three in a row. Write a field, 0 to 8.")

    :param make: makes a game of the AEC kind; ``parallel_to_aec`` of PettingZoo turns others into one
    :param seat: the agent's; default: the first
    :param others: plays every other seat; default: a random legal action, the same for the same task
    :param describe: turns an observation into text
    :param parse: turns a text into an action, None where it is none
    :param facts: further facts of the class: ``seeds``, ``reward_range``, ``success_threshold``, ``default_max_steps``, …
    """
    members: dict[str, Any] = {
        "id": id,
        "description": f"{id} of PettingZoo, at one seat.",
        "rules": rules,
        "seat": seat,
        "others": staticmethod(others),
        "action_names": action_names,
        "make": staticmethod(make),
        **facts,
    }
    if describe is not None:
        members["describe_observation"] = lambda self, observation: describe(observation)
    if parse is not None:
        members["parse_action"] = lambda self, action: parse(action)
    return type("FromPettingZoo", (PettingZooEnvironment,), members)


def _legal(observation: Any) -> list[int] | None:
    mask = observation.get("action_mask") if isinstance(observation, dict) else None
    return None if mask is None else [at for at, is_legal in enumerate(mask) if is_legal]
