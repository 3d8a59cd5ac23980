"""Plays recorded conversations with Inspect AI and prints, as one JSON object, what that took.

The settings come as the only argument, in JSON: `conversations` (a file: a JSON list of {system, observations}),
`base_url`, `parallel` (samples and connections at once), `ramp` and `seconds` (how long it plays before it is measured,
and how long it is), `folder` (for Inspect's log) and `max_tokens`.
"""

import json
import sys
import time

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.solver import Generate, TaskState, solver


class Measurement:
    """Counts calls between the end of the ramp and the end of the measurement. Times are in seconds."""

    def __init__(self, ramp: float, seconds: float) -> None:
        self.ramp = ramp
        self.seconds = seconds
        self.begun: float | None = None
        self.first: tuple[float, float] | None = None
        self.calls = 0
        self.result: dict[str, float] | None = None

    def count_call(self) -> None:
        now = time.perf_counter()
        if self.begun is None:
            self.begun = now
        if self.result is not None:
            return
        if self.first is None:
            if now - self.begun >= self.ramp:
                self.first = (now, time.process_time())
            return
        self.calls += 1
        elapsed = now - self.first[0]
        if elapsed >= self.seconds:
            processor = time.process_time() - self.first[1]
            self.result = {"elapsed": elapsed, "calls": self.calls, "processor": processor * 1000}


@solver
def converse(measurement: Measurement):
    """Asks once for each observation of a sample, as an agent would, until the measurement is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for observation in state.metadata["observations"]:
            if measurement.result is not None:
                break
            state.messages.append(ChatMessageUser(content=observation))
            state = await generate(state)
            measurement.count_call()
        return state

    return solve


def main() -> None:
    settings = json.loads(sys.argv[1])
    with open(settings["conversations"], encoding="utf-8") as file:
        conversations = json.load(file)
    samples = [
        Sample(
            input=[ChatMessageSystem(content=conversation["system"])],
            metadata={"observations": conversation["observations"]},
        )
        for conversation in conversations
    ]
    measurement = Measurement(settings["ramp"], settings["seconds"])
    model = get_model("openai-api/bench/simulated", base_url=settings["base_url"], api_key="none")
    logs = eval(
        Task(dataset=samples, solver=converse(measurement)),
        model=model,
        display="none",
        log_dir=settings["folder"],
        max_samples=settings["parallel"],
        max_connections=settings["parallel"],
        temperature=1,
        max_tokens=settings["max_tokens"],
    )
    if logs[0].status != "success" or measurement.result is None:
        raise SystemExit(f"The evaluation ended as {logs[0].status} before it was measured: {logs[0].error}")
    print(json.dumps(measurement.result))


main()
