"""Environments written in Python, which hosts of Espalier start as programs; and all environments, to be played in Python code.

``python -m espalier.environments ./env.py`` serves what a file defines; ``espalier run --environment ./env.py`` does it by itself.
``connect("maze")`` is a session of any environment that is played here.
"""

import importlib
from typing import TYPE_CHECKING

from .environment import Environment, StepResult, Task
from .functions import environment
from .gymnasium import GymnasiumEnvironment, from_gymnasium
from .pettingzoo import PettingZooEnvironment, Turn, from_pettingzoo
from .serve import serve

if TYPE_CHECKING:
    from ._host import HostNotStartedError
    from ._sessions import EnvironmentFacts, Seen, Snapshot, ToolFacts
    from .connected import AsyncConnectedEnvironment, ConnectedEnvironment, connect, connect_async
    from ._to_gymnasium import to_gymnasium

_homes = {
    "_host": ("HostNotStartedError",),
    "_sessions": ("EnvironmentFacts", "Seen", "Snapshot", "ToolFacts"),
    "connected": ("AsyncConnectedEnvironment", "ConnectedEnvironment", "connect", "connect_async"),
    "_to_gymnasium": ("to_gymnasium",),
}


# Hidden from type checkers, which else find any attribute.
if not TYPE_CHECKING:

    def __getattr__(name):
        """Loads the client on first use: an environment needs the standard library alone."""
        for home, names in _homes.items():
            if name in names:
                return getattr(importlib.import_module(f".{home}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "AsyncConnectedEnvironment",
    "ConnectedEnvironment",
    "Environment",
    "EnvironmentFacts",
    "GymnasiumEnvironment",
    "HostNotStartedError",
    "PettingZooEnvironment",
    "Seen",
    "Snapshot",
    "StepResult",
    "Task",
    "ToolFacts",
    "Turn",
    "connect",
    "connect_async",
    "environment",
    "from_gymnasium",
    "from_pettingzoo",
    "serve",
    "to_gymnasium",
]
