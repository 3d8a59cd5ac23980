"""Environments in Python, as a host speaks with them."""

import io
import json
import random
import re

import pytest

from espalier.environments import Environment, GymnasiumEnvironment, StepResult, Task, environment, from_gymnasium, serve
from espalier.environments._rewards import episode_reward


class Counting(Environment):
    id = "counting"
    rules = "Say the next number."

    @classmethod
    def tasks(cls):
        return [Task("to-2", split="train", options=2), Task("to-3", options=3)]

    def reset(self, task, seed):
        self.goal, self.at = task.options, 0
        print("a line for the log")
        return f"Count to {self.goal}."

    def step(self, action):
        if action == "crash":
            raise ValueError("no such number")
        if action != str(self.at + 1):
            return StepResult(f"Not {action}.", valid=False, progress=self.at / self.goal)
        self.at += 1
        return StepResult(
            str(self.at),
            reward=float(self.at == self.goal),
            done=self.at == self.goal,
            progress=self.at / self.goal,
        )

    def actions(self):
        return [str(self.at + 1)]


def ask(served, *requests):
    answers = io.StringIO()
    lines = (json.dumps({"id": number, **request}) + "\n" for number, request in enumerate(requests))
    serve(served, io.StringIO("".join(lines)), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_it_describes_itself_with_its_tasks():
    (facts,) = ask(Counting, {"op": "describe"})
    assert facts["environment"] == "counting"
    assert facts["actions"] is True
    assert facts["tasks"][0] == {"id": "to-2", "split": "train", "type": "any", "description": ""}


def test_sessions_are_apart_and_one_that_is_reset_begins_anew():
    reset = {"op": "reset", "task": "to-2", "seed": 0}
    step = {"op": "step", "action": "1"}
    answers = ask(
        Counting,
        {**reset, "session": "a"},
        {**reset, "session": "b"},
        {**step, "session": "a"},
        {"op": "actions", "session": "b"},
        {**reset, "session": "a"},
        {"op": "actions", "session": "a"},
        {**step, "session": "a"},
        {"op": "step", "session": "a", "action": "2"},
    )
    assert answers[0] == {"id": 0, "observation": "Count to 2."}
    assert answers[2]["progress"] == 0.5
    assert answers[3]["actions"] == answers[5]["actions"] == ["1"]
    assert answers[7] == {
        "id": 7,
        "observation": "2",
        "reward": 1.0,
        "done": True,
        "valid": True,
        "progress": 1.0,
    }


def test_a_step_that_raises_is_an_error_and_its_session_is_gone():
    answers = ask(
        Counting,
        {"op": "reset", "session": "a", "task": "to-2", "seed": 0},
        {"op": "step", "session": "a", "action": "crash"},
        {"op": "step", "session": "a", "action": "1"},
        {"op": "reset", "session": "a", "task": "none", "seed": 0},
    )
    place = r"ValueError: no such number \(test_environments\.py, line \d+, in step\)"
    assert re.fullmatch(place, answers[1]["error"])
    assert "error" in answers[2]
    assert answers[3]["code"] == "unknown_task"


def test_a_session_that_errs_is_closed_even_if_that_raises_too(capsys):
    closed = []

    class Erring(Counting):
        def reset(self, task, seed):
            self.name = f"{task.id} {seed}"
            if seed == 1:
                raise OSError("no such game")
            return super().reset(task, seed)

        def close(self):
            closed.append(self.name)
            raise RuntimeError("it does not close")

    crash = {"op": "step", "session": "a", "action": "crash"}
    answers = ask(
        Erring,
        {"op": "reset", "session": "a", "task": "to-2", "seed": 0},
        crash,
        {"op": "reset", "session": "b", "task": "to-2", "seed": 1},
        {"op": "close", "session": "a"},
    )
    assert closed == ["to-2 0", "to-2 1"]
    assert "no such number" in answers[1]["error"] and "no such game" in answers[2]["error"]
    assert answers[3] == {"id": 3}
    assert "it does not close" in capsys.readouterr().err


def test_a_generator_is_an_environment_and_must_end_with_a_last_observation():
    @environment("echo", rules="Say done.", tasks=[Task("only")], default_max_steps=5)
    def echo(task, seed):
        action = yield "Speak."
        while action != "done":
            if action == "return":
                return
            action = yield f"You said {action}."
        yield StepResult("Well done.", reward=1, done=True)

    reset = {"op": "reset", "session": "a", "task": "only", "seed": 0}
    answers = ask(
        echo,
        reset,
        *({"op": "step", "session": "a", "action": action} for action in ("hello", "done")),
        reset,
        {"op": "step", "session": "a", "action": "return"},
    )
    assert echo.default_max_steps == 5
    assert answers[1]["observation"] == "You said hello."
    assert answers[2]["done"] is True
    assert "yield StepResult" in answers[4]["error"]


def test_pictures_are_sent_by_their_kind_and_others_refused():
    assert StepResult("", pictures=[b"\x89PNG..."]).to_json()["pictures"][0]["media_type"] == "image/png"
    with pytest.raises(ValueError, match="PNG, JPEG or WebP"):
        StepResult("", pictures=[b"GIF89a"]).to_json()


def test_an_environment_of_gymnasium_is_played_by_the_names_of_its_actions():
    pytest.importorskip("gymnasium")
    lake = from_gymnasium(
        "FrozenLake-v1",
        rules="Reach the goal at the lower right.",
        action_names=["left", "down", "right", "up"],
        make_options={"is_slippery": False},
        seeds={"test": range(2)},
    )
    way = ["down", "down", "right", "right", "down", "right"]
    answers = ask(
        lake,
        {"op": "reset", "session": "a", "task": "test-0", "seed": 0},
        {"op": "step", "session": "a", "action": "fly"},
        *({"op": "step", "session": "a", "action": action} for action in way),
    )
    assert answers[1]["valid"] is False and "left" in answers[1]["observation"]
    assert answers[-1]["reward"] == 1.0 and answers[-1]["done"] is True
    assert all(answer["reward"] == 0.0 for answer in answers[1:-1])


class Steps(GymnasiumEnvironment):
    """Earns the rewards of ``shares``, one a step."""

    id = "steps"
    rules = "Write a number."
    shares = (-1.0,)

    @classmethod
    def make(cls):
        gymnasium = pytest.importorskip("gymnasium")

        class Game(gymnasium.Env):
            action_space = gymnasium.spaces.Discrete(3, start=-1)

            def reset(self, seed=None):
                self.left = list(cls.shares)
                return 0, {}

            def step(self, action):
                return 0, self.left.pop(0), not self.left, False, {}

        return Game()


def rewards_of(shares, bounds=None):
    game = type("Shares", (Steps,), {"shares": shares, "reward_range": bounds})
    step = {"op": "step", "session": "a", "action": "0"}
    answers = ask(game, {"op": "reset", "session": "a", "task": "test-1000", "seed": 0}, *([step] * len(shares)))
    assert [answer["done"] for answer in answers[1:]] == [*([False] * (len(shares) - 1)), True]
    return [answer["reward"] for answer in answers[1:]]


def test_a_game_that_charges_for_steps_is_never_a_disaster():
    assert rewards_of([-1.0, -1.0, 5.0]) == [0.0, 0.0, 3.0]
    assert rewards_of([-1.0] * 50, (-200, 0)) == [0.0] * 49 + [0.75]
    assert rewards_of([100.0, 150.0], (0, 500)) == [0.2, 0.5]
    with pytest.raises(KeyError):
        rewards_of([float("nan")])
    with pytest.raises(KeyError):
        rewards_of([1.0], (1, 0))


def test_a_class_with_the_earlier_reward_scale_is_refused_with_the_new_name():
    with pytest.raises(TypeError, match="reward_range"):
        type("Scaled", (Steps,), {"reward_scale": 500.0})


def test_a_reward_range_keeps_the_order_of_ended_episodes_and_bounds_them():
    draw = random.Random(5)
    for _ in range(500):
        low, high = sorted((draw.uniform(-300, 300), draw.uniform(-300, 300)))
        sums = sorted(draw.uniform(-600, 600) for _ in range(8))
        ended = [episode_reward(each, (low, high), True) for each in [low, *sums, high]]
        assert ended[0] == 0 and ended[-1] == 1
        assert ended[1:-1] == sorted(ended[1:-1]) and all(0 <= each <= 1 for each in ended)
        for each in sums:
            assert episode_reward(each, None, False) == max(0, each)
            unfinished = episode_reward(each, (low, high), False)
            assert unfinished == (0 if low < 0 else episode_reward(each, (low, high), True))


def test_no_text_of_a_model_is_an_error_of_a_game():
    draw = random.Random(6)
    odd = ["--5", "²", "٣", "-", "", "5-", "1" * 5000, "9" * 19, "1_0", "1.0", "+1", "\ud800"]
    texts = odd + ["".join(draw.choices("-0123456789²٣ _.", k=draw.randrange(1, 6))) for _ in range(300)]
    reset = {"op": "reset", "session": "a", "task": "test-1000", "seed": 0}
    for text in texts:
        answer = ask(Steps, reset, {"op": "step", "session": "a", "action": text})[1]
        assert answer["valid"] is (re.fullmatch("-?0+|-?0*1", text.strip()) is not None), text
