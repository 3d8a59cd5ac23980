"""Scores cases (JSON on standard input: task, sites, response, entries) with WebArena-Verified's own evaluators."""

import json
import logging
import sys

from webarena_verified.api.internal.evaluator import WebArenaVerifiedEvaluator
from webarena_verified.types.config import WebArenaVerifiedConfig
from webarena_verified.types.eval import TaskEvalContext
from webarena_verified.types.task import WebArenaVerifiedTask
from webarena_verified.types.tracing import NetworkTrace

logging.disable(logging.CRITICAL)
given = json.load(sys.stdin)
sites = {f"__{name.upper()}__": {"urls": [address]} for name, address in given["sites"].items()}
config = WebArenaVerifiedConfig(environments=sites)
evaluator = WebArenaVerifiedEvaluator(config=config, reader=None)


def score(case: dict) -> dict:
    context = TaskEvalContext(
        task=WebArenaVerifiedTask.model_validate(case["task"]),
        agent_response_raw=case["response"],
        network_trace=NetworkTrace.from_content(case["entries"]),
        config=config,
    )
    result = evaluator.evaluate_task(context=context)
    return {"score": result.score, "status": result.status}


json.dump([score(case) for case in given["cases"]], sys.stdout)
