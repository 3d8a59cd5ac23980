"""Guess a number from 1 to 100: a whole environment for Espalier's host, which starts this program."""
import json
import re
import sys

TASKS = [{"id": f"guess-{n}", "split": "train" if n < 15 else "test"} for n in range(20)]
RULES = """You guess a whole number from 1 to 100 and are told whether the hidden one is higher or lower.
The only action is: guess NUMBER"""


class Game:
    def __init__(self, task, seed):
        index = next(n for n, known in enumerate(TASKS) if known["id"] == task)
        self.secret = (index * 37 + seed * 11) % 100 + 1
        self.nearest = 100

    def step(self, action):
        match = re.fullmatch(r"guess (\d{1,3})", action.strip())
        guess = int(match[1]) if match else 0
        if not 1 <= guess <= 100:
            return {"observation": "Write: guess NUMBER", "valid": False, "progress": 1 - self.nearest / 100}
        self.nearest = min(self.nearest, abs(guess - self.secret))
        done = guess == self.secret
        hint = "Right!" if done else "Higher." if guess < self.secret else "Lower."
        return {"observation": hint, "reward": int(done), "done": done, "progress": 1 - self.nearest / 100}


def answer(request, games):
    if request["op"] == "describe":
        return {
            "environment": "guess-number-py",
            "description": "Guess a number from 1 to 100 by being told higher or lower.",
            "default_max_steps": 10,
            "sessions": 1000,
            "rules": RULES,
            "tasks": TASKS,
        }
    if request["op"] == "reset":
        if not any(known["id"] == request["task"] for known in TASKS):
            return {"error": f"There is no task {request['task']}.", "code": "unknown_task"}
        games[request["session"]] = Game(request["task"], request["seed"])
        return {"observation": "I think of a number from 1 to 100."}
    if request["op"] == "step":
        return games[request["session"]].step(request["action"])
    games.pop(request["session"], None)  # close
    return {}


def main():
    games = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request, games)
        except Exception as error:
            reply = {"error": repr(error)}
        print(json.dumps({"id": request["id"], **reply}), flush=True)


main()
