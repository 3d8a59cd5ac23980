"""Serves OpenEnv environments by OpenEnv's own server: a grid to walk on, or tools alone.

python openenv_servers.py grid|tools PORT
"""
import random
import sys
from enum import Enum

import uvicorn
from fastmcp import FastMCP
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Action, Observation, State

SIDE = 4


class Move(str, Enum):
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


class GridAction(Action):
    move: Move


class GridObservation(Observation):
    at: list[int]
    goal: list[int]
    note: str | None = None


STEPS = {Move.UP: (-1, 0), Move.DOWN: (1, 0), Move.LEFT: (0, -1), Move.RIGHT: (0, 1)}


class Grid(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State()
        self.at, self.goal = [0, 0], [0, 0]

    def reset(self, seed=None, episode_id=None, **_):
        self._state = State(episode_id=episode_id, step_count=0)
        self.at = [0, 0]
        self.goal = [random.Random(seed).randrange(1, SIDE), random.Random(seed).randrange(1, SIDE)]
        return self.show()

    def step(self, action, timeout_s=None, **_):
        self._state.step_count += 1
        at = [here + by for here, by in zip(self.at, STEPS[action.move])]
        inside = all(0 <= place < SIDE for place in at)
        self.at = at if inside else self.at
        done = self.at == self.goal
        return self.show(reward=1.0 if done else -0.01, done=done, note=None if inside else "There is a wall.")

    def show(self, **said):
        return GridObservation(at=self.at, goal=self.goal, **said)

    @property
    def state(self):
        return self._state


class Tools(MCPEnvironment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        server = FastMCP("tools")

        @server.tool
        def echo_message(message: str) -> str:
            """Says a message again."""
            return message

        @server.tool
        def add(one: int, other: int) -> int:
            """Adds two numbers."""
            return one + other

        super().__init__(server)
        self._state = State()

    def reset(self, seed=None, episode_id=None, **_):
        self._state = State(episode_id=episode_id, step_count=0)
        return Observation(metadata={"message": "ready"})

    def _step_impl(self, action, timeout_s=None, **_):
        return Observation(metadata={"error": "There are tools alone here."})

    @property
    def state(self):
        return self._state


kind, port = sys.argv[1], int(sys.argv[2])
shapes = {"grid": (Grid, GridAction, GridObservation), "tools": (Tools, CallToolAction, CallToolObservation)}
uvicorn.run(create_fastapi_app(*shapes[kind], max_concurrent_envs=4), host="127.0.0.1", port=port, log_level="warning")
