"""Environments that the service plays in this process."""

import importlib.util
import json
import queue
import re
import socket
import subprocess
import sys
import time

import pytest

from espalier import Client, start_service
from espalier._bundled_service import service_environment
from espalier._in_process import NotLocalError, play_here
from espalier.environments import Environment
from espalier.methods import method
from espalier.service import find_command

MODULE = """
from espalier.environments import Environment, StepResult, Task

played = []

class Walk(Environment):
    id = "walk"
    rules = "Say forward."
    default_max_steps = 6

    @classmethod
    def tasks(cls):
        return [Task(f"task-{at}", options=at) for at in range(3)]

    def reset(self, task, seed):
        self.at, self.task = 0, task
        return "At 0."

    def step(self, action):
        played.append((self.task.id, action))
        if self.task.id == FAULTY:
            raise ValueError("no way")
        self.at += 1
        return StepResult(f"At {self.at}.", reward=float(self.at == 3), done=self.at == 3)

    def actions(self):
        return ["forward"]

FAULTY = None
"""

METHOD = """
from espalier.methods import method

@method("walk-on", branches=False)
def walk_on(scope, max_steps: int | None = None):
    \"\"\"Takes the first action.\"\"\"
    node = scope.root
    while not node.done and node.depth < (max_steps or scope.default_max_steps):
        node = scope.step(node, scope.propose(node)[0])
"""

GRID = """
from espalier.environments import Environment, StepResult, Task

OFFER = " Possible actions: east, south"

class Grid(Environment):
    id = "grid"
    rules = "Walk from corner to corner."
    default_max_steps = 12
    taken = 0

    @classmethod
    def tasks(cls):
        return [Task(f"size-{size}", options=size) for size in (3, 4, 5)]

    def reset(self, task, seed):
        self.size, self.at, self.seen = task.options, [0, 0], []
        return f"At 0, 0.{OFFER}"

    def step(self, action):
        type(self).taken += 1
        along = {"east": 0, "south": 1}.get(action)
        if along is None or self.at[along] == self.size - 1:
            return StepResult(f"No way {action} of {self.at}.{OFFER}", valid=False, progress=sum(self.at) / 10)
        self.at[along] += 1
        self.seen.append(action)
        done = self.at == [self.size - 1] * 2
        return StepResult(f"At {self.at} after {self.seen}.{OFFER}", float(done), done, progress=sum(self.at) / 10)

    def actions(self):
        return ["east", "south"]

class Saved(Grid):
    id = "saved"

    def save(self):
        return self.size, self.at, self.seen

    def load(self, state):
        self.size, self.at, self.seen = state

class Copied(Grid):
    id = "copied"
    copies = True

class Forgetful(Saved):
    id = "forgetful"
    kept_states = 1

class Silent(Saved):
    id = "silent"
    actions = Environment.actions
"""

