"""Writes shared/environments/scienceworld/variations.data.json: how many variations the simulator has of each task.

Needs Java and the packages of shared/environments/scienceworld/host/requirements.txt: python shared/environments/scienceworld/make-scienceworld-tasks.py
"""
import json
from pathlib import Path

from scienceworld import ScienceWorldEnv

target = Path(__file__).parent / "variations.data.json"
environment = ScienceWorldEnv("")
variations = {name: environment.get_max_variations(name) for name in sorted(environment.get_task_names())}
target.write_text(json.dumps(variations, indent=2) + "\n")
environment.close()
