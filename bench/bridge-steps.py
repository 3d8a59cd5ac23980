"""Offers a grid world over the bridge to the measurement that started this program, and plays it here."""

import json
import sys
import time
from pathlib import Path

from espalier._in_process import _EnvironmentBridge
from espalier.environments import Environment, StepResult, Task


class Grid(Environment):
    id = "grid"
    rules = "Walk."

    @classmethod
    def tasks(cls):
        return [Task("only")]

    def reset(self, task, seed):
        self.at, self.seen = [0, 0], 0
        return "At 0, 0."

    def step(self, action):
        self.at[action == "south"] += 1
        self.seen += 1
        return StepResult(f"At {self.at} after {self.seen} steps.", progress=0.5)


class Saved(Grid):
    id = "saved"

    def save(self):
        return self.at, self.seen

    def load(self, state):
        self.at, self.seen = state


def steps_here(seconds):
    """Steps a second of the class alone, in episodes of 50."""
    taken, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        session = Grid()
        session.reset(Grid.tasks()[0], 0)
        for at in range(50):
            session.step("east" if at % 2 else "south")
        taken += 50
    return taken / (time.perf_counter() - start)


bridges = []
for served in (Grid, Saved):
    bridge = _EnvironmentBridge()
    bridge.take(served)
    bridge.offer(Path(sys.argv[1]) / "in-process" / f"{served.id}.json", facts=served.facts())
    bridges.append(bridge)
print(json.dumps({"steps": steps_here(float(sys.argv[2]))}), flush=True)
sys.stdin.read()
