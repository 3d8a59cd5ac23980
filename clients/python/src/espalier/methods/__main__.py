"""``python -m espalier.methods FILE``: plays the methods that a file defines, for the worker that started this program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from .._user_file import files_of, load_file
from .._conversation import Conversation
from .._faults import describe_error
from .method import Method


def load(path: Path) -> dict[str, Method]:
    """The methods that a file defines, by their ids. :raises SystemExit: where it cannot be loaded, or defines none"""
    module = load_file(path, "espalier_method")
    found = {value.id: value for value in vars(module).values() if isinstance(value, Method)}
    if not found:
        sys.exit(f"{path} defines no method: a function under @method of espalier.methods.")
    return found


def serve(methods: dict[str, Method], files: list[dict[str, str]], conversation: Conversation) -> None:
    """Answers the worker until it is gone."""
    while True:
        question = conversation.read()
        if question["op"] == "describe":
            conversation.answer(methods=[each.facts() for each in methods.values()], files=files, protocol=2)
            continue
        try:
            play(methods, question, conversation)
            conversation.answer(requests=[], done=True)
        except Exception as error:
            conversation.answer(error=describe_error(error))


def play(methods: dict[str, Method], question: dict[str, Any], conversation: Conversation) -> None:
    methods[question["method"]].run(conversation, question["parameters"], question["episode"])


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m espalier.methods FILE")
    path = Path(sys.argv[1]).resolve()
    if not path.exists():
        sys.exit(f"There is no file {path}.")
    # What the file prints, also while it is loaded, must not be taken for answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    methods = load(path)
    serve(methods, files_of(path), Conversation(sys.stdin, answers))


main()
