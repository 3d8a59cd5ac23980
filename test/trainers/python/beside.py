"""Puts the client's own requirements, `beside` of the first job, behind the trainer's packages. Import it first."""

import json
import sys
from pathlib import Path

sys.path += json.loads(Path(sys.argv[1]).read_text())[0]["beside"]
