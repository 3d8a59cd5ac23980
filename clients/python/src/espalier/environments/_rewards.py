"""The reward of an episode from the sum of a game's rewards."""

from __future__ import annotations

import math


def episode_reward(earned: float, bounds: tuple[float, float] | None, is_over: bool) -> float:
    """Never negative: Espalier takes a negative reward for a disaster, and a game's is usually the cost of a step.

    If the lower bound is negative, an episode earns nothing before its end: otherwise an agent that stops at once, before
    it pays for further steps, would earn most.

    :raises ValueError: for a sum that is not finite, or bounds out of order
    """
    if not math.isfinite(earned):
        raise ValueError(f"The rewards of the game add up to {earned}.")
    if bounds is None:
        return max(0.0, earned)
    low, high = bounds
    if not low < high:
        raise ValueError(f"reward_range must be (low, high) with low < high, and is {bounds}.")
    if low < 0 and not is_over:
        return 0.0
    return min(1.0, max(0.0, (earned - low) / (high - low)))


def refuse_scale(game: type) -> None:
    """:raises TypeError: for a class with ``reward_scale``, which would silently scale nothing"""
    if hasattr(game, "reward_scale"):
        raise TypeError(f"{game.__name__}.reward_scale has become reward_range: write reward_range = (0, reward_scale).")
