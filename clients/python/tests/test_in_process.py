"""Environments that the service plays in this process."""

import importlib.util
import json
import socket
import subprocess
import sys
import time

import pytest

from espalier import Client, start_service
from espalier._in_process import NotLocalError, play_here

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

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from espalier import Client
import walk
walk.Walk.step = lambda self, action: __import__("os")._exit(0)
client = Client(folder=sys.argv[2])
run = client.run(walk.Walk, "react", "simulated", max_parallel=1)
print(run.id, flush=True)
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


@pytest.fixture
def walk(tmp_path):
    (tmp_path / "walk.py").write_text(MODULE)
    spec = importlib.util.spec_from_file_location("walk", tmp_path / "walk.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["walk"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["walk"]


@pytest.mark.parametrize("method", ["react", {"id": "mcts", "iterations": 2, "samples": 2}])
def test_a_class_is_played_in_this_process_and_the_run_says_that_it_is_not_portable(client, walk, method):
    run = client.run(environment=walk.Walk, method=method, model="simulated").wait(progress=False)
    assert run.status == "succeeded" and run.report().success_rate.mean == 1
    assert len(walk.played) >= 9 and {task for task, _ in walk.played} == {"task-0", "task-1", "task-2"}
    assert "not portable" in run.data.provenance.about
    assert run.data.request.environment.startswith("walk-in-process-")


def test_an_edited_class_is_another_environment_without_a_restart(client, walk, tmp_path):
    first = client.run(walk.Walk, "react", "simulated", limit=1).wait(progress=False)
    (tmp_path / "walk.py").write_text(MODULE.replace("self.at == 3", "self.at == 2"))
    spec = importlib.util.spec_from_file_location("walk", tmp_path / "walk.py")
    edited = importlib.util.module_from_spec(spec)
    sys.modules["walk"] = edited
    spec.loader.exec_module(edited)
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


def test_a_service_elsewhere_is_refused(walk):
    with pytest.raises(NotLocalError, match="does not hold the folder"):
        play_here(walk.Walk, "https://espalier.example.com", None)
    assert play_here("textcraft", "https://espalier.example.com", None) == "textcraft"
