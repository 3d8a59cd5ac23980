"""Plays ScienceWorld for a host: one JSON object a line on the input, one answer a line on the output.

One process holds one session: two in one Java machine share state, and then differ from run to run.
"""
import json
import os
import sys

# Objects hash alike, so that sets are walked through in the order in which they were filled: with Java's own hashes, which
# are random, the doors of a room are listed in another order each time, and the same actions come to other ends.
ALIKE = "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2"
SMALL = "-Xmx160m -XX:+UseSerialGC"
os.environ["JDK_JAVA_OPTIONS"] = f"{ALIKE} {SMALL} {os.environ.get('ESPALIER_JAVA_OPTIONS', '')}"

from scienceworld import ScienceWorldEnv  # noqa: E402  (it reads the options above)

from nearest_action import nearest_action  # noqa: E402

NOT_UNDERSTOOD = "No known action matches that input."
LONGEST_ACTION = 1000
NO_LIMIT = 10**9


class Session:
    """One task, from its start to its end.

    Steps are those of the package, which lists the possible actions after each: that gives things their names, such as "bee 1",
    so what is not listed is not understood later.
    """

    def __init__(self, environment, request):
        name, _, variation = request["task"].rpartition("/")
        known = name in environment.get_task_names() and variation.isdecimal()
        if not known or int(variation) >= environment.get_max_variations(name):
            raise UnknownTask(f"ScienceWorld has no task {request['task']}.")
        self.environment = environment
        self.best = 0
        options = request["options"]
        # What a host of an older version does not send is as it was then.
        self.keeps_best = options.get("scoring", "final") == "best"
        self.takes_nearest = options.get("actions", "exact") == "nearest"
        environment.load(name, int(variation), options["simplifications"])
        # What reset() does as well, without building the same world a second time.
        look, _, _, info = environment.step("look around")
        self.info = info
        self.possible = info["valid"]
        self.start = f"{environment.get_task_description()}\n{look}"

    def step(self, action):
        # What Java cannot read, and what is longer than any action, is not understood either way.
        action = action[:LONGEST_ACTION].encode("utf-8", "replace").decode("utf-8")
        if self.takes_nearest:
            action = nearest_action(action, self.possible, self.info["look"], self.info["inv"])
        observation, _, done, info = self.environment.step(action)
        self.info = info
        self.possible = info["valid"]
        score = info["score"]
        self.best = max(self.best, score)
        has_failed = score < 0 and not self.keeps_best
        return {
            "observation": observation,
            "score": score,
            "reward": -1 if has_failed else self.best / 100,
            "progress": self.best / 100,
            "done": bool(done),
            "valid": observation != NOT_UNDERSTOOD,
        }

    def actions(self):
        return sorted(set(self.possible))

    def inspect(self, what):
        """Details of the simulator's state. Reading one takes no move."""
        game = self.environment
        details = {
            "figures": lambda: {"score": game.lastStepScore, "moves": game.get_num_moves()},
            "look": game.look,
            "inventory": game.inventory,
            "task": game.get_task_description,
            "goals": game.get_goal_progress,
            "possible_actions": game.get_possible_actions,
            "possible_objects": game.get_possible_objects,
            "valid_actions": game.get_valid_action_object_combinations,
            "gold_actions": game.get_gold_action_sequence,
            "object_tree": game.getObjectTree,
        }
        return details[what]() if what in details else None


class UnknownTask(Exception):
    pass


def main():
    # What a library prints must not end up among the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    # How long an episode may get is for its run to say.
    environment = ScienceWorldEnv("", envStepLimit=NO_LIMIT)
    session = None
    for line in sys.stdin:
        request = json.loads(line)
        operation = request["op"]
        answer = {}
        try:
            if operation == "describe":
                answer = {"sessions": 1, "actions": True, "inspects": True}
            elif operation == "reset":
                session = Session(environment, request)
                answer = {"observation": session.start}
            elif operation == "step":
                answer = session.step(request["action"])
            elif operation == "actions":
                answer = {"actions": session.actions()}
            elif operation == "inspect":
                answer = {"found": session.inspect(request["what"])}
            elif operation == "close":
                session = None
        except UnknownTask as error:
            answer = {"error": str(error), "code": "unknown_task"}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **answer}), file=answers, flush=True)
    environment.close()


if __name__ == "__main__":
    main()
