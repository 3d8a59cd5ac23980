"""Methods that the service plays in this process."""

import asyncio
import importlib.util
import json
import re
import subprocess
import sys
import threading
import time

import pytest

from espalier import ApiError, AsyncClient, Client, EspalierError, RunFailedError, start_service
from espalier._in_process import NotLocalError, method_here
from espalier.methods import method

MODULE = """
import asyncio
import threading

from espalier.environments import StepResult, Task, environment
from espalier.methods import method

played, threads = [], set()

def note(what):
    played.append(what)
    threads.add(threading.current_thread().name)

@method("walk", branches=True, answer="best")
def walk(scope, samples: int = 2, max_steps: int | None = None):
    \"\"\"Takes the best of some samples at each state.\"\"\"
    node = scope.root
    while not node.done and node.depth < (max_steps or scope.default_max_steps):
        proposals = {each.action: each for each in scope.propose(node, n=samples)}
        children = [scope.step(node, each) for each in proposals.values()]
        node = max(children, key=lambda child: child.progress or child.reward)
        note(node.action)

async def both_ways(scope, max_steps: int | None = None):
    looked = asyncio.gather(*(scope.effect(f"look/{at}", lambda at=at: at * 10) for at in range(3)))
    note(await looked)
    answer, proposals = await asyncio.gather(
        scope.ask("Hm?", key="hm", temperature=0.5, max_tokens=20), scope.propose(scope.root, key="first")
    )
    note([await scope.actions(scope.root), isinstance(answer[0].finish_reason, str)])
    await scope.step(scope.root, proposals[0])

@method("faulty", branches=False)
def faulty(scope, max_steps: int | None = None):
    \"\"\"Raises.\"\"\"
    raise ValueError("no way")

def lengthless(scope):
    pass

def lazy(scope, max_steps: int | None = None):
    \"\"\"Does nothing.\"\"\"

@method("wavering", branches=True)
def wavering(scope, max_steps: int | None = None):
    \"\"\"Ends at the root in about half of the episodes.\"\"\"
    if scope.random("wavers").random() < 0.5:
        scope.step(scope.root, scope.propose(scope.root)[0])

@environment("steps", rules="Say forward.", tasks=[Task("two"), Task("three")], default_max_steps=6)
def steps(task, seed):
    \"\"\"Counts steps.\"\"\"
    for at in range(4):
        note((yield f"At {at}."))
    yield StepResult("Done.", reward=1, done=True)
"""

SCRIPT = """
import os
import sys
import threading
sys.path.insert(0, sys.argv[1])
from espalier import Client
import walks
printed = threading.Event()
class Ending:
    append = lambda self, what: printed.wait() and os._exit(0)
walks.played = Ending()
run = Client(folder=sys.argv[2]).run("textcraft", walks.walk, "simulated", split="train", limit=2, max_parallel=1)
print(run.id, flush=True)
printed.set()
run.wait(progress=False)
"""

