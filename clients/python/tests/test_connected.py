"""Environments that a script plays itself, over a host that it starts."""

import asyncio
import io
import json
import multiprocessing
import subprocess

import gymnasium
import pytest

from espalier import ApiError
from espalier.environments import _host, connect, connect_async, from_pettingzoo, serve, to_gymnasium

FILE = """
from espalier.environments import StepResult, Task, environment

@environment("echo-file", rules="Say: done", tasks=[Task("only")])
def echo(task, seed):
    action = yield "Say something."
    while action != "done":
        action = yield f"You said {action}."
    yield StepResult("Well done.", reward=1, done=True)
"""


@pytest.fixture
def env():
    with connect("textcraft") as connected:
        yield connected


def test_a_session_steps_forks_goes_back_and_ends(env):
    task = next(env.tasks("test"))
    start = env.reset(task.id)
    assert task.split == "test" and start.steps == 0 and not start.done
    assert env.rules and env.facts.snapshot == "native"
    kept = env.snapshot()
    step = env.step("inventory")
    assert step.valid and step.steps == 1
    other = env.fork()
    assert other.step("nonsense").valid is False and other.step("inventory").steps == 3
    assert env.restore(kept).observation == start.observation
    assert env.step("inventory") == step
    assert env.restore().steps == 0
    other.close()
    env.close()
    with pytest.raises(RuntimeError, match="reset"):
        env.step("inventory")
    assert env.reset(task.id, seed=1).steps == 0


def test_a_tool_call_is_its_action_text(env):
    task = next(env.tasks())
    env.reset(task.id)
    names = [tool["name"] for tool in env.tools]
    assert "inventory" in names and "get" in names
    called = env.call("get", count=1, item="oak log")
    env.reset(task.id)
    assert env.step("get 1 oak log") == called
    env.reset("textcraft-0054")
    env.call("get", count=4, item="honeycomb")
    using = [{"count": 4, "item": "honeycomb"}]
    assert env.call("craft", count=1, item="honeycomb block", using=using).reward == 1
    with pytest.raises(ValueError, match="There is no tool fly"):
        env.call("fly")
    with pytest.raises(ValueError, match="missing"):
        env.call("get", item="oak log")


def test_what_cannot_be_done_is_an_error_with_its_code(env):
    with pytest.raises(ApiError) as unknown:
        connect("no-such-thing")
    assert unknown.value.code == "unknown_environment"
    with pytest.raises(ApiError) as missing:
        env.reset("no-such-task")
    assert missing.value.code == "unknown_task"


def test_sessions_are_played_side_by_side_with_an_event_loop(env):
    tasks = [task.id for _, task in zip(range(4), env.tasks(), strict=False)]

    async def play(task):
        async with await connect_async("textcraft") as session:
            await session.reset(task)
            fork = await session.fork()
            seen = await asyncio.gather(session.step("inventory"), fork.step("inventory"))
            await fork.close()
            return seen

    async def play_all():
        return await asyncio.gather(*(play(task) for task in tasks))

    assert all(one == other and one.steps == 1 for one, other in asyncio.run(play_all()))


def test_the_environment_of_a_file_is_played_too(tmp_path, monkeypatch):
    monkeypatch.setenv("ESPALIER_PYTHON", __import__("sys").executable)
    file = tmp_path / "echo.py"
    file.write_text(FILE)
    with connect(str(file)) as env:
        assert env.reset("only").observation == "Say something."
        assert env.step("hello").observation == "You said hello."
        assert env.actions() is None
        with pytest.raises(ApiError) as refused:
            env.snapshot()
        assert refused.value.code == "not_supported"
        assert env.step("done").reward == 1


