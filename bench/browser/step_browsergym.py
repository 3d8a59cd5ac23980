"""Steps on a page of MiniWoB++ in BrowserGym, for `npm run bench -- browser`.

It prints a line when its page is open, begins at a line of its input, prints what it counted, and ends with its input.
"""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "containers/browsergym"))

import browsergym.miniwob  # noqa: E402, F401
import gymnasium  # noqa: E402
from browsergym.utils.obs import flatten_axtree_to_str  # noqa: E402

from play_browsergym import Chromium, action_set, answers  # noqa: E402

settings = json.loads(sys.argv[1])
Chromium(settings["chromium"])
waits = {} if settings["waits"] else {"slow_mo": 0, "pre_observation_delay": 0}
gym = gymnasium.make(
    f"browsergym/miniwob.{settings['page']}",
    task_kwargs={"base_url": settings["pages"]},
    action_mapping=action_set(["miniwob_all"]).to_python_code,
    disable_env_checker=True,
    **waits,
).unwrapped


def say(what):
    answers.write(json.dumps(what) + "\n")
    answers.flush()


opening = time.perf_counter()
gym.reset(seed=1)
say({"opened": time.perf_counter() - opening})
sys.stdin.readline()
begun = time.perf_counter()
steps = 0
while time.perf_counter() - begun < settings["seconds"]:
    observation, _, done, _, _ = gym.step("keyboard_press('Tab')")
    flatten_axtree_to_str(observation["axtree_object"])
    if done or observation["last_action_error"]:
        raise RuntimeError(f"The step failed: {observation['last_action_error']}")
    steps += 1
say({"steps": steps, "elapsed": time.perf_counter() - begun})
sys.stdin.read()
gym.close()
