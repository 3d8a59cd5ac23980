"""Plays ALFWorld's games on TextWorld for a host: one JSON object a line on the input, one answer a line on the output.

One process holds one session: the planner library that TextWorld plays on keeps its state for a whole process.
"""
import functools
import json
import os
import sys
import tempfile

# ALFWorld makes this folder when it is imported; games come with their sessions, and nothing is kept there.
os.environ.setdefault("ALFWORLD_DATA", tempfile.gettempdir())

import fast_downward  # noqa: E402
import textworld  # noqa: E402
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler  # noqa: E402
from textworld.envs import PddlEnv  # noqa: E402

GAME = "game.tw-pddl"
INFOS = textworld.EnvInfos(won=True, admissible_commands=True)

translate = fast_downward.pddl2sas


@functools.lru_cache(maxsize=1)
def translate_once(domain, problem):
    return translate(domain, problem)


# TextWorld translates a game when it is loaded and at each reset, and each time twice: as it is, and with its unreachable
# parts left out for a planner that nothing here asks. The first translation serves them all, which take seconds each.
fast_downward.pddl2sas = lambda domain, problem, verbose=False, optimize=False: translate_once(domain, problem)


class Session:
    """One game, from its start."""

    def __init__(self, request):
        files = request.get("files") or {}
        games = [text for path, text in files.items() if path.rpartition("/")[2] == GAME]
        if len(games) != 1:
            raise BadRequest(f"The files of a task must be one {GAME}; {len(games)} of those came.")
        try:
            game = json.loads(games[0])
        except ValueError as error:
            raise BadRequest(f"The {GAME} is no JSON: {error}") from error
        self.environment = AlfredDemangler(PddlEnv(INFOS), shuffle=False)
        self.environment.load(game)
        self.state = self.environment.reset()
        # The banner of TextWorld comes before the first blank line.
        self.start = self.state.feedback.partition("\n\n")[2] or self.state.feedback

    def step(self, action):
        valid = action.strip() in self.state["admissible_commands"]
        self.state, score, done = self.environment.step(action)
        return {
            "observation": self.state.feedback,
            "reward": float(self.state["won"]),
            "done": bool(done),
            "valid": valid,
        }

    def actions(self):
        return list(self.state["admissible_commands"])


class BadRequest(Exception):
    pass


def main():
    # What a library prints must not end up among the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    session = None
    for line in sys.stdin:
        request = json.loads(line)
        operation = request["op"]
        answer = {}
        try:
            if operation == "describe":
                answer = {"sessions": 1, "actions": True}
            elif operation == "reset":
                session = Session(request)
                answer = {"observation": session.start}
            elif operation == "step":
                answer = session.step(request["action"])
            elif operation == "actions":
                answer = {"actions": session.actions()}
            elif operation == "close":
                session = None
        except BadRequest as error:
            answer = {"error": str(error), "code": "invalid_request"}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **answer}), file=answers, flush=True)


if __name__ == "__main__":
    main()
