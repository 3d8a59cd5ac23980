"""Environments in Python, as a host speaks with them."""

import io
import json
import re

import pytest

from espalier.environments import Environment, StepResult, Task, environment, from_gymnasium, serve


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
