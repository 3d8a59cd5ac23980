"""Environments written in Python, which hosts of Espalier start as programs.

``python -m espalier.environments ./env.py`` serves what a file defines; ``espalier run --environment ./env.py`` does it by itself.
"""

from .environment import Environment, StepResult, Task
from .functions import environment
from .gymnasium import GymnasiumEnvironment, from_gymnasium
from .serve import serve

__all__ = [
    "Environment",
    "GymnasiumEnvironment",
    "StepResult",
    "Task",
    "environment",
    "from_gymnasium",
    "serve",
]