SCRIPT = """
import os, sys, threading
sys.path.insert(0, sys.argv[1])
from espalier import Client
import walk
printed = threading.Event()
def step(self, action):
    printed.wait()
    os._exit(0)
walk.Walk.step = step
client = Client(folder=sys.argv[2])
run = client.run(walk.Walk, "react", "simulated", max_parallel=1)
print(run.id, flush=True)
printed.set()
run.wait(progress=False)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("in-process")
    service = start_service(place)
    yield place
    service.stop()


@pytest.fixture
def client(folder):
    with Client(folder=str(folder)) as made:
        yield made


def load(place, name, text):
    (place / f"{name}.py").write_text(text)
    spec = importlib.util.spec_from_file_location(name, place / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def walk(tmp_path):
    yield load(tmp_path, "walk", MODULE)
    del sys.modules["walk"]


@pytest.fixture
def grids(tmp_path):
    yield load(tmp_path, "grids", GRID)
    del sys.modules["grids"]


def searched(client, environment):
    """What a search saw after each sequence of actions of each task, and the environment steps that it took."""
    method = {"id": "mcts", "iterations": 8, "samples": 3}
    run = client.run(environment, method, "simulated", max_retries=0).wait(progress=False)
    seen = {}
    for episode in run.episodes():
        tree = run.tree(episode.id)
        for at, node in enumerate(tree.nodes[1:], 1):
            seen[episode.task, *tree.actions_to(at)] = node.observation, node.reward
    return seen, environment.taken


@pytest.mark.parametrize("method", ["react", {"id": "mcts", "iterations": 2, "samples": 2}])
def test_a_class_is_played_in_this_process_and_the_run_says_that_it_is_not_portable(client, walk, method):
    run = client.run(environment=walk.Walk, method=method, model="simulated").wait(progress=False)
    assert run.status == "succeeded" and run.report().success_rate.mean == 1
    assert len(walk.played) >= 9 and {task for task, _ in walk.played} == {"task-0", "task-1", "task-2"}
    assert "not portable" in run.data.provenance.about
    assert run.data.request.environment.startswith("walk-in-process-")


def test_an_edited_class_is_another_environment_without_a_restart(client, walk, tmp_path):
    first = client.run(walk.Walk, "react", "simulated", limit=1).wait(progress=False)
    edited = load(tmp_path, "walk", MODULE.replace("self.at == 3", "self.at == 2"))
    __import__("linecache").clearcache()
    second = client.run(edited.Walk, "react", "simulated", limit=1).wait(progress=False)
    assert first.data.request.environment != second.data.request.environment
    assert (len(walk.played), len(edited.played)) == (3, 2)


def test_an_exception_ends_its_episode_as_errored_with_the_line_and_is_no_reward(client, walk):
    walk.FAULTY = "task-1"
    run = client.run(walk.Walk, "react", "simulated", max_retries=0).wait(progress=False)
    episodes = {each.task: each for each in run.episodes()}
    assert [episodes[f"task-{at}"].status for at in range(3)] == ["succeeded", "errored", "succeeded"]
    result = episodes["task-1"].result
    assert result.reward is None and "ValueError: no way (walk.py, line" in result.error.message


def test_a_run_pauses_while_its_process_is_gone_and_goes_on_in_the_next(client, folder, walk, tmp_path):
    words = [sys.executable, "-c", SCRIPT, str(tmp_path), str(folder)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120)
    run = client.get_run(ended.stdout.split()[0])
    while run.refresh().status not in ("paused", "failed", "succeeded"):
        time.sleep(0.2)
    assert run.status == "paused" and "is gone" in run.data.status_reason
    assert run.data.episodes.errored == run.data.episodes.failed == 0
    assert client.run(walk.Walk, "react", "simulated", limit=1).wait(progress=False).status == "succeeded"
    run.resume()
    assert run.wait(progress=False).status == "succeeded" and run.report().success_rate.mean == 1


def test_a_stranger_without_the_token_gets_no_answer(client, folder, walk):
    name = play_here(walk.Walk, client.address, str(folder))
    path = folder / "in-process" / f"{name}.json"
    assert path.stat().st_mode & 0o777 == 0o600
    port = json.loads(path.read_text())["port"]
    for greeting in ({"token": "guessed"}, {"op": "describe", "id": 1}, []):
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(json.dumps(greeting).encode() + b"\n" + b'{"id": 1, "op": "describe"}\n')
            try:
                assert stranger.recv(100) == b""
            except ConnectionResetError:
                pass


def test_sessions_end_with_the_connection_of_their_worker(client, folder, walk):
    closed = queue.Queue()

    class Closing(walk.Walk):
        id = "closing"

        def close(self):
            closed.put(self.task.id)
            raise RuntimeError("it does not close")

    name = play_here(Closing, client.address, str(folder))
    offered = json.loads((folder / "in-process" / f"{name}.json").read_text())
    with socket.create_connection(("127.0.0.1", offered["port"])) as worker, worker.makefile("rwb") as lines:
        said = [{"token": offered["token"]}]
        said += [{"id": at, "op": "reset", "session": f"{at}", "task": f"task-{at}", "seed": 0} for at in range(3)]
        lines.write(b"".join(json.dumps(each).encode() + b"\n" for each in said))
        lines.flush()
        assert [json.loads(lines.readline())["id"] for _ in range(4)] == [0, 0, 1, 2]
        assert closed.empty()
    assert sorted(closed.get(timeout=60) for _ in range(3)) == ["task-0", "task-1", "task-2"]


def test_a_service_elsewhere_is_refused(walk):
    with pytest.raises(NotLocalError, match="does not hold the folder"):
        play_here(walk.Walk, "https://espalier.example.com", None)
    assert play_here("textcraft", "https://espalier.example.com", None) == "textcraft"


def test_the_way_out_for_a_service_elsewhere_plays_the_code_by_its_id(tmp_path):
    (tmp_path / "env.py").write_text(MODULE)
    (tmp_path / "greedy.py").write_text(METHOD)
    place = str(tmp_path / "folder")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/methods.json").write_text(json.dumps({"methods": {"walk-on": {"file": "../greedy.py"}}}))
    with Client(folder=place) as client:
        with pytest.raises(NotLocalError) as refused:
            play_here(Environment, client.address, str(tmp_path))
        command = re.search(r"'espalier (run --environment ./env.py --folder) FOLDER …'", str(refused.value))[1]
        words = [*find_command(), *command.split(), place, "--method", "react", "--model", "simulated"]
        subprocess.run(words, cwd=tmp_path, env=service_environment(), check=True, capture_output=True)
        run = client.run("walk", "walk-on", "simulated").wait(progress=False)
        assert all(each.status != "errored" for each in run.episodes())


@pytest.mark.parametrize("kind", ["Saved", "Copied"])
def test_a_node_costs_one_step_if_the_class_keeps_states(client, grids, kind):
    seen, taken = searched(client, getattr(grids, kind))
    assert len(seen) > 40 and taken == len(seen)
    replayed, steps = searched(client, grids.Grid)
    assert replayed == seen and steps > 1.2 * len(seen)
    print(f"{taken / len(seen):.2f} steps a node, and {steps / len(seen):.2f} without states")


def test_dropped_states_are_reached_by_their_steps(client, grids):
    seen, taken = searched(client, grids.Forgetful)
    assert seen == searched(client, grids.Saved)[0] and taken > len(seen)


def test_actions_are_unknown_unless_the_class_lists_them(client, grids):
    known = []

    @method("asking", branches=False)
    def asking(scope, max_steps: int | None = None):
        known.append(scope.actions(scope.root))

    for environment in (grids.Saved, grids.Silent):
        client.run(environment, asking, "simulated", limit=1).wait(progress=False)
    assert known == [["east", "south"], None]
