"""``python -m espalier`` and ``espalier``: the command, such as ``python -m espalier quickstart``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._bundled_service import service_environment
from .service import ServiceNotStartedError, find_command


def main() -> None:
    try:
        words = [*find_command(), *sys.argv[1:]]
    except ServiceNotStartedError as error:
        sys.exit(str(error))
    environment = service_environment()
    if sys.platform == "win32":
        sys.exit(subprocess.run(words, env=environment).returncode)
    os.execvpe(words[0], words, environment)


if __name__ == "__main__":
    main()
