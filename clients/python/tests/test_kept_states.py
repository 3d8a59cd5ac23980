"""States that environments in Python keep."""

import pytest
from test_environments import Counting, ask

from espalier.environments import StepResult

RESET = {"op": "reset", "session": "a", "task": "to-3", "seed": 0}


class Saving(Counting):
    """Its state is a list that steps change in place."""

    id = "saving"
    kept_states = 2

    def reset(self, task, seed):
        self.seen = []
        return super().reset(task, seed)

    def step(self, action):
        self.seen.append(action)
        result = super().step(action)
        return StepResult(f"{result.observation} after {self.seen}", result.reward, result.done)

    def save(self):
        return self.goal, self.at, self.seen

    def load(self, state):
        self.goal, self.at, self.seen = state


class Copying(Saving):
    id = "copying"
    copies = True


@pytest.mark.parametrize("served", [Saving, Copying])
def test_a_kept_state_is_returned_to_whatever_steps_came_after(served):
    def step(action, session="a"):
        return {"op": "step", "session": session, "action": action}

    restore = {"op": "restore", "session": "a", "state": "1"}
    answers = ask(
        served,
        RESET,
        step("1"),
        {"op": "keep", "session": "a"},
        step("2"),
        restore,
        step("5"),
        restore,
        step("2"),
        {**RESET, "session": "b"},
        {**restore, "session": "b"},
        step("2", "b"),
        step("3"),
    )
    assert answers[2]["state"] == "1"
    assert answers[4]["observation"] == answers[6]["observation"] == answers[1]["observation"]
    assert answers[7]["observation"] == answers[10]["observation"] == answers[3]["observation"]
    assert answers[11]["done"] is True


def test_the_oldest_states_are_dropped_and_say_so():
    keep = {"op": "keep", "session": "a"}
    restores = [{"op": "restore", "session": "a", "state": str(name)} for name in (1, 2, 3)]
    answers = ask(Saving, RESET, keep, keep, keep, *restores)
    assert [answer.get("code") for answer in answers[4:]] == ["state_not_kept", None, None]


def test_facts_say_whether_states_are_kept_and_half_of_a_pair_is_refused():
    assert "keeps_states" not in Counting.facts()
    assert Saving.facts()["keeps_states"] is Copying.facts()["keeps_states"] is True

    class Half(Counting):
        id = "half"

        def save(self):
            return 1

    with pytest.raises(TypeError, match="half defines save alone"):
        Half.facts()
