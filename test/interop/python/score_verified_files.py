"""Scores a folder of task folders by WebArena-Verified's public API: prints the score of each task id."""

import json
import logging
import sys
from pathlib import Path

from webarena_verified.api.webarena_verified import WebArenaVerified
from webarena_verified.types.config import WebArenaVerifiedConfig

logging.disable(logging.CRITICAL)
folder, tasks = (Path(word) for word in sys.argv[1:])
benchmarks: dict[str, WebArenaVerified] = {}


def score(place: Path) -> dict:
    config = WebArenaVerifiedConfig.from_file(place / "run_config.json", test_data_file_override=tasks)
    text = (place / "run_config.json").read_text()
    if text not in benchmarks:
        benchmarks[text] = WebArenaVerified(config=config)
    result = benchmarks[text].evaluate_task(
        task_id=int(place.name),
        agent_response=place / config.agent_response_file_name,
        network_trace=place / config.trace_file_name,
    )
    return {"score": result.score, "status": result.status, "error": result.error_msg}


json.dump({place.name: score(place) for place in folder.iterdir()}, sys.stdout)
