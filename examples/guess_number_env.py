"""Guess a number from 1 to 100: an environment of the Python package, played by `espalier run --environment ./guess_number_env.py`."""

import re

from espalier.environments import Environment, StepResult, Task


class GuessNumber(Environment):
    id = "guess-number-class"
    description = "Guess a number from 1 to 100 by being told higher or lower."
    rules = """You guess a whole number from 1 to 100 and are told whether the hidden one is higher or lower.
The only action is: guess NUMBER"""
    default_max_steps = 10

    @classmethod
    def tasks(cls):
        return [Task(f"guess-{n}", split="train" if n < 15 else "test", options=n) for n in range(20)]

    def reset(self, task, seed):
        self.secret = (task.options * 37 + seed * 11) % 100 + 1
        self.nearest = 100
        return "I think of a number from 1 to 100."

    def step(self, action):
        match = re.fullmatch(r"guess (\d{1,3})", action.strip())
        guess = int(match[1]) if match else 0
        if not 1 <= guess <= 100:
            return StepResult("Write: guess NUMBER", valid=False, progress=1 - self.nearest / 100)
        self.nearest = min(self.nearest, abs(guess - self.secret))
        done = guess == self.secret
        hint = "Right!" if done else "Higher." if guess < self.secret else "Lower."
        return StepResult(hint, reward=float(done), done=done, progress=1 - self.nearest / 100)
