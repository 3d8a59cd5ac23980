"""Reads what `espalier download` wrote with its formats' own readers, and prints what they found as JSON.

    python read_exports.py LOG.eval TRAJECTORIES TABLES
"""

import json
import sys
from pathlib import Path
from zipfile import ZipFile

import pandas
from atif import Trajectory
from inspect_ai.analysis import evals_df, events_df, messages_df, samples_df
from inspect_ai.log import (
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)
from inspect_ai.scorer import value_to_float

log_file, trajectories, tables = (Path(argument) for argument in sys.argv[1:])
log = read_eval_log(str(log_file), resolve_attachments=True)
frames = [function(str(log_file), strict=True) for function in (evals_df, samples_df, messages_df)]
events = events_df(str(log_file))
to_float = value_to_float()
streamed = read_eval_log_samples(str(log_file), all_samples_required=log.status == "success")
start = json.loads(ZipFile(log_file).read("_journal/start.json"))


def model_events(sample):
    return [event for event in sample.events if event.event == "model"]


print(
    json.dumps(
        {
            "listed": len(list_eval_logs(str(log_file.parent))),
            "status": log.status,
            "model": log.eval.model,
            "dataset": log.eval.dataset.model_dump(),
            "journaled": start["eval"]["dataset"]["sample_ids"],
            "streamed": [[sample.id, sample.epoch] for sample in streamed],
            "metrics": {
                score.name: {name: metric.value for name, metric in score.metrics.items()}
                for score in log.results.scores
            },
            "summaries": len(read_eval_log_sample_summaries(str(log_file))),
            "rows": [len(frame) for frame in frames],
            "events": len(events),
            "samples": [
                {
                    "id": sample.id,
                    "epoch": sample.epoch,
                    "found": read_eval_log_sample(str(log_file), id=sample.id, epoch=sample.epoch).uuid
                    == sample.uuid,
                    "roles": [message.role for message in sample.messages],
                    "calls": len(model_events(sample)),
                    "prompt": [message.text for message in model_events(sample)[-1].input]
                    if model_events(sample)
                    else None,
                    "scores": None
                    if sample.scores is None
                    else {name: to_float(score.value) for name, score in sample.scores.items()},
                    "error": None if sample.error is None else sample.error.message,
                    "limit": None if sample.limit is None else sample.limit.type,
                    "cost": sum(usage.total_cost or 0 for usage in sample.model_usage.values()),
                    "tokens": sum(usage.total_tokens for usage in sample.model_usage.values()),
                    "episode": sample.metadata["episode"],
                    "tree": sample.metadata["tree"],
                }
                for sample in log.samples
            ],
            "trajectories": [
                {
                    "session": trajectory.session_id,
                    "steps": len(trajectory.steps),
                    "reward": trajectory.final_metrics.extra["reward"],
                }
                for path in sorted(trajectories.glob("*/*/trajectory.json"))
                for trajectory in [Trajectory.model_validate_json(path.read_text())]
            ],
            "tables": {
                path.name: [len(frame), sorted(frame.columns)]
                for path in sorted(tables.iterdir())
                for frame in [
                    pandas.read_csv(path) if path.suffix == ".csv" else pandas.read_parquet(path)
                ]
            },
        }
    )
)