def test_a_host_that_has_ended_is_started_anew(monkeypatch):
    started = []

    class Recorded(subprocess.Popen):
        def __init__(self, *words, **options):
            super().__init__(*words, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    monkeypatch.setattr(_host, "_hosts", {})
    for count in (1, 2):
        with connect("textcraft") as env:
            assert env.reset("textcraft-0042").observation
        assert len(started) == count
        started[-1].stdin.close()
        assert started[-1].wait(60) == 0


def test_a_fork_uses_the_host_of_the_process_that_started_it(monkeypatch):
    monkeypatch.setattr(_host, "_hosts", {})
    address = _host.host_address()
    pool = multiprocessing.get_context("fork").Pool(1)
    with pool:
        assert pool.apply_async(_host.host_address).get(60) == address


def test_gymnasium_earns_the_reward_of_the_episode_in_shares(tmp_path):
    file = tmp_path / "parts.py"
    file.write_text(
        FILE.replace("echo-file", "parts").replace('yield f"You said {action}."', 'yield StepResult("On.", reward=0.25)')
    )
    env = to_gymnasium(connect(str(file)), max_steps=3)
    assert isinstance(env, gymnasium.Env)
    observation, info = env.reset(seed=4)
    assert env.observation_space.contains(observation) and info["task"] == "only"
    assert [env.step(action)[1] for action in ("a", "b", "done")] == [0.25, 0.0, 0.75]
    env.reset(options={"task": "only"})
    ends = [env.step("a")[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env.close()


def test_gymnasium_draws_tasks_by_the_seed():
    env = to_gymnasium("textcraft", split="test")
    drawn = [env.reset(seed=seed)[1]["task"] for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2]
    env.close()


def nim():
    """Take one or two of seven; who takes the last wins. Of the real library, without pictures."""
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
    from pettingzoo import AECEnv

    class Nim(AECEnv):
        metadata = {"name": "nim"}
        possible_agents = ["first", "second"]

        def observation_space(self, agent):
            return Dict({"observation": Box(0, 7, (1,), int), "action_mask": MultiBinary(2)})

        def action_space(self, agent):
            return Discrete(2)

        def reset(self, seed=None, options=None):
            self.agents = list(self.possible_agents)
            self.left = 7
            self.agent_selection = "first"
            self.rewards = dict.fromkeys(self.agents, 0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos = {agent: {} for agent in self.agents}

        def observe(self, agent):
            return {"observation": [self.left], "action_mask": [self.left > 0, self.left > 1]}

        def step(self, action):
            agent = self.agent_selection
            if self.terminations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0
            self.left -= action + 1
            other = "second" if agent == "first" else "first"
            self._clear_rewards()
            if self.left == 0:
                self.rewards = {agent: 1, other: -1}
                self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = other
            self._accumulate_rewards()

        def close(self):
            pass

    return Nim()


def test_a_seat_of_pettingzoo_is_played_against_others_and_earns_its_own_reward():
    pytest.importorskip("pettingzoo")
    facts = {"action_names": ["one", "two"], "describe": lambda seen: f"{seen['observation'][0]} left"}
    won, lost = ["one", "two", "two"], ["one", "one", "one"]
    games = [
        ("first", "7 left", won, None, [0, 0, 1]),
        ("second", "6 left", lost, None, [0, 0, 0]),
        ("first", "7 left", won, (-1, 3), [0, 0, 0.5]),
        ("second", "6 left", lost, (-1, 3), [0, 0, 0]),
    ]
    for seat, start, actions, bounds, rewards in games:
        named = {**facts, "seat": seat, "reward_range": bounds}
        game = from_pettingzoo(nim, id="nim", rules="Take.", others=lambda turn: turn.actions[0], **named)
        requests = [
            {"op": "reset", "session": "a", "task": "test-1000", "seed": 0},
            {"op": "step", "session": "a", "action": "three"},
            {"op": "actions", "session": "a"},
            *({"op": "step", "session": "a", "action": action} for action in actions),
        ]
        target = io.StringIO()
        serve(game, io.StringIO("".join(json.dumps({"id": 1, **each}) + "\n" for each in requests)), target)
        answers = [json.loads(line) for line in target.getvalue().splitlines()]
        assert answers[0]["observation"] == start
        assert answers[1]["valid"] is False and "one, two" in answers[1]["observation"]
        assert answers[2]["actions"] == ["one", "two"]
        assert [answer["reward"] for answer in answers[3:]] == rewards and answers[-1]["done"]


def test_no_number_of_a_model_is_an_error_of_a_game_of_pettingzoo():
    pytest.importorskip("pettingzoo")
    game = from_pettingzoo(nim, id="nim", rules="Take.")
    reset = {"op": "reset", "session": "a", "task": "test-1000", "seed": 0}
    for text, valid in {"--1": False, "²": False, "1" * 5000: False, "-1": False, "2": False, " 1 ": True}.items():
        requests = [reset, {"op": "step", "session": "a", "action": text}]
        target = io.StringIO()
        serve(game, io.StringIO("".join(json.dumps({"id": 1, **each}) + "\n" for each in requests)), target)
        assert json.loads(target.getvalue().splitlines()[1])["valid"] is valid
