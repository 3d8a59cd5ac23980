"""``python -m espalier.methods FILE``: plays the methods that a file defines, for the worker that started this program."""

from __future__ import annotations

import sys
from pathlib import Path

from .._user_file import files_of, load_file
from .._conversation import Conversation
from .method import Method
from .serve import serve


def load(path: Path) -> dict[str, Method]:
    """The methods that a file defines, by their ids. :raises SystemExit: where it cannot be loaded, or defines none"""
    module = load_file(path, "espalier_method")
    found = {value.id: value for value in vars(module).values() if isinstance(value, Method)}
    if not found:
        sys.exit(f"{path} defines no method: a function under @method of espalier.methods.")
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m espalier.methods FILE")
    path = Path(sys.argv[1]).resolve()
    if not path.exists():
        sys.exit(f"There is no file {path}.")
    # What the file prints, also while it is loaded, must not be taken for answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    methods = load(path)
    serve(lambda: methods, files_of(path), Conversation(sys.stdin, answers))


main()
