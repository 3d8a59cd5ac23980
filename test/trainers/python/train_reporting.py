"""Trains two steps with the local trainer's own program, which reports to TensorBoard. A job: {rows, hyperparameters, launched}."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import rows
import tiny
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

PROGRAM = Path(__file__).parents[3] / "containers" / "trainer" / "train.py"
LAUNCH = "distributed_type: 'NO'\nnum_processes: 1\nuse_cpu: true\n"


def train(job):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("base", "output", "reports"):
            (folder / name).mkdir()
        tokenizer = tiny.tokenizer(rows.texts(job["rows"]))
        tokenizer.save_pretrained(folder / "base")
        tiny.model(tokenizer).save_pretrained(folder / "base")
        (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in job["rows"]))
        (folder / "launch.yaml").write_text(LAUNCH)
        asked = {
            "recipe": "sft",
            "base": {"folder": str(folder / "base")},
            "data": [{"dataset": "d", "split": "train", "share": None, "files": [str(folder / "data.jsonl")]}],
            "hyperparameters": job["hyperparameters"],
            "lora": None,
            "seed": 0,
            "checkpoint_steps": None,
            "keep_checkpoints": 1,
            "output": str(folder / "output"),
            "progress": str(folder / "progress.jsonl"),
            "stop": str(folder / "stop"),
            "report_to": ["tensorboard"],
            "run_name": "training-1",
            "accelerate": str(folder / "launch.yaml") if job["launched"] else None,
        }
        (folder / "job.json").write_text(json.dumps(asked))
        environment = {**os.environ, "TENSORBOARD_LOGGING_DIR": str(folder / "reports")}
        # The trainer ends with its input.
        program = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(folder / "job.json")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
            text=True,
        )
        said = program.stdout.read()
        code = program.wait()
        events = EventAccumulator(str(folder / "reports"))
        events.Reload()
        scalars = {tag: [event.value for event in events.Scalars(tag)] for tag in events.Tags()["scalars"]}
        lines = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
        losses = [line["loss"] for line in lines if line["event"] == "point"]
        saved = sorted(file.name for file in (folder / "output" / "model").glob("*"))
        return {"code": code, "said": said[-2000:], "scalars": scalars, "losses": losses, "saved": saved}


rows.work(train)