TASKS = {"split": "train", "limit": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("methods-in-process")
    service = start_service(place)
    yield place
    service.stop()


@pytest.fixture
def client(folder):
    with Client(folder=str(folder)) as made:
        yield made


def load(place, text=MODULE):
    (place / "walks.py").write_text(text)
    spec = importlib.util.spec_from_file_location("walks", place / "walks.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["walks"] = module
    spec.loader.exec_module(module)
    __import__("linecache").clearcache()
    return module


@pytest.fixture
def walks(tmp_path):
    yield load(tmp_path)
    del sys.modules["walks"]


def ended(client, method, **settings):
    return client.run("textcraft", method, "simulated", **{**TASKS, **settings}).wait(progress=False)


def test_a_function_is_played_in_this_process_and_the_run_says_that_it_is_not_portable(client, walks):
    run = ended(client, walks.walk)
    assert run.status == "succeeded" and walks.played
    assert threading.current_thread().name not in walks.threads
    assert run.data.request.method.id.startswith("walk-in-process-")
    assert "not portable" in run.data.resolved.module.file
    assert run.data.resolved.module.digest == run.data.request.method.id[-8:]


def test_it_plays_the_tree_of_the_same_function_in_a_file(client, walks):
    here, alone = ended(client, {"id": walks.walk, "samples": 3}), ended(client, {"id": walks.walk, "samples": 3})
    assert here.data.request.method.model_dump()["samples"] == 3
    trees = [[run.tree(each.id).data.nodes for each in run.episodes()] for run in (here, alone)]
    assert trees[0] == trees[1]


def test_an_async_function_without_a_decorator_has_the_whole_scope(client, walks):
    run = ended(client, walks.both_ways, limit=1)
    assert run.status == "succeeded" and run.data.request.method.id.startswith("both-ways-in-process-")
    assert walks.played == [[0, 10, 20], [None, True]]
    assert all(each.status != "errored" for each in run.episodes())


def test_a_function_plays_a_generator_of_the_same_process(client, walks):
    runs = [client.run(walks.steps, walks.walk, "simulated").wait(progress=False) for _ in range(2)]
    assert [run.report().success_rate.mean for run in runs] == [1, 1]
    assert len({(run.data.request.environment, run.data.request.method.id) for run in runs}) == 1


def test_an_event_loop_offers_it_too(client, walks, folder):
    async def play():
        async with AsyncClient(folder=str(folder)) as service:
            run = await service.run("textcraft", walks.walk, "simulated", split="train", limit=1)
            return await run.wait(progress=False)

    assert asyncio.run(play()).status == "succeeded" and walks.played


def test_an_edited_function_or_helper_is_another_method_without_a_restart(client, walks, tmp_path):
    first = ended(client, walks.walk, limit=1).data.request.method.id
    helper = load(tmp_path, MODULE.replace("played.append(what)", "played.append(f'edited {what}')"))
    second = ended(client, helper.walk, limit=1).data.request.method.id
    assert first != second and helper.played[0].startswith("edited ")
    assert ended(client, load(tmp_path).walk, limit=1).data.request.method.id == first


def test_an_exception_ends_its_episode_as_errored_with_the_line_and_is_no_reward(client, walks, capfd):
    run = client.run("textcraft", walks.faulty, "simulated", limit=1, max_retries=0)
    with pytest.raises(RunFailedError):
        run.wait(progress=False)
    [episode] = run.episodes()
    assert episode.status == "errored" and episode.result.reward is None
    assert "ValueError: no way (walks.py, line" in episode.result.error.message
    assert "raise ValueError" in capfd.readouterr().err


def test_a_function_without_a_bound_is_refused_with_the_way_out(client, walks):
    remedy = 'lengthless needs the parameter "max_steps: int | None = None": it bounds a trajectory'
    with pytest.raises(TypeError, match=re.escape(remedy)):
        ended(client, walks.lengthless)
    with pytest.raises(TypeError, match=re.escape(remedy)):
        method("lengthless", branches=True)(walks.lengthless)


async def test_an_episode_whose_answer_takes_no_action_gives_no_row_and_later_ones_do(client, walks, folder):
    run = ended(client, walks.wavering, limit=12)
    episodes = {each.id: each.result.path_length for each in run.episodes()}
    assert set(episodes.values()) == {0, 1} and all(each.result.reward is not None for each in run.episodes())
    rows = list(run.stream_rows())
    assert {row["episode"] for row in rows} == {id for id, length in episodes.items() if length == 1}
    assert sorted(run.to_iterable(), key=str) == sorted(rows, key=str)
    async with AsyncClient(folder=str(folder)) as service:
        assert [row async for row in (await service.get_run(run.id)).stream_rows()] == rows
    for id in (id for id, length in episodes.items() if length == 0):
        with pytest.raises(ApiError, match=f"The episode {id} answers without an action, so it has no trajectory"):
            run.trajectory(id)


async def test_a_dataset_without_rows_is_not_downloaded_and_says_why(client, walks, folder, tmp_path):
    run = ended(client, walks.lazy, limit=2)
    dataset = run.dataset("sft", "trl").wait(progress=False)
    async with AsyncClient(folder=str(folder)) as service:
        same = await service.get_dataset(dataset.id)
        with pytest.raises(EspalierError, match="was not downloaded. There are no rows. 2 episodes: the task was not"):
            await same.download(tmp_path / "rows", progress=False)
    for write in (dataset.download, dataset.to_hf):
        with pytest.raises(EspalierError, match="was not downloaded. There are no rows. 2 episodes: the task was not"):
            write(tmp_path / "rows", progress=False)
    assert not (tmp_path / "rows").exists()


def test_a_run_pauses_while_its_process_is_gone_and_goes_on_in_the_next(client, folder, walks, tmp_path):
    words = [sys.executable, "-c", SCRIPT, str(tmp_path), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    run = client.get_run(done.stdout.split()[0])
    while run.refresh().status not in ("paused", "failed", "succeeded"):
        time.sleep(0.2)
    assert run.status == "paused" and "is gone" in run.data.status_reason
    assert run.data.episodes.errored == run.data.episodes.failed == 0
    assert method_here(walks.walk, client.address, str(folder)) == run.data.request.method.id
    assert run.resume().wait(progress=False).status == "succeeded"
    assert walks.played and all(each.status != "errored" for each in run.episodes())


def test_a_service_elsewhere_is_refused(walks):
    with pytest.raises(NotLocalError, match="does not hold the folder"):
        method_here(walks.walk, "https://espalier.example.com", None)
    chosen = {"id": "mcts", "iterations": 2}
    assert method_here(chosen, "https://espalier.example.com", None) == chosen
    assert method_here("react", "https://espalier.example.com", None) == "react"


def test_only_its_owner_reads_the_token(client, walks, folder):
    name = method_here(walks.walk, client.address, str(folder))
    path = folder / "in-process" / "methods" / f"{name}.json"
    assert path.stat().st_mode & 0o777 == 0o600 and len(json.loads(path.read_text())["token"]) > 32
