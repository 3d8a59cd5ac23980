"""``python -m espalier.environments FILE [NAME]``: serves the environment that a file defines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .._user_file import load_file
from .environment import Environment
from .serve import serve


def find_environments(path: Path) -> dict[str, type[Environment]]:
    """The environments that a file defines, by their ids. :raises SystemExit: where it cannot be loaded"""
    module = load_file(path, "espalier_environment")
    found = (
        value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Environment)
    )
    return {value.id: value for value in found if isinstance(getattr(value, "id", None), str)}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m espalier.environments",
        description="Serves an environment that a Python file defines, to the host that started this program.",
    )
    parser.add_argument("file", type=Path, help="a Python file that defines one environment, or several")
    parser.add_argument("name", nargs="?", help="the id of the one to serve, where the file defines several")
    arguments = parser.parse_args()
    if not arguments.file.exists():
        sys.exit(f"There is no file {arguments.file}.")
    found = find_environments(arguments.file)
    if not found:
        sys.exit(
            f"{arguments.file} defines no environment: a subclass of espalier.environments.Environment with an id."
        )
    if arguments.name is None and len(found) > 1:
        sys.exit(f"{arguments.file} defines {', '.join(sorted(found))}. Say which one.")
    name = arguments.name or next(iter(found))
    if name not in found:
        sys.exit(f"{arguments.file} defines no environment {name}. It defines {', '.join(sorted(found))}.")
    serve(found[name])


main()
